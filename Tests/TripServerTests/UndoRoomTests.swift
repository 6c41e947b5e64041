import TestSupport
import Testing
import TripModel
import TripProtocol

@testable import TripServer

/// The limits of the log of edits: undoing uses no space, a failed change drops no entry, and the last author
/// of an item stays known as long as a request could need it.
@Suite struct UndoRoomTests {
    private static func client(_ number: Int) -> ClientID { ClientID(high: 3, low: UInt64(number)) }

    private static func item(_ number: Int, note: String? = nil) -> Item {
        Item(
            id: ItemID(high: 0, low: UInt64(number)), position: Position(day: 1, sortOrder: Double(number)),
            content: .custom(CustomItem(title: "i", note: note)), version: 1,
            modifiedAt: Timestamp(milliseconds: 0), modifiedBy: "u")
    }

    private static func commit(_ version: Int, _ changes: [(before: Item?, after: Item?)]) -> Commit {
        Commit(
            version: version,
            changes: changes.map { before, after in
                ItemChange(
                    id: (before ?? after ?? item(0)).id, before: before, after: after, isEdit: true,
                    isMove: false, neighboursBefore: nil)
            })
    }

    private static func record(
        _ commit: Commit, _ kind: EditLog.Kind = .edit, undoes: Int? = nil, by editor: ClientID,
        in log: inout EditLog
    ) {
        log.record(
            commit, kind, undoes: undoes, editor: editor, user: "u", at: Timestamp(milliseconds: 0))
    }

    @Test func `restored items are remembered, however many were removed`() throws {
        var log = EditLog()
        let (ann, bob) = (Self.client(1), Self.client(2))
        let own = Self.item(100_000)
        Self.record(Self.commit(2, [(own, Self.item(100_000, note: "x"))]), by: bob, in: &log)
        let items = (1...4_000).map { Self.item($0) }
        var version = 2
        for _ in 0..<(EditLog.maximumRemoved + 3 * EditLog.removedBlock) / items.count {
            version += 1
            Self.record(Self.commit(version, items.map { ($0, nil) }), by: ann, in: &log)
            let entry = try #require(log.next(.undo, of: ann))
            #expect(!log.isChangedByOthers(entry, than: ann))
            version += 1
            Self.record(
                Self.commit(version, items.map { (nil, $0) }), .undo, undoes: version - 1, by: ann, in: &log)
            log.becameDurable(upTo: version)
        }
        #expect(!log.isChangedByOthers(try #require(log.next(.undo, of: bob)), than: bob))
        #expect(log.removals.count < EditLog.maximumRemoved + EditLog.removedBlock)
    }

    @Test func `items that stay removed are forgotten, oldest first`() {
        var log = EditLog()
        let count = EditLog.maximumRemoved + EditLog.removedBlock
        for first in stride(from: 1, through: count, by: 1_000) {
            let changes = (first..<min(first + 1_000, count + 1)).map { number in
                (before: Optional(Self.item(number)), after: Item?.none)
            }
            let commit = Self.commit(1 + first, changes)
            Self.record(commit, by: Self.client(1), in: &log)
            log.becameDurable(upTo: commit.version)
        }
        #expect(log.lastEdits.count == EditLog.maximumRemoved)
        #expect(log.lastEdits[ItemID(high: 0, low: 1)] == nil)
        #expect(log.lastEdits[ItemID(high: 0, low: UInt64(count))] != nil)
    }

    @Test func `an undo evicts no undoable change of any user`() throws {
        var bench = try UndoBench()
        let note = String(repeating: "n", count: 15_000)
        for batch in 0..<3 {
            let edits = (1...80).map { number in
                Edit.add(
                    ItemID(high: UInt64(batch), low: UInt64(number)),
                    .custom(CustomItem(title: "i", note: note)), to: nil)
            }
            #expect(bench.change(edits, by: batch == 0 ? UndoBench.bob : UndoBench.ann).isDone)
        }
        for _ in 0..<2 { #expect(bench.undo().isDone) }
        #expect(bench.undo(by: UndoBench.bob).isDone)
        #expect(bench.trip.itemCount == 0)
        for _ in 0..<2 { #expect(bench.redo().isDone) }
        #expect(bench.trip.itemCount == 160)
        try bench.restart()
        for _ in 0..<2 { #expect(bench.undo().isDone) }
        for _ in 0..<2 { #expect(bench.redo().isDone) }
    }

    /// The whole content of a log as text.
    private struct Contents: Equatable {
        let stacks: [ClientID: [Int]]
        let sizes: [ClientID: Int]
        let lines: [Int]
        let lineBytes: Int
        let lastEdits: [ItemID: EditLog.LastEdit]
        let removals: [Int]

        init(_ log: EditLog) {
            stacks = log.stacks.mapValues { stack in
                stack.undo.entries.map(\.commit.version) + [-1]
                    + stack.redo.entries.map(\.commit.version) + [-1, stack.lastVersion]
            }
            sizes = log.stacks.mapValues(\.size)
            lines = log.lines.map(\.version)
            lineBytes = log.lineBytes
            lastEdits = log.lastEdits
            removals = log.removals.map(\.version)
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a failed change evicts nothing: no line, no entry, no editor`(_ seed: UInt64) {
        var log = EditLog()
        var generator = SplitMix64(seed: seed)
        // Notes of which some hundred fill a stack, and a dozen the history.
        let note = String(repeating: "n", count: 600_000)
        var version = 1
        var (settled, durable) = (Contents(log), 1)
        var dropped = 0
        for _ in 0..<1_500 {
            let editor = Self.client(Int.random(in: 1...70, using: &generator))
            let number = Int.random(in: 1...50, using: &generator)
            version += 1
            let (before, after) = (Self.item(number), Self.item(number, note: note))
            let last = log.next(.undo, of: editor)
            if let last, Int.random(in: 0..<3, using: &generator) == 0 {
                let commit = Self.commit(version, last.commit.changes.map { ($0.after, $0.before) })
                Self.record(commit, .undo, undoes: last.commit.version, by: editor, in: &log)
            } else {
                let isRemoval = Bool.random(using: &generator)
                Self.record(
                    Self.commit(version, [(before, isRemoval ? nil : after)]), by: editor, in: &log)
            }
            if log.lines.count < settled.lines.count { dropped += 1 }
            switch Int.random(in: 0..<6, using: &generator) {
            case 0, 1:
                log.becameDurable(upTo: version)
                (settled, durable) = (Contents(log), version)
            case 2:
                log.rollBack()
                #expect(Contents(log) == settled)
                version = durable
            default: break
            }
        }
        #expect(dropped > 0, "lines had to go for changes in flight")
    }
}
