import TripModel
import TripProtocol

/// Matches the entries of a file with the items of a trip, and makes edits from the differences.
struct ImportMaker {
    /// The order of edits: those that others depend on come first.
    enum Phase: Int {
        /// Vanished items are removed first, so that their gameIds are free.
        case removal
        /// Travel of our exports at its exact place. It names no games yet, so no game can refuse the place.
        case exactTravel
        case games
        case customItems
        case travel
        /// The games named by travel, which all exist now.
        case references
    }

    /// One entry with its edits.
    struct Step {
        let entry: Int
        let item: ItemID
        let isNew: Bool
        /// The item of another kind that it replaces.
        var replaced: ItemID?
        var edits: [(phase: Phase, edit: Edit)] = []
        /// An alternative place for the entry's travel.
        var alternative: Edit?
        /// Whether it changes more than the stored values of the source.
        var isChange = true
        /// The reason why it is not imported after all.
        var refusal: String?
    }

    let entries: FileEntries
    let trip: Trip
    let options: ImportOptions
    var steps: [Step] = []
    var report = ImportReport()
    /// The new events whose times are not shown as the file has them, by the reason.
    var zoneNotes: [String: [Int]] = [:]
    /// Items matched with an entry.
    private(set) var claimed: Set<ItemID> = []
    let known: KnownItems
    private var series = SeriesMatch()
    /// The items of entries that have another id than at the last import, by the indices of the entries.
    private var renamed: [Int: ItemID] = [:]
    private var returning: ReturningItems?
    private var places: ImportPlaces
    /// The items of the trip by their ids in the file.
    private(set) var itemsByFileID: [ItemID: ItemID] = [:]
    private(set) var newItems: Set<ItemID> = []
    var removals: [ItemID] = []
    /// The changes of events that the file cancels.
    var cancellations: [Edit] = []
    /// Items that users removed, without those whose entry was found and not imported.
    private var removedItems: Set<ItemID>
    /// The known ones of this source, also by their ids there.
    private let removed: [SeriesMatch.Candidate]
    private let removedOfSource: [TextKey: ItemID]
    private let names: DerivedNames
    private var daysMovedByUID: [TextKey: Set<Int>] = [:]
    /// New entries beyond the limit of a trip, which are only counted.
    private var excess = 0

    init(_ entries: FileEntries, _ trip: Trip, _ options: ImportOptions) {
        let entries = entries.withEachItemOnce()
        self.entries = entries
        self.trip = trip
        self.options = options
        known = KnownItems(trip, source: options.source)
        places = ImportPlaces(trip, options)
        removedItems = options.removedItems.ids
        removed = options.removedItems.items.compactMap { .init($0, in: options.source) }
        removedOfSource = Dictionary(removed.map { ($0.key, $0.item) }) { newest, _ in newest }
        names = DerivedNames(entries, of: trip.header.id, source: options.source)
        report.notes = entries.notes
        report.skipped = entries.skipped
        report.isCut = entries.isCut
        report.isCancellation = entries.isCancellation
    }

    /// The number of items by which the trip grows.
    var growth: Int { steps.count { $0.isNew && $0.replaced == nil } - removals.count + excess }

    mutating func matchAll(using generator: inout some RandomNumberGenerator) {
        var probe = self
        series = SeriesMatch(entries, known.candidates + removed, trip.header) { [self] index in
            let entry = entries.entries[index]
            let isFloating = entry.occurrence?.isFloating == true
            let derived = isFloating ? trip[names.ids(of: index)[0]]?.id : nil
            return derived ?? known.item(ofSource: entry) ?? probe.removedItem(of: index)
        }
        returning = ReturningItems(entries, known, trip.header, options) { [self] in names.allIDs(of: $0) }
        renamed = series.items
        let renewed = renewedIDs()
        renamed.merge(renewed) { first, _ in first }
        let count = renewed.values.count { trip[$0] != nil }
        if count > 0 {
            report.notes.append(
                FileNote(text: count == 1 ? "1 entry has a new id" : "\(count) entries have new ids"))
        }
        for index in entries.entries.indices { match(index, using: &generator) }
        for (step, placement) in places.wholeDays() { place(step, placement) }
        for index in steps.indices { addReferences(index) }
    }

