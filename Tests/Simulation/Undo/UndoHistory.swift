import TestSupport
import TripModel
import TripProtocol
import TripServer

/// A random history of changes, undos and redos, checked against their promises.
///
/// In half of the seeds one user undoes and redoes everything; in the others three users do so between one
/// another's changes. Bursts of additions make the daemon re-space a day, and the daemon is restarted now and
/// then.
package struct UndoHistory {
    /// Counters of a run.
    package struct Figures: Sendable {
        package var seeds = 0
        package var changes = 0
        package var undos = 0
        package var redos = 0
        package var conflicts = 0
        package var restarts = 0
        package var compactions = 0
        /// The sum of the hashes of all runs: equal runs have equal sums.
        package var hash: UInt64 = 0

        package init() {}

        package static func += (sum: inout Figures, other: Figures) {
            sum.seeds += other.seeds
            sum.changes += other.changes
            sum.undos += other.undos
            sum.redos += other.redos
            sum.conflicts += other.conflicts
            sum.restarts += other.restarts
            sum.compactions += other.compactions
            sum.hash &+= other.hash
        }
    }

    /// The part of a trip that an undo of the newest change restores exactly: the header, and the items with their places.
    private struct View: Equatable {
        struct Line: Equatable {
            let id: ItemID
            let position: Position
            let content: ItemContent
        }

        let header: TripHeader
        let lines: [Line]

        init(_ trip: Trip) {
            header = trip.header
            lines = trip.items.map { Line(id: $0.id, position: $0.position, content: $0.content) }
        }
    }

    private let seed: UInt64
    private var edits: UndoEdits
    private var random: SplitMix64
    private var detached: DetachedTrip
    private var stacks: [Int: UndoStacks] = [:]
    /// The number of the change that placed or removed each item last.
    private var placed: [ItemID: Int] = [:]
    private var parts = PartEdits()
    private var number = 0
    private var figures = Figures()
    private var isTraced = false

    /// Runs the history of a seed.
    ///
    /// - Returns: the broken promise, if any.
    package static func run(
        seed: UInt64, isTraced: Bool = false
    ) -> (figures: Figures, failure: String?) {
        var history: UndoHistory
        do { history = try UndoHistory(seed: seed) } catch { return (Figures(), "seed \(seed): \(error)") }
        history.figures.seeds = 1
        history.isTraced = isTraced
        var failure: String?
        do {
            if seed.isMultiple(of: 2) { try history.runAlone() } else { try history.runTogether() }
        } catch let violation as Violation {
            failure = "seed \(seed): \(violation.invariant)\n  \(violation.facts)"
        } catch {
            failure = "seed \(seed): \(error)"
        }
        var trace = Trace(isKept: false)
        for item in history.detached.trip.items { trace.note(item.encoded()) }
        history.figures.hash = trace.hash
        return (history.figures, failure)
    }

    private init(seed: UInt64) throws {
        self.seed = seed
        random = SplitMix64(seed: seed)
        edits = UndoEdits(seed: seed &+ 0x9E37, isAlone: seed.isMultiple(of: 2))
        detached = DetachedTrip(try edits.trip())
    }

    // MARK: One person

    private mutating func runAlone() throws {
        var views = [View(detached.trip)]
        for _ in 0..<3 + random.below(10) {
            for change in edits.next(for: detached.trip) {
                guard change.isEmpty == false, try apply(change, by: 1) else { continue }
                views.append(View(detached.trip))
            }
        }
        if random.chance(30) { detached = try restarted() }
        var twin = try restarted()
        for view in views.dropLast().reversed() {
            try expectDone(detached.undo(by: 1), "an undo by the only person is accepted")
            try expectDone(twin.undo(by: 1), "an undo after a restart is accepted")
            figures.undos += 1
            trace("1: undo")
            try expectEqual(View(detached.trip), view, "each undo gives the state before its change")
            try expectAlike(twin)
        }
        let nothing = DetachedTrip.Outcome.refused("nothing_to_undo")
        guard detached.undo(by: 1) == nothing, twin.undo(by: 1) == nothing else {
            throw Violation("there is one undo for each change")
        }
        if random.chance(30) { twin = try restarted() }
        for view in views.dropFirst() {
            try expectDone(detached.redo(by: 1), "a redo by the only person is accepted")
            try expectDone(twin.redo(by: 1), "a redo after a restart is accepted")
            figures.redos += 1
            trace("1: redo")
            try expectEqual(View(detached.trip), view, "each redo gives the state after its change")
            try expectAlike(twin)
        }
    }

    private func expectAlike(_ twin: DetachedTrip) throws {
        guard twin.trip == detached.trip, twin.trip.shownIDs == detached.trip.shownIDs else {
            throw Violation("undo and redo give the same trip after a restart", difference(twin.trip))
        }
    }

    // MARK: Three people

    private mutating func runTogether() throws {
        for _ in 0..<15 + random.below(25) {
            let person = 1 + random.below(3)
            switch random.below(10) {
            case 0..<2: try undoOrRedo(by: person, isUndo: true)
            case 2: try undoOrRedo(by: person, isUndo: false)
            case 3 where random.chance(30):
                detached = try restarted()
                for person in 1...3 { stacks[person]?.restart() }
            default:
                for change in edits.next(for: detached.trip) where try apply(change, by: person) {
                    if random.chance(15) { try undoOrRedo(by: person, isUndo: true, isImmediate: true) }
                }
            }
        }
    }

    /// Undoes or redoes the user's next change, if there is one.
    private mutating func undoOrRedo(by person: Int, isUndo: Bool, isImmediate: Bool = false) throws {
        guard let step = stacks[person]?.next(isUndo: isUndo) else { return }
        let before = detached.trip
        let outcome = isUndo ? detached.undo(by: person) : detached.redo(by: person)
        if !isImmediate { try checkVerdict(outcome, of: step, by: person, in: before) }
        if outcome == .refused("undo_conflict"), !isImmediate {
            figures.conflicts += 1
            stacks[person]?.giveUp(isUndo: isUndo)
            return
        }
        let word = isUndo ? "undo" : "redo"
        trace("\(person): \(word) \(outcome)")
        try expectDone(outcome, "an \(word) is accepted unless another user has changed the same item")
        number += 1
        let reverse = UndoStep(
            of: step.edited, changesTrip: step.changesTrip, in: before, number: number,
            parts: note(before, placed: step.edited, outcome, by: person))
        stacks[person]?.undoOrRedo(isUndo: isUndo, reverse)
        note(reverse)
        if isUndo { figures.undos += 1 } else { figures.redos += 1 }
        let isExact = step.before.map { View($0) == View(detached.trip) } ?? false
        if !isExact { try checkOrders(since: before) }
        if let facts = step.misplaced(in: detached.trip, placed) {
            throw Violation("an \(word) puts an item between the neighbours that it had", facts)
        }
        guard let view = step.before else { return }
        if isImmediate {
            try expectEqual(
                View(detached.trip), View(view), "an undo at once gives the state before the change")
        }
        guard isUndo, isImmediate || random.chance(40) else { return }
        try undoOrRedo(by: person, isUndo: false)
        try expectEqual(View(detached.trip), View(before), "a redo at once gives the state before the undo")
    }

    // MARK: Steps

    /// Applies a change, and records what its undo must restore.
    ///
    /// - Returns: whether it changed anything.
    private mutating func apply(_ edits: [Edit], by person: Int) throws -> Bool {
        let before = detached.trip
        let outcome = detached.change(edits, by: person)
        guard case .done = outcome else { return false }
        trace("\(person): \(edits)")
        figures.changes += 1
        number += 1
        let after = detached.trip
        let edited = edits.compactMap(\.placedItem).filter { before[$0]?.position != after[$0]?.position }
        let step = UndoStep(
            of: Set(edited), changesTrip: edits.contains { $0.item == nil },
            in: before, number: number,
            parts: note(
                before, placed: Set(edits.compactMap(\.placedItem)), outcome,
                removesDays: edits.contains(where: \.removesDays), by: person))
        stacks[person, default: UndoStacks()].push(step)
        note(step)
        return true
    }

    /// Records which parts the newest change has changed.
    private mutating func note(
        _ before: Trip, placed: Set<ItemID>, _ outcome: DetachedTrip.Outcome, removesDays: Bool = false,
        by person: Int
    ) -> PartEdits.Parts? {
        let after = detached.trip
        // If days were removed, even if they were added again in the same change, any item may have moved.
        let isSameLength = before.header.dayCount == after.header.dayCount && !removesDays
        let items = isSameLength ? placed : Set(after.shownIDs)
        return parts.note(
            before, after, placed: items, respaces: outcome == .done(respaces: true), number: number,
            person: person)
    }

    private func trace(_ what: String) {
        guard isTraced else { return }
        print(
            "\(what)\n    \(detached.trip.items.map { "\($0.id) \($0.position.day) \($0.position.sortOrder)" })"
        )
    }

    private mutating func note(_ step: UndoStep) {
        for id in step.changesTrip ? Set(detached.trip.shownIDs) : step.edited { placed[id] = number }
    }

    private mutating func restarted() throws -> DetachedTrip {
        figures.restarts += 1
        let isCompacted = random.chance(60)
        if isCompacted { figures.compactions += 1 }
        let share = random.below(101)
        let trip = try detached.restarted(
            compacting: isCompacted ? { max(1, $0 * share / 100) } : nil)
        guard trip.trip == detached.trip, trip.trip.shownIDs == detached.trip.shownIDs else {
            throw Violation("a restart gives the same trip", difference(trip.trip))
        }
        return trip
    }

    // MARK: Checks

    /// An undo of fields is refused if and only if one of them was changed by somebody else or its item is gone, and
    /// changes nothing else; an undo of moves is refused only if somebody else has placed one of the items.
    private func checkVerdict(
        _ outcome: DetachedTrip.Outcome, of step: UndoStep, by person: Int, in before: Trip
    ) throws {
        guard let restored = step.parts else { return }
        let isTaken = parts.areTaken(restored, since: step.number, from: person, in: before)
        let isRefused = outcome == .refused("undo_conflict")
        if isRefused, !isTaken {
            throw Violation(
                "an undo is refused only if somebody else has changed the same part", "\(restored)")
        }
        guard case .fields(let former) = restored else { return }
        if isTaken, !isRefused {
            throw Violation("no undo takes back what somebody else has written", "\(former)")
        }
        for item in isRefused ? [] : before.items {
            let expected = item.content.with(former[item.id]?.former ?? [])
            guard detached.trip[item.id]?.content == expected else {
                throw Violation("an undo restores its fields and no others", "\(item.id), \(expected)")
            }
        }
    }

    private func expectDone(_ outcome: DetachedTrip.Outcome, _ promise: String) throws {
        guard case .done = outcome else { throw Violation(promise, "\(outcome)") }
    }

    private func expectEqual(_ view: View, _ expected: View, _ promise: String) throws {
        guard view == expected else {
            throw Violation(
                promise,
                "\(view.lines.map { "\($0.id) \($0.position)" })\n  \(expected.lines.map { "\($0.id) \($0.position)" })"
            )
        }
    }

    private func difference(_ other: Trip) -> String {
        func text(_ trip: Trip) -> String { "\(trip.items.map { "\($0.id) \($0.position)" })" }
        return "\(text(other))\n  \(text(detached.trip))"
    }

    /// A movable item that an undo or redo has placed must not have the order of another item, except that of a game
    /// directly above it.
    private func checkOrders(since before: Trip) throws {
        var counts: [Position: Int] = [:]
        let items = detached.trip.items
        var above: Item?
        for item in items {
            defer { above = item }
            // The item was level with it before.
            if let above, above.isGame, !item.isGame, above.position == item.position { continue }
            counts[item.position, default: 0] += 1
        }
        for item in items where !item.isGame && before[item.id]?.position != item.position {
            if counts[item.position] != 1 {
                throw Violation("no two items get the same order", "\(item.id) at \(item.position)")
            }
        }
    }
}

extension Edit {
    /// Whether it may remove days of the trip.
    fileprivate var removesDays: Bool {
        if case .trip(let change) = self { change.dayCount != nil } else { false }
    }

    /// The item that the edit places or removes.
    fileprivate var placedItem: ItemID? {
        if case .update(_, let fields) = self, !fields.contains(where: { $0.field == .startsAt }) {
            return nil
        }
        return item
    }
}
