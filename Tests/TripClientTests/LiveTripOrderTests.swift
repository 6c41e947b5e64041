import Testing
import TripModel

@testable import TripClient
@testable import TripProtocol

/// A user's changes are applied in the user's order, also if one is sent again in another form.
@Suite struct LiveTripOrderTests {
    /// A and B on day 1, C on day 2.
    private static func bench(connected: Bool = true) throws -> (bench: CoreBench, ids: [ItemID]) {
        var bench = try CoreBench(items: 0)
        let ids = (0..<3).map { ItemID(high: 1, low: UInt64($0)) }
        for (index, title) in ["A", "B", "C"].enumerated() {
            _ = try bench.make([
                .add(ids[index], .custom(CustomItem(title: title)), to: .end(day: index == 2 ? 2 : 1))
            ])
        }
        try bench.begin()
        if !connected { try bench.lose() }
        return (bench, ids)
    }

    private static let new = ItemID(high: 2, low: 1)
    private static func add(below item: ItemID, day: Int = 1) -> LiveTripCore.Intent {
        .edit([.add(new, .custom(CustomItem(title: "New")), to: .after(item, day: day))])
    }

    private static let whatFollows: [[Edit]] = [
        [.update(new, [.note("code 4711")])], [.move(new, to: .end(day: 3))], [.remove(new)],
        [.add(ItemID(high: 2, low: 2), .custom(CustomItem(title: "Newer")), to: .after(new, day: 1))],
        [.move(ItemID(high: 1, low: 0), to: .before(new, day: 1))],
        [.add(ItemID(high: 2, low: 2), .custom(CustomItem(title: "Newer")), to: .end(day: 1))],
    ]

    @Test(arguments: whatFollows)
    func `a change of a new item waits until the item is added, also after a retry with a new place`(
        edits: [Edit]
    ) throws {
        var (bench, ids) = try Self.bench()
        let added = try bench.want(Self.add(below: ids[1]))
        let then = try bench.want(.edit(edits))
        let first = try bench.next("item.add")
        #expect(bench.asked.isEmpty)
        try bench.changeByAnother([.remove(ids[1])])
        try bench.refuse(first, .itemNotFound)
        let again = try bench.next("item.add")
        #expect(again.params["to"]?["at"]?.string == "end")
        #expect(bench.asked.isEmpty, "it still waits")
        _ = try bench.make([.add(Self.new, .custom(CustomItem(title: "New")), to: .end(day: 1))], by: "Ann")
        try bench.accept(again)
        let last = try #require(bench.asked.first)
        #expect(try #require(last.seq) > #require(again.seq))
        #expect(bench.version(of: added) != nil && bench.results[then] == nil)
        #expect(bench.core.recomputed() == bench.shown?.trip)
    }

    @Test func `the last of several moves of an item wins, also if the first is sent again`() throws {
        var (bench, ids) = try Self.bench(connected: false)
        for day in [2, 3, 4] {
            try bench.want(.edit([.move(ids[0], to: day == 2 ? .after(ids[2], day: 2) : .end(day: day))]))
        }
        let removal = try bench.make([.remove(ids[2])])
        try bench.reconnect()
        try bench.subscribe(with: removal)
        try bench.refuse(bench.next("item.move"), .itemNotFound)
        for day in [2, 3, 4] {
            let move = try bench.next("item.move")
            #expect(move.params["to"]?["day"]?.int == day)
            _ = try bench.make([.move(ids[0], to: .end(day: day))], by: "Ann")
            try bench.accept(move)
        }
        #expect(bench.daemon.trip[ids[0]]?.position.day == 4)
        #expect(bench.core.pendingCount == 0)
    }

