import Foundation
import ScheduleFiles
import TestSupport
import Testing
import TripModel

/// Random sequences of edits at the source and in the trip, imports with and without `--prune`, and undos of imports, against
/// a model that says of each value what it must be. The source also cancels events, gives them new ids, and gives one id to
/// several. `IMPORT_SEQUENCES` is how many there are, and `IMPORT_FIRST_SEED` the
/// seed of the first one.
@Suite struct ImportSequenceTests {
    @Test func `no sequence of imports loses a user's change, adds an item twice, or miscounts`() throws {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["IMPORT_SEQUENCES"].flatMap(Int.init) ?? 300
        let first = environment["IMPORT_FIRST_SEED"].flatMap(UInt64.init) ?? 0
        var tally = Tally()
        for seed in first..<first + UInt64(count) {
            var world = ImportWorld(seed: seed)
            for step in 0..<20 { try world.step("seed \(seed), step \(step)", &tally) }
        }
        // Each kind of outcome is reached, so that none is only believed to be right.
        #expect(tally.counts.count == Tally.Outcome.allCases.count, "\(tally.counts)")
        let counts = tally.counts.map { "\($0.key.rawValue) \($0.value)" }.sorted().joined(separator: ", ")
        if count > 300 { print("\(count) sequences: \(counts)") }
    }
}

/// How often the sequences reach each outcome.
private struct Tally {
    enum Outcome: String, Hashable, CaseIterable {
        case imported, updated, unchanged, kept, removed, vanished, refused, otherKind, stayedAway, cameBack
        case undone, renewed, cancelled
    }

    var counts: [Outcome: Int] = [:]

    mutating func add(_ outcome: Outcome, _ count: Int = 1) {
        if count > 0 { counts[outcome, default: 0] += count }
    }
}

/// An event of the source: a single event, an instance of the series by its number, or one of several with the same UID.
private enum Key: Hashable, Comparable {
    case single(Int)
    case series(Int)
    case slot(Int)
}

/// What a source says of one event, or what an item of it has.
private struct Event: Equatable {
    var title: String
    var note: String?
    var day: Int
    /// Nil for a whole day.
    var hour: Int?

    func lines(_ uid: String, _ more: [String] = []) -> [String] {
        let start = hour.map { ":\(stamp($0))" } ?? ";VALUE=DATE:\(20_260_600 + day)"
        return ["BEGIN:VEVENT", "UID:\(uid)", "SUMMARY:\(title)", "DTSTART\(start)"]
            + (note.map { ["DESCRIPTION:\($0)"] } ?? []) + more + ["END:VEVENT"]
    }

    private func stamp(_ hour: Int) -> String { "\(20_260_600 + day)T\(hour)0000Z" }
}

/// A series at the source, every three days.
private struct Series: Equatable {
    var title = "s"
    var day = 12
    var hour = 18
    var count = 4
    var excluded: Set<Int> = []
    /// Whether its rule is gone, and with that all times but the first.
    var isSingle = false

    /// Its times by their numbers.
    var events: [Key: Event] {
        let numbers = isSingle ? [0] : (0..<count).filter { !excluded.contains($0) }
        return Dictionary(
            uniqueKeysWithValues: numbers.map {
                (.series($0), Event(title: title, day: day(of: $0), hour: hour))
            })
    }

    private func day(of number: Int) -> Int { day + 3 * number }

    var lines: [String] {
        let exceptions = excluded.sorted().map { "EXDATE:\(20_260_600 + day(of: $0))T\(hour)0000Z" }
        let rule = ["RRULE:FREQ=DAILY;INTERVAL=3;COUNT=\(count)"] + exceptions
        return Event(title: title, day: day, hour: hour).lines("s", isSingle ? [] : rule)
    }
}

private struct ImportWorld {
    private static let author = Author(name: "Ann", at: Timestamp(milliseconds: 0))

    /// An item: the source's last values, the trip's values, and the fields with kept values.
    private struct State {
        var id: ItemID
        var said: Event
        var mine: Event
        /// Whether it is an event; a custom item may have an hour that a person has given it.
        var isGame: Bool
        var isUnattended = false
        var isCancelled = false
        var kept = Kept()