    /// The items whose entries have new ids, among those that neither an id nor a series identifies.
    private mutating func renewedIDs() -> [Int: ItemID] {
        let vanished =
            vanishedItems.compactMap { trip[$0].flatMap { .init($0, in: options.source) } }
            + removed.filter { !entries.present.contains($0.key) }
        if vanished.isEmpty { return [:] }
        var matched = Set(renamed.values)
        var new: [(entry: Int, mark: RenewedIDs.Mark)] = []
        for (index, entry) in entries.entries.enumerated()
        where entry.own == nil && renamed[index] == nil && known.items(of: entry).isEmpty {
            if let removed = removedItem(of: index) {
                matched.insert(removed)
            } else if let title = entry.text(.title), let place = try? places.place(of: entry, as: entry.kind)
            {
                let date = trip.header.date(ofDay: place.day)
                new.append((index, .init(title: title, start: place.start?.secondsSince1970, date: date)))
            }
        }
        var clocks: [String: WallClock] = [:]
        let old = vanished.filter { !matched.contains($0.item) }.map { item in
            (item.item, RenewedIDs.Mark(item, SeriesMatch.date(of: item, nil, trip.header, &clocks)))
        }
        return RenewedIDs(vanished: old, new: new).items
    }

    // MARK: One entry

    private mutating func match(_ index: Int, using generator: inout some RandomNumberGenerator) {
        let entry = entries.entries[index]
        // If neither its own id nor its source matches, an entry is matched by its derived id. An event in floating time
        // has another id if the trip's zone has changed.
        let isFloating = entry.occurrence?.isFloating == true
        var candidates = known.items(of: entry)
        if isFloating {
            candidates.insert(names.ids(of: index)[0], at: 0)
        } else {
            candidates += names.ids(of: index).filter { !known.hasOtherID($0, than: entry) }
        }
        if let item = renamed[index] { candidates = [item] }
        let item = candidates.first { !claimed.contains($0) && trip[$0] != nil }.flatMap { trip[$0] }
        if item == nil, let removed = removedItem(of: index) {
            removedItems.remove(removed)
            let text =
                "it was removed from the trip, so it is not imported; import --restore-removed restores it"
            report.notes.append(entry.note(text))
            return
        }
        let wanted = entry.kind == .game && options.timed == .custom ? .custom : entry.kind
        let becomesOther = item.map { entry.own == nil && Self.becomes(wanted, $0) } ?? false
        let kind = becomesOther ? wanted : item?.content.kind ?? wanted
        let place: ImportPlaces.Place
        do throws(ImportPlaces.Fault) {
            place = try places.place(of: entry, as: kind)
        } catch {
            report.skipped.append(
                entry.skipped(field: error.field, reason: error.reason))
            if let item { claimed.insert(item.id) }
            return
        }
        if item == nil, steps.count >= TripLimits.items {
            excess += 1
            return
        }
        let values = places.values(of: entry, as: kind, at: place)
        if item == nil, let note = place.note { zoneNotes[note, default: []].append(index) }
        guard let item else { return add(index, kind, values, place, using: &generator) }
        claimed.insert(item.id)
        if becomesOther {
            replace(item, index, kind, values, place, using: &generator)
        } else {
            update(item, index, values, place)
        }
    }

    /// Whether an item changes its kind: a date has got a time, or has lost it.
    private static func becomes(_ kind: ItemKind, _ item: Item) -> Bool {
        if item.content.source == nil { return false }
        switch (item.content.kind, kind) {
        case (.game, .custom): return true
        case (.custom, .game):
            return item.content.said.map { $0[.time] == nil } ?? (item.content[.time] == nil)
        default: return false
        }
    }

    /// Replaces an item by one of another kind, with the users' values preserved.
    private mutating func replace(
        _ item: Item, _ index: Int, _ kind: ItemKind, _ values: [ItemField: FieldValue],
        _ place: ImportPlaces.Place, using generator: inout some RandomNumberGenerator
    ) {
        let successor = places.successor(
            of: item, entries.entries[index], kind, values, place, takesSource: options.takesSource)
        let count = steps.count
        add(index, kind, successor.values, successor.place, successor, using: &generator)
        guard steps.count > count else { return }
        report.kept += successor.kept
        steps[count].replaced = item.id
        steps[count].edits.append((.removal, .remove(item.id)))
        let entry = entries.entries[index]
        let change =
            kind == .game
            ? "has a start now and becomes an event"
            : "no longer has a start and becomes a custom item"
        report.notes.append(
            entry.note("\(TextRule.visible(item.content.title)) \(change)"))
    }

