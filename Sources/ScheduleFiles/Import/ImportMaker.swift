import TripModel
import TripProtocol

/// Matches the entries of a file with the items of a trip, and makes edits of what differs.
struct ImportMaker {
    /// The order in which edits are made: what others lean on comes first.
    enum Phase: Int {
        /// What vanished goes, so that its gameId is free.
        case removal
        /// Travel of our own files, at its exact place: before games are there, nothing refuses it.
        case exactTravel
        case games
        case customItems
        case travel
        /// Which games travel names, once they are all there.
        case references
    }

    /// One entry, and what is to be done for it.
    struct Step {
        let entry: Int
        let item: ItemID
        let isNew: Bool
        var edits: [(phase: Phase, edit: Edit)] = []
        /// The entry's travel may stand elsewhere.
        var elsewhere: Edit?
        /// Why it is not imported after all.
        var refusal: String?
    }

    /// Fields of a known entry that are a person's own.
    private static let personal: Set<ItemField> = [.note, .reference, .cost, .time]

    let entries: FileEntries
    let trip: Trip
    let options: ImportOptions
    var steps: [Step] = []
    var report = ImportReport()
    private var claimed: Set<ItemID> = []
    private let known: KnownItems
    private var places: ImportPlaces
    /// The items of the trip by their ids in the file.
    private var itemsByFileID: [ItemID: ItemID] = [:]
    private var newItems: Set<ItemID> = []
    var removals: [ItemID] = []

    init(_ entries: FileEntries, _ trip: Trip, _ options: ImportOptions) {
        let entries = Self.withEachItemOnce(entries)
        self.entries = entries
        self.trip = trip
        self.options = options
        known = KnownItems(trip, source: options.source)
        places = ImportPlaces(trip, options)
        report.notes = entries.notes
        report.skipped = entries.skipped
        report.isCut = entries.isCut
    }

    /// An item of ours is one entry's: the first's that has its id. Another one is known by what the file calls it.
    private static func withEachItemOnce(_ given: FileEntries) -> FileEntries {
        var entries = given
        var lines: [ItemID: Int] = [:]
        for (index, entry) in given.entries.enumerated() {
            guard let own = entry.own?.item else { continue }
            guard let first = lines.updateValue(entry.line, forKey: own) else { continue }
            lines[own] = first
            entries.entries[index].own?.item = nil
            let text =
                "the entry of line \(first) has its item's id \(own) already; this one is an item of its own"
            entries.notes.append(FileNote(line: entry.line, id: entry.id, text: text))
        }
        return entries
    }

    /// By how many items the trip grows.
    var growth: Int { steps.count { $0.isNew } - removals.count }

    mutating func matchAll(using generator: inout some RandomNumberGenerator) {
        for index in entries.entries.indices { match(index, using: &generator) }
        for (step, placement) in places.wholeDays() { place(step, placement) }
        for index in steps.indices { addReferences(index) }
        findVanished()
    }

    // MARK: One entry

    private mutating func match(_ index: Int, using generator: inout some RandomNumberGenerator) {
        let entry = entries.entries[index]
        let derived = derivedID(of: entry)
        // A floating series has other ids where the trip is on another clock, and is the same. Anything else is known by
        // the id that it got where neither its own id nor its source tells: another item had the one, and the file says
        // another source.
        let candidates =
            entry.floatingID == nil ? known.items(of: entry) + [derived] : [derived] + known.items(of: entry)
        let item = candidates.first { !claimed.contains($0) && trip[$0] != nil }.flatMap { trip[$0] }
        if item == nil, options.removedItems.contains(entry.own?.item ?? derived) {
            let text = "a person removed it, so it stays away; import --restore-removed brings it back"
            report.notes.append(FileNote(line: entry.line, id: entry.id, text: text))
            return
        }
        let kind =
            item?.content.kind ?? (entry.kind == .game && options.timed == .custom ? .custom : entry.kind)
        let place: ImportPlaces.Place
        do throws(ImportPlaces.Fault) {
            place = try places.place(of: entry, as: kind)
        } catch {
            report.skipped.append(
                SkippedEntry(line: entry.line, id: entry.id, field: error.field, reason: error.reason))
            if let item { claimed.insert(item.id) }
            return
        }
        let values = places.values(of: entry, as: kind, at: place)
        if let item {
            claimed.insert(item.id)
            update(item, index, values, place)
        } else {
            add(index, kind, values, place, using: &generator)
        }
    }

    /// The id that an entry's item gets: the same whenever the entry comes again, so that the trip's history tells of
    /// one that is gone.
    private func derivedID(of entry: FileEntry) -> ItemID {
        // What a schedule calls a game is one game in a trip, whoever brings it.
        let source = entry.kind == .game ? "" : options.source
        let name = entry.floatingID.map { ["floating", $0] } ?? [entry.id]
        return ItemID(derivedFrom: [trip.header.id.description, source] + name)
    }