    @Test func `a drop with a lost drag is applied before later moves`() throws {
        var (bench, ids) = try Self.bench()
        try bench.want(.beginDrag(ids[0]))
        try bench.grant()
        try bench.want(.drop(.after(ids[2], day: 2)))
        try bench.want(.edit([.move(ids[0], to: .end(day: 3))]))
        _ = try bench.next("drag.drop")
        #expect(bench.asked.isEmpty)
        try bench.lose()
        try bench.reconnect()
        try bench.subscribeUpToDate()
        try bench.refuse(bench.next("drag.drop"), .dragNotFound)
        let drop = try bench.next("item.move")
        #expect(drop.params["to"]?["day"]?.int == 2)
        #expect(bench.asked.isEmpty)
        _ = try bench.make([.move(ids[0], to: .end(day: 2))], by: "Ann")
        try bench.accept(drop)
        #expect(try bench.next("item.move").params["to"]?["day"]?.int == 3)
    }

    @Test func `a change of another item neither waits nor gets a new number`() throws {
        var (bench, ids) = try Self.bench()
        try bench.want(Self.add(below: ids[1]))
        try bench.want(.edit([.update(ids[2], [.title("C2")])]))
        let add = try bench.next("item.add")
        let update = try bench.next("item.update")
        #expect((add.seq, update.seq) == (1, 2))
        try bench.refuse(add, .itemNotFound)
        #expect(try bench.next("item.add").seq == 3)
    }

    @Test func `a drag of a new item is requested after the item is added`() throws {
        var (bench, ids) = try Self.bench()
        try bench.want(Self.add(below: ids[1]))
        try bench.want(.beginDrag(Self.new))
        let add = try bench.next("item.add")
        #expect(bench.asked.isEmpty)
        try bench.refuse(add, .itemNotFound)
        let again = try bench.next("item.add")
        _ = try bench.make([.add(Self.new, .custom(CustomItem(title: "New")), to: .end(day: 1))], by: "Ann")
        try bench.accept(again)
        _ = try bench.next("drag.begin")
    }

    @Test func `an undo behind a refused change fails and reverts nothing else`() throws {
        var (bench, ids) = try Self.bench()
        let changed = try bench.want(.edit([.update(ids[0], [.title("A2")])]))
        let undone = try bench.want(.undo)
        let update = try bench.next("item.update")
        #expect(bench.asked.isEmpty, "what becomes of it is to be known first")
        try bench.refuse(update, .itemHeld)
        #expect(bench.failure(of: changed) != nil && bench.failure(of: undone) != nil)
        #expect(bench.asked.isEmpty)
        // The next undo is for the change before.
        try bench.want(.undo)
        _ = try bench.next("trip.undo")
    }

    @Test func `the second of two undos behind a refused change reverts the change before`() throws {
        var (bench, ids) = try Self.bench()
        try bench.want(.edit([.update(ids[0], [.title("A2")])]))
        let first = try bench.want(.undo)
        let second = try bench.want(.undo)
        let redone = try bench.want(.redo)
        try bench.refuse(bench.next("item.update"), .itemHeld)
        #expect(bench.failure(of: first) != nil)
        #expect(bench.results[second] == nil)
        let undo = try bench.next("trip.undo")
        #expect(bench.asked.isEmpty, "the redo is for that undo")
        try bench.refuse(undo, .nothingToUndo)
        #expect(bench.failure(of: redone) != nil)
        #expect(bench.asked.isEmpty)
    }

    @Test func `an undo behind a change without effect fails`() throws {
        var (bench, ids) = try Self.bench()
        try bench.want(.edit([.update(ids[0], [.title("A")])]))
        let undone = try bench.want(.undo)
        try bench.accept(bench.next("item.update"), noop: true)
        #expect(bench.failure(of: undone) != nil)
        #expect(bench.asked.isEmpty)
    }

    @Test func `an undo follows its change after a lost connection`() throws {
        var (bench, ids) = try Self.bench(connected: false)
        try bench.want(Self.add(below: ids[1]))
        try bench.want(.undo)
        let removal = try bench.make([.remove(ids[1])])
        try bench.reconnect()
        try bench.subscribe(with: removal)
        try bench.refuse(bench.next("item.add"), .itemNotFound)
        let again = try bench.next("item.add")
        #expect(bench.asked.isEmpty)
        _ = try bench.make([.add(Self.new, .custom(CustomItem(title: "New")), to: .end(day: 1))], by: "Ann")
        try bench.accept(again)
        _ = try bench.next("trip.undo")
    }
}