    /// The numbers of days by which items of an entry's series have moved since they got their ids.
    private mutating func daysMoved(of index: Int) -> Set<Int> {
        guard let uid = entries.entries[index].occurrence?.uid else { return [] }
        if let known = daysMovedByUID[uid] { return known }
        var days: Set<Int> = []
        for sibling in names.series[uid] ?? [] {
            guard let item = series.items[sibling] ?? known.item(ofSource: entries.entries[sibling]) else {
                continue
            }
            let isGame = trip[item]?.isGame == true
            let shifts = [0] + (1...SeriesMatch.largestShift).flatMap { [$0, -$0] }
            let shift = shifts.first { shift in
                names.name(of: sibling, movedBy: shift).map { names.id($0, isGame: isGame) == item } ?? false
            }
            if let shift, shift != 0 { days.insert(shift) }
        }
        daysMovedByUID[uid] = days
        return days
    }

    /// The item that a user removed and that an entry would restore, even if the entry's hour, kind or rule has changed.
    private mutating func removedItem(of index: Int) -> ItemID? {
        if removedItems.isEmpty { return nil }
        let entry = entries.entries[index]
        if let own = entry.own?.item { return removedItems.contains(own) ? own : nil }
        let known = renamed[index] ?? removedOfSource[entry.sourceKey]
        if let known, removedItems.contains(known) { return known }
        let formerIDs = names.formerIDs(of: index, movedBy: daysMoved(of: index))
        return formerIDs.first(where: removedItems.contains)
    }

    private mutating func update(
        _ item: Item, _ index: Int, _ values: [ItemField: FieldValue], _ place: ImportPlaces.Place
    ) {
        let entry = entries.entries[index]
        guard let own = entry.own?.item else { return follow(item, index, values, place) }
        var step = Step(entry: index, item: item.id, isNew: false)
        itemsByFileID[own] = item.id
        var changes: [FieldChange] = []
        let isRow = entry.own?.isRow == true
        for field in item.content.kind.fields {
            // Another program does not change what users write, nor the time.
            let isOurs = field.row.writer == .user || field == .time || field == .lateNight
            if isOurs, !isRow { continue }
            guard let value = values[field] else {
                // The trip's own zone is written in files, but not stored in items.
                let isTripZone = field == .timeZone && entry.own?.isOnTripClock == true
                let isCleared = isRow && (entry.emptyFields.contains(field) || isTripZone)
                if isCleared, item.content[field] != nil { changes.append(FieldChange(field, nil)) }
                continue
            }
            if value == item.content[field] { continue }
            switch (field, value, item.content[field]) {
            // The gameID and the first source stay.
            case (.gameID, _, _), (.source, _, _?), (.afterGame, _, _), (.beforeGame, _, _): continue
            // The same moment in another form is no change.
            case (.startsAt, .moment(let new), .moment(let old)?)
            where new.secondsSince1970 == old.secondsSince1970: continue
            default: changes.append(FieldChange(field, value))
            }
        }
        let phase = item.isGame ? Phase.games : .customItems
        if isRow, !item.isGame {
            let order = entry.own?.sortOrder ?? item.position.sortOrder
            if Position(day: place.day, sortOrder: order) != item.position {
                let isTravel = item.content.kind == .travel
                step.edits.append(
                    (isTravel ? .travel : .customItems, .move(item.id, to: .order(order, day: place.day))))
            }
        } else if !item.isGame, let move = places.move(of: item, to: place) {
            if let time = move.time { changes.append(FieldChange(.time, time)) }
            self.move(item, to: move.placement, &step)
        }
        if !changes.isEmpty { step.edits.append((phase, .update(item.id, changes))) }
        steps.append(step)
    }

    /// Moves an item that is not a game in the next step.
    private mutating func move(_ item: Item, to place: ImportPlaces.TargetPlace, _ step: inout Step) {
        let phase = item.content.kind == .travel ? Phase.travel : .customItems
        switch place {
        case .exact(let placement): step.edits.append((phase, .move(item.id, to: placement)))
        // Its games decide its place.
        case .beforeTimed(let day) where phase == .travel:
            step.edits.append((phase, .move(item.id, to: .end(day: day))))
        case .beforeTimed(let day): places.addWholeDay(day, step: steps.count)
        }
    }