    private mutating func update(
        _ item: Item, _ index: Int, _ values: [ItemField: FieldValue], _ place: ImportPlaces.Place
    ) {
        let entry = entries.entries[index]
        var step = Step(entry: index, item: item.id, isNew: false)
        if let own = entry.own?.item { itemsByFileID[own] = item.id }
        var changes: [FieldChange] = []
        for field in item.content.kind.fields where !Self.personal.contains(field) {
            guard let value = values[field], value != item.content[field] else { continue }
            switch (field, value, item.content[field]) {
            // The schedule's own name for it stays, and so does whoever brought it first.
            case (.gameID, _, _), (.source, _, _?), (.afterGame, _, _), (.beforeGame, _, _): continue
            // The same moment in other words is none.
            case (.startsAt, .moment(let new), .moment(let old)?)
            where new.secondsSince1970 == old.secondsSince1970: continue
            default: changes.append(FieldChange(field, value))
            }
        }
        let phase = item.isGame ? Phase.games : .customItems
        if !item.isGame, let move = places.move(of: item, to: place) {
            if let time = move.time { changes.append(FieldChange(.time, time)) }
            let isTravel = item.content.kind == .travel
            switch move.placement {
            case .exact(let placement):
                step.edits.append((isTravel ? .travel : .customItems, .move(item.id, to: placement)))
            // It goes where its games let it.
            case .beforeTimed(let day) where isTravel:
                step.edits.append((.travel, .move(item.id, to: .end(day: day))))
            case .beforeTimed(let day): places.addWholeDay(day, step: steps.count)
            }
        }
        if !changes.isEmpty { step.edits.append((phase, .update(item.id, changes))) }
        steps.append(step)
    }

    private mutating func add(
        _ index: Int, _ kind: ItemKind, _ given: [ItemField: FieldValue], _ place: ImportPlaces.Place,
        using generator: inout some RandomNumberGenerator
    ) {
        let entry = entries.entries[index]
        var id = derivedID(of: entry)
        if trip[id] != nil || newItems.contains(id) { id = ItemID.random(using: &generator) }
        if let own = entry.own?.item, trip[own] == nil, itemsByFileID[own] == nil { id = own }
        var values = given
        if let own = entry.own?.item {
            itemsByFileID[own] = id
            // It cannot be known by its own id, as something else has that.
            if own != id, values[.source] == nil { values[.source] = ImportPlaces.source(of: entry, options) }
        }
        var step = Step(entry: index, item: id, isNew: true)
        newItems.insert(id)
        if let missing = kind.fields.first(where: { $0.isRequired && values[$0] == nil }) {
            report.skipped.append(
                SkippedEntry(
                    line: entry.line, id: entry.id, field: missing.name, reason: "it must not be empty"))
            return
        }
        // Which games travel names follows once they are there.
        let content = ItemContent(kind, values.filter { $0.key != .afterGame && $0.key != .beforeGame })
        switch (kind, place.placement) {
        case (.game, _): step.edits.append((.games, .add(id, content, to: nil)))
        case (.custom, .exact(let placement)):
            step.edits.append((.customItems, .add(id, content, to: placement)))
        case (.custom, .beforeTimed(let day)):
            step.edits.append((.customItems, .add(id, content, to: .end(day: day))))
            places.addWholeDay(day, step: steps.count)
        case (.travel, let placement):
            step.elsewhere = .add(id, content, to: nil)
            switch placement {
            case .exact(let exact): step.edits.append((.exactTravel, .add(id, content, to: exact)))
            case .beforeTimed(let day): step.edits.append((.travel, .add(id, content, to: .end(day: day))))
            }
        }
        steps.append(step)
    }

    /// Gives a custom item of a whole day its place, once it is known how many there are.
    private mutating func place(_ step: Int, _ placement: Placement) {
        if steps[step].isNew, case .add(let id, let content, _)? = steps[step].edits.first?.edit {
            steps[step].edits[0].edit = .add(id, content, to: placement)
        } else {
            steps[step].edits.append((.customItems, .move(steps[step].item, to: placement)))
        }
    }

    private mutating func addReferences(_ index: Int) {
        let entry = entries.entries[steps[index].entry]
        guard entry.kind == .travel else { return }
        var changes: [FieldChange] = []
        for field in [ItemField.afterGame, .beforeGame] {
            guard case .side(var side)? = entry[field] else { continue }
            if case .game(let named) = side {
                let game = itemsByFileID[named] ?? named
                guard trip[game] != nil || newItems.contains(game) else { continue }
                side = .game(game)
            }
            if trip[steps[index].item]?.content[field] != .side(side) {
                changes.append(FieldChange(field, .side(side)))
            }
        }
        if !changes.isEmpty { steps[index].edits.append((.references, .update(steps[index].item, changes))) }
    }

    // MARK: What the file no longer has

    private mutating func findVanished() {
        let vanished = known.ofSource.filter { key, id in
            !claimed.contains(id) && !entries.present.contains(key)
                && !entries.present.contains(TextKey(id.description)) && !isUnclearOrOnOtherDays(key)
        }
        if entries.isCut || entries.hasUnknown, !vanished.isEmpty {
            // It may stand in the part that is missing, or be what could not be read.
            let reason = entries.isCut ? "the file's end is missing" : "some of the file cannot be told apart"
            report.notes.append(FileNote(text: "\(reason), so nothing counts as vanished"))
            return
        }
        let ids = Set(vanished.values)
        let shown = trip.shownIDs.filter(ids.contains)
        if options.prunes { removals = shown } else { report.vanished = shown }
    }

    /// Whether it is one of a series of which the file may have more than could be worked out, or one on a day that the
    /// file was not asked for.
    private func isUnclearOrOnOtherDays(_ key: TextKey) -> Bool {
        guard let slash = key.text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return false }
        let uid = TextKey(String(key.text[..<slash]))
        if entries.unclear.contains(uid) { return true }
        guard entries.series.contains(uid) else { return false }
        let suffix = Array(key.text.utf8[key.text.utf8.index(after: slash)...])
        guard let time = CalendarTime(suffix[...], zone: nil) else { return false }
        let day = trip.header.dayNumber(of: time.date)
        return day < 1 || day > trip.header.dayCount
    }
}
