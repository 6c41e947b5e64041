import TestSupport
import Testing
import TripModel
import TripProtocol

@testable import TripServer

/// The limits of the log of edits: undoing uses no space, and the last author of an item stays known as long as a
/// request could need it.
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
        log.record(commit, kind, undoes: undoes, by: editor)
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
            let entry = try #require(log.stacks[ann]?.next(.undo))
            #expect(!log.isChangedByOthers(entry, than: ann))
            version += 1
            Self.record(
                Self.commit(version, items.map { (nil, $0) }), .undo, undoes: version - 1, by: ann, in: &log)
        }
        #expect(!log.isChangedByOthers(try #require(log.stacks[bob]?.next(.undo)), than: bob))
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
}