    /// Applies the source's changes since the last import to an item.
    private mutating func follow(
        _ item: Item, _ index: Int, _ values: [ItemField: FieldValue], _ place: ImportPlaces.Place
    ) {
        var comparison = SourceComparison(item, takesSource: options.takesSource)
        let identity: Set<ItemField> = [.gameID, .source, .afterGame, .beforeGame]
        for field in item.content.kind.fields where !identity.contains(field) {
            comparison.compare(field, with: values[field])
        }
        var step = Step(entry: index, item: item.id, isNew: false)
        if !item.isGame {
            let day = entries.entries[index].when.sourceDay ?? places.sourceDay(place.day)
            let moves = comparison.compareDay(day, number: place.day, in: trip.header)
            let placement = places.placement(
                of: item, onDay: moves ? place.day : item.position.day, comparison.changes)
            if let placement { move(item, to: placement, &step) }
            step.isChange = placement != nil
        } else {
            step.isChange = false
        }
        if !comparison.changes.isEmpty { step.isChange = true }
        let changes = comparison.changes(
            source: entries.entries[index].source(named: options.source),
            isRenamed: renamed[index] != nil)
        if !changes.isEmpty {
            step.edits.append((item.isGame ? .games : .customItems, .update(item.id, changes)))
        }
        report.kept += comparison.kept
        steps.append(step)
    }

    private mutating func add(
        _ index: Int, _ kind: ItemKind, _ given: [ItemField: FieldValue], _ place: ImportPlaces.Place,
        _ successor: SuccessorContent? = nil, using generator: inout some RandomNumberGenerator
    ) {
        let entry = entries.entries[index]
        var id = names.ids(of: index)[0]
        if trip[id] != nil || newItems.contains(id) { id = ItemID.random(using: &generator) }
        if let own = entry.own?.item, trip[own] == nil, itemsByFileID[own] == nil { id = own }
        var values = given
        if let own = entry.own?.item {
            itemsByFileID[own] = id
            // Its own id is in use, so it must be identified by its source.
            if own != id, values[.source] == nil {
                values[.source] = .source(entry.source(named: options.source))
            }
        } else {
            var source = entry.source(named: options.source)
            let day = kind == .game ? nil : entry.when.sourceDay ?? places.sourceDay(place.day)
            source.said = successor?.said ?? SourceValues(values, day)
            values[.source] = .source(source)
        }
        // Users' values of an item that an import has removed are restored with it.
        if successor == nil,
            let pruned = returning?.content(of: index, entry, ids: [id] + names.allIDs(of: index))
        {
            let changes = OwnWords.changes(of: pruned)
            for (field, value) in changes where kind.fields.contains(field) { values[field] = value }
        }
        var step = Step(entry: index, item: id, isNew: true)
        newItems.insert(id)
        if let missing = kind.fields.first(where: { $0.isRequired && values[$0] == nil }) {
            report.skipped.append(
                entry.skipped(field: missing.name, reason: "it must not be empty"))
            return
        }
        // The games named by travel are set after they exist.
        var content = ItemContent(kind, values.filter { $0.key != .afterGame && $0.key != .beforeGame })
        if kind == .game, successor == nil, !options.attends { content.assign([.attending(false)]) }
        var placement = place.placement
        if entry.own == nil, let time = content.startTime, kind == .custom {
            placement = .exact(.order(ImportPlaces.order(ofMinute: time.minute), day: placement.day))
        }
        switch (kind, placement) {
        case (.game, _): step.edits.append((.games, .add(id, content, to: nil)))
        case (.custom, .exact(let placement)):
            step.edits.append((.customItems, .add(id, content, to: placement)))
        case (.custom, .beforeTimed(let day)):
            step.edits.append((.customItems, .add(id, content, to: .end(day: day))))
            places.addWholeDay(day, step: steps.count)
        case (.travel, let placement):
            step.alternative = .add(id, content, to: nil)
            switch placement {
            case .exact(let exact): step.edits.append((.exactTravel, .add(id, content, to: exact)))
            case .beforeTimed(let day): step.edits.append((.travel, .add(id, content, to: .end(day: day))))
            }
        }
        steps.append(step)
    }

    /// Places a custom item without a time; called once the number of such items is known.
    private mutating func place(_ step: Int, _ placement: Placement) {
        if steps[step].isNew, case .add(let id, let content, _)? = steps[step].edits.first?.edit {
            steps[step].edits[0].edit = .add(id, content, to: placement)
        } else {
            steps[step].edits.append((.customItems, .move(steps[step].item, to: placement)))
        }
    }
}