        /// Whether `--prune` leaves it.
        var hasWords: Bool {
            mine.title != said.title || mine.note != nil && mine.note != said.note
                || !isGame && mine.hour != nil
        }
    }

    private struct Kept {
        var title = false
        var note = false
        var start = false
    }

    /// All that an import changes, for its undo.
    private struct Memory {
        var states: [Key: State] = [:]
        /// What `--prune` has removed.
        var pruned: [Key: (state: State, content: ItemContent)] = [:]
        var importedSeries: Series?
        /// The UIDs of the single events that have got new ones.
        var uids: [Int: String] = [:]
    }

    private var random: SplitMix64
    private var trip = CalendarSamples.frame("UTC", from: "2026-06-01", days: 30).emptyTrip(named: "T")
    private var source: [Int: Event] = [:]
    /// Single events that the source cancels.
    private var cancelled: Set<Int> = []
    /// The titles of the events that have one UID and different times; none, or at least two.
    private var slots: [Int: String] = [:]
    private var series: Series? = Series()
    private var isSeriesOver = false
    private var memory = Memory()
    /// What a person has removed.
    private var removed: [Key: Item] = [:]
    /// Removed items whose events got new UIDs and were then deleted from the source.
    private var forgotten: [Item] = []
    private var lastImport: (commit: Commit, memory: Memory)?
    private var words = 0

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        for uid in 0..<4 { source[uid] = event() }
    }

    private mutating func word() -> String {
        words += 1
        return "\(random.below(3) == 0 ? "same" : "word \(words)")"
    }

    private mutating func event() -> Event {
        Event(
            title: word(), note: random.below(2) == 0 ? nil : word(), day: 10 + random.below(19),
            hour: random.below(2) == 0 ? nil : 10 + random.below(12))
    }

    mutating func step(_ place: String, _ tally: inout Tally) throws {
        switch random.below(13) {
        case 0, 1: editSource()
        case 12: editSlots()
        case 2: editSeries()
        case 3..<6: try editTrip()
        case 6: try undoLast(&tally)
        case 7: if random.below(4) == 0 { try removeItem() }
        default: try runImport(place, &tally)
        }
        check(place)
    }

    // MARK: The source

    private mutating func editSource() {
        let uid = random.below(6)
        guard var event = source[uid] else { return source[uid] = self.event() }
        switch random.below(8) {
        case 7:
            cancelled.formSymmetricDifference([uid])
            return
        case 0: event.title = word()
        case 1: event.note = random.below(3) == 0 ? nil : word()
        case 2: event.day = 10 + random.below(19)
        case 3: if event.hour != nil { event.hour = 10 + random.below(12) }
        case 4: event.hour = event.hour == nil ? 10 + random.below(12) : nil
        case 5: if random.below(6) == 0 { source = [:] }
        default: return source[uid] = nil
        }
        if source[uid] != nil { source[uid] = event }
    }

    private mutating func editSlots() {
        let slot = random.below(4)
        slots[slot] = slots[slot] == nil || random.below(2) == 0 ? word() : nil
        if slots.count == 1 { slots = random.below(3) == 0 ? [:] : [0: word(), 3: word()] }
    }

    private func event(ofSlot slot: Int) -> Event {
        Event(title: slots[slot] ?? "", day: 11 + 4 * slot, hour: 10 + 3 * slot)
    }

    /// The events of the source that are not cancelled.
    private var events: [Key: Event] {
        var events = series?.events ?? [:]
        for (uid, event) in source where !cancelled.contains(uid) { events[.single(uid)] = event }
        for slot in slots.keys { events[.slot(slot)] = event(ofSlot: slot) }
        return events
    }

    private func uid(_ number: Int) -> String { memory.uids[number] ?? "\(number)" }

    private mutating func editSeries() {
        if isSeriesOver { return }
        guard var series else { return self.series = memory.importedSeries ?? Series() }
        switch random.below(7) {
        case 0: series.title = word()
        case 1: series.hour = 10 + random.below(12)
        case 2: series.count = 1 + random.below(5)
        case 3:
            let number = random.below(4)
            if series.excluded.remove(number) == nil { series.excluded.insert(number) }
        case 4: series.isSingle.toggle()
        case 5: return moveSeries()
        default: if hasMovedSeries == false, random.below(3) == 0 { return self.series = nil }
        }
        // Times of a series that moves and changes otherwise at once are known by their order only.
        if hasMovedSeries { series = self.series ?? series }
        self.series = series
    }

    private var hasMovedSeries: Bool { series.map { $0.day != (memory.importedSeries ?? $0).day } ?? false }

    /// Moves the series by a day, if all its items and times are known then.
    private mutating func moveSeries() {
        guard let series, series == memory.importedSeries else { return }
        func isOfSeries(_ key: Key) -> Bool { if case .series = key { true } else { false } }
        let known = Set(memory.states.keys.filter(isOfSeries))
        let events = Set(series.events.keys)
        guard known.isSubset(of: events), known.count > 1, !memory.pruned.keys.contains(where: isOfSeries),
            removed.keys.filter(isOfSeries).allSatisfy(events.contains)
        else { return }
        self.series?.day = series.day == 12 ? 13 : 12
        // What an undo of the last import brings back would be known by other dates.
        lastImport = nil
    }

    /// Whether dates identify the items of a series, or of events with one UID; if most dates have changed, the order does.
    private func isKnown(_ events: some Sequence<Key>, of isOfSeries: (Key) -> Bool) -> Bool {
        let events = Set(events)
        let known = Set((Array(memory.states.keys) + removed.keys).filter(isOfSeries))
        let same = events.intersection(known).count
        return events.count == same || known.count == same || 2 * same >= known.count
    }

    // MARK: The trip

    private mutating func editTrip() throws {
        guard let key = memory.states.keys.sorted().randomElement(using: &random),
            var state = memory.states[key]
        else { return }
        lastImport = nil
        let edit: Edit
        switch random.below(5) {
        case 0:
            state.mine.title = word()
            edit = .update(state.id, [.title(state.mine.title)])
        case 1:
            state.mine.note = random.below(3) == 0 ? nil : word()
            edit = .update(state.id, [.note(state.mine.note)])
        case 2 where state.isGame:
            state.isUnattended.toggle()
            edit = .update(state.id, [.attending(!state.isUnattended)])
        case 2:
            state.mine.hour = random.below(3) == 0 ? nil : 10 + random.below(12)
            edit = .update(state.id, [.time(state.mine.hour.flatMap { ClockTime(minute: $0 * 60) })])
        default:
            state.mine.day = 10 + random.below(19)
            if state.isGame {
                let hour = try #require(state.mine.hour)
                let start = try #require(OffsetDateTime("2026-06-\(state.mine.day)T\(hour):00:00Z"))
                edit = .update(state.id, [.startsAt(start)])
            } else {
                edit = .move(state.id, to: .end(day: state.mine.day))
            }
        }
        _ = try trip.apply([edit], by: Self.author)
        memory.states[key] = state
    }

    private mutating func removeItem() throws {
        guard let (key, state) = memory.states.sorted(by: { $0.key < $1.key }).randomElement(using: &random)
        else { return }
        lastImport = nil
        let item = try #require(trip[state.id])
        // Clients get removed items without the values of the last import.
        var content = item.content
        if case .source(var source)? = content[.source] {
            source.said = nil
            content.assign([.source(source)])
        }
        _ = try trip.apply([.remove(state.id)], by: Self.author)
        memory.states[key] = nil
        removed[key] = Item(
            id: item.id, position: item.position, content: content, version: item.version,
            modifiedAt: item.modifiedAt, modifiedBy: item.modifiedBy)
    }

    private mutating func undoLast(_ tally: inout Tally) throws {
        guard let (commit, memory) = lastImport else { return }
        _ = try trip.apply(reversing: commit, by: Self.author)
        self.memory = memory
        lastImport = nil
        // As in `editSeries`: the source now differs from the trip by more than the move.
        if hasMovedSeries { series = memory.importedSeries }
        tally.add(.undone)
    }

    // MARK: Imports

    private mutating func runImport(_ place: String, _ tally: inout Tally) throws {
        var options = ImportOptions(source: "league")
        options.isSourceNamed = true
        options.takesSource = random.below(5) == 0
        options.pruning = [.none, .none, .some, .some, .all][random.below(5)]
        options.prunedContents = Dictionary(
            memory.pruned.values.map { ($0.state.id, $0.content) }, uniquingKeysWith: { $1 })
        if let series, !hasMovedSeries,
            !isKnown(series.events.keys, of: { if case .series = $0 { true } else { false } })
        {
            self.series = nil
        }
        if !isKnown(slots.keys.map(Key.slot), of: { if case .slot = $0 { true } else { false } }) {
            slots = [:]
        }
        avoidRenewal()
        let isCancellation = random.below(12) == 0
        let before = memory
        let isRenewed = !isCancellation && random.below(4) == 0 && renewIDs()
        if isRenewed {
            options.pruning = .none
            tally.add(.renewed)
        }
        options.removedItems = RemovedItems(
            Set(removed.values.map(\.id) + forgotten.map(\.id)), removed.values + forgotten)
        let file = try self.file(isCancellation: isCancellation)
        let events = isCancellation ? [:] : self.events
        let cancelled = Set(
            (isCancellation ? Set(source.keys) : cancelled.intersection(source.keys)).map(Key.single))
        let gone = memory.states.filter {
            isCancellation ? cancelled.contains($0.key) : events[$0.key] == nil
        }
        let keptGone = gone.filter { $0.value.hasWords && options.pruning == .some }
        let pruned = options.pruning == .none ? [:] : gone.filter { keptGone[$0.key] == nil }
        let total = memory.states.count - keptGone.count
        var refusal: ImportPlan.Refusal?
        if options.pruning == .some {
            if !gone.isEmpty, gone.count == memory.states.count, !events.isEmpty {
                refusal = .sharesNothing(gone.count, source: "league")
            } else if !pruned.isEmpty,
                pruned.count == total || pruned.count > 3 && pruned.count * 3 > total
            {
                refusal = .prunesTooMany(pruned.count, of: total, source: "league")
            }
        }
        if let refusal {
            tally.add(.refused)
            #expect(throws: refusal, "\(place)") {
                try ImportPlan(importing: file, into: trip, options, using: &random)
            }
            return
        }
        let plan = try ImportPlan(importing: file, into: trip, options, using: &random)
        for (key, state) in pruned {
            let content = try #require(trip[state.id]?.content)
            memory.pruned[key] = (state, content)
            memory.states[key] = nil
        }
        let commit = plan.edits.isEmpty ? nil : try trip.apply(plan.edits, by: Self.author)
        lastImport = commit.map { ($0, before) }
        var (imported, updated, unchanged, kept) = (0, 0, 0, 0)
        for (key, event) in events {
            if removed[key] != nil {
                tally.add(.stayedAway)
                continue
            }
            guard var state = memory.states[key] else {
                memory.states[key] = try newState(key, event, place)
                if memory.pruned.removeValue(forKey: key) != nil { tally.add(.cameBack) }
                imported += 1
                continue
            }
            let old = state
            kept += merge(event, into: &state, takesSource: options.takesSource)
            if state.isGame != old.isGame {
                state.id = try #require(item(key, event)?.id, "\(place): \(key) is lost")
                tally.add(.otherKind)
            }
            state.isCancelled = false
            let isSame =
                state.mine == old.mine && state.isGame == old.isGame && state.isCancelled == old.isCancelled
            if isSame { unchanged += 1 } else { updated += 1 }
            memory.states[key] = state
        }
        for key in cancelled where memory.states[key]?.isGame == true {
            if memory.states[key]?.isCancelled == false { updated += 1 }
            memory.states[key]?.isCancelled = true
            tally.add(.cancelled)
        }
        if isRenewed { forgetRemoved() }
        if pruned.keys.contains(where: { if case .series = $0 { true } else { false } }) { endMovedSeries() }
        if !isCancellation { memory.importedSeries = series ?? memory.importedSeries }
        let report = plan.report
        let vanished = options.pruning == .none ? gone.count : keptGone.count
        #expect(
            [report.imported, report.updated, report.unchanged, report.kept.count, report.removed]
                + [report.vanished.count]
                == [imported, updated, unchanged, kept, pruned.count, vanished], "\(place): \(report.lines)")
        for (outcome, count) in [
            (.imported, imported), (.updated, updated), (.unchanged, unchanged), (.kept, kept),
            (.removed, pruned.count), (.vanished, vanished),
        ] as [(Tally.Outcome, Int)] { tally.add(outcome, count) }
    }

    /// A calendar file with all events, or one with METHOD:CANCEL that cancels the single events.
    private mutating func file(isCancellation: Bool) throws -> ScheduleFile {
        var uids = source.keys.sorted()
        if random.below(2) == 0 { uids.reverse() }
        var lines = uids.flatMap { number in
            let status = cancelled.contains(number) ? ["STATUS:CANCELLED"] : []
            return source[number]?.lines(uid(number), status) ?? []
        }
        if isCancellation {
            lines.insert("METHOD:CANCEL", at: 0)
        } else {
            lines += series?.lines ?? []
            lines += slots.keys.sorted().flatMap { event(ofSlot: $0).lines("r") }
        }
        let text = (["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR"]).joined(separator: "\n")
        return try ScheduleFile(Array(text.utf8), .ics)
    }

    /// Ends a series that was moved after a user had removed an instance, once its items are pruned: only those items show
    /// that it was moved, so the removed instance would be imported again.
    private mutating func endMovedSeries() {
        let isMoved = removed.contains { key, item in
            guard case .series(let number) = key else { return false }
            let day = 20_260_600 + (memory.importedSeries?.day ?? 0) + 3 * number
            return item.content.source.map { $0.id != "s" && !$0.id.hasPrefix("s/\(day)") } ?? true
        }
        guard isMoved else { return }
        (series, isSeriesOver) = (nil, true)
    }

    /// What an event says that identifies it if its id is new.
    private struct Mark: Hashable {
        let title: String
        let day: Int

        init(_ event: Event) { (title, day) = (event.title, event.day) }
        init(_ item: Item) { (title, day) = (item.content.title, item.position.day) }
    }

    /// A new event that agrees with a vanished or a removed one would be the same event with a new id, so it gets another
    /// title.
    private mutating func avoidRenewal() {
        let events = self.events
        var gone = Set(memory.states.filter { events[$0.key] == nil }.map { Mark($0.value.said) })
        gone.formUnion(
            removed.filter { events[$0.key] == nil }.map { Mark($0.value) } + forgotten.map(Mark.init))
        for (key, event) in events.sorted(by: { $0.key < $1.key })
        where memory.states[key] == nil && removed[key] == nil && gone.contains(Mark(event)) {
            words += 1
            switch key {
            case .single(let number): source[number]?.title = "other \(words)"
            case .series: series?.title = "other \(words)"
            case .slot(let slot): slots[slot] = "other \(words)"
            }
        }
    }

    /// Gives all single events new ids, if they are as they were at the last import, and if titles and days identify them.
    private mutating func renewIDs() -> Bool {
        let events = self.events
        guard !source.isEmpty, cancelled.isDisjoint(with: source.keys),
            source.allSatisfy({ number, event in
                let known = memory.states[.single(number)]?.said == event
                return known || removed[.single(number)].map { isUnchanged($0, event) } ?? false
            })
        else { return false }
        let others = events.keys.filter { memory.states[$0] == nil && removed[$0] == nil }
        var marks = events.filter { memory.states[$0.key] == nil && removed[$0.key] == nil }.map {
            Mark($0.value)
        }
        marks +=
            memory.states.map { Mark($0.value.said) } + removed.values.map(Mark.init)
            + forgotten.map(Mark.init)
        guard Set(marks).count == marks.count, others.count <= source.count else { return false }
        for number in source.keys {
            words += 1
            memory.uids[number] = "new \(words)"
        }
        return true
    }

    private func isUnchanged(_ item: Item, _ event: Event) -> Bool {
        let hour = item.isGame ? (Int(item.position.sortOrder) - 100) / 60 : nil
        return Mark(item) == Mark(event) && hour == event.hour
    }

    /// Deletes events with new UIDs whose items a user has removed. Only title and date identify them now, so any change of
    /// such an event would import it again.
    private mutating func forgetRemoved() {
        for number in source.keys {
            guard let item = removed.removeValue(forKey: .single(number)) else { continue }
            forgotten.append(item)
            source[number] = nil
            lastImport = nil
        }
    }

    /// What a new item of an event must be: what a person had written into it before it was pruned comes back.
    private func newState(_ key: Key, _ event: Event, _ place: String) throws -> State {
        let id = try #require(item(key, event)?.id, "\(place): \(key) is lost")
        var state = State(id: id, said: event, mine: event, isGame: event.hour != nil)
        guard let (old, _) = memory.pruned[key] else { return state }
        if old.mine.title != old.said.title { state.mine.title = old.mine.title }
        if let note = old.mine.note, note != old.said.note { state.mine.note = note }
        if old.isGame, state.isGame {
            state.isUnattended = old.isUnattended
            if (old.mine.day, old.mine.hour) != (old.said.day, old.said.hour) {
                (state.mine.day, state.mine.hour) = (old.mine.day, old.mine.hour)
            }
        } else if !old.isGame, !state.isGame, let hour = old.mine.hour {
            state.mine.hour = hour
        }
        return state
    }

    /// - Returns: the number of kept values of a user.
    private func merge(_ event: Event, into state: inout State, takesSource: Bool) -> Int {
        var kept = 0
        func merge<Value: Equatable>(_ new: Value, _ said: Value, _ mine: inout Value, _ isKept: inout Bool) {
            if new == mine {
                isKept = false
            } else if new == said ? takesSource && isKept : takesSource || mine == said {
                mine = new
                isKept = false
            } else if new != said {
                isKept = true
                kept += 1
            }
        }
        merge(event.title, state.said.title, &state.mine.title, &state.kept.title)
        merge(event.note, state.said.note, &state.mine.note, &state.kept.note)
        let isGame = event.hour != nil
        switch (state.isGame, isGame) {
        case (true, true):
            var mine = [state.mine.day, state.mine.hour ?? 0]
            merge(
                [event.day, event.hour ?? 0], [state.said.day, state.said.hour ?? 0], &mine,
                &state.kept.start)
            (state.mine.day, state.mine.hour) = (mine[0], mine[1])
        case (false, false): merge(event.day, state.said.day, &state.mine.day, &state.kept.start)
        case (false, true):
            let isMoved = state.mine.day != state.said.day
            if takesSource || !isMoved { state.mine.day = event.day }
            state.mine.hour = takesSource ? event.hour : state.mine.hour ?? event.hour
            state.kept.start = (state.mine.day, state.mine.hour) != (event.day, event.hour)
            if state.kept.start { kept += 1 }
        case (true, false):
            if takesSource || (state.mine.day, state.mine.hour) == (state.said.day, state.said.hour) {
                (state.mine.day, state.mine.hour, state.kept.start) = (event.day, nil, false)
            } else {
                state.kept.start = state.mine.day != event.day
                kept += 1
            }
        }
        state.isGame = isGame
        state.said = event
        return kept
    }

    // MARK: Checks

    /// The item that an import has just made of an event.
    private func item(_ key: Key, _ event: Event) -> Item? {
        let stamp = "\(20_260_600 + event.day)T\(event.hour ?? 0)0000Z"
        let id =
            switch key {
            case .single(let number): uid(number)
            case .slot: "r/\(stamp)"
            case .series: series?.isSingle == true ? "s" : "s/\(stamp)"
            }
        return trip.items.first {
            if case .source(let source)? = $0.content[.source] { source.id == id } else { false }
        }
    }

    private func check(_ place: String) {
        #expect(trip.itemCount == memory.states.count, "\(place)")
        for (key, state) in memory.states {
            guard let item = trip[state.id] else {
                Issue.record("\(place): \(key) is lost")
                continue
            }
            var note: String?
            if case .text(let text)? = item.content[.note] { note = text }
            var hour = item.isGame ? (Int(item.position.sortOrder) - 100) / 60 : nil
            if !item.isGame, case .time(let time)? = item.content[.time] { hour = time.minute / 60 }
            let event = Event(title: item.content.title, note: note, day: item.position.day, hour: hour)
            #expect(event == state.mine && item.isGame == state.isGame, "\(place): \(key)")
            if item.isGame {
                #expect((item.content[.attending] == .flag(false)) == state.isUnattended, "\(place): \(key)")
                #expect((item.content[.cancelled] == .flag(true)) == state.isCancelled, "\(place): \(key)")
            }
        }
    }
}
