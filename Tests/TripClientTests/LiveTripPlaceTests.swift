import Testing
import TripModel

@testable import TripClient
@testable import TripProtocol

/// A place is where it was meant, though a neighbour goes meanwhile.
@Suite struct LiveTripPlaceTests {
    /// A, B, C and D on day 1, in this order.
    private static func bench() throws -> CoreBench {
        var bench = try CoreBench(items: 0)
        for (index, title) in ["A", "B", "C", "D"].enumerated() {
            _ = try bench.make([
                .add(ItemID(high: 1, low: UInt64(index)), .custom(CustomItem(title: title)), to: .end(day: 1))
            ])
        }
        try bench.begin()
        return bench
    }

    @Test(
        "M3: a daemon of 1.0 is asked by the neighbour above, then by the one below, under another number",
        arguments: [ErrorReason.itemNotFound, .anchorMoved])
    func otherNeighbour(reason: ErrorReason) throws {
        var bench = try Self.bench()
        let ids = bench.items
        let intent = try bench.want(.edit([.move(ids[3], to: .after(ids[0], day: 1))]))
        let first = try bench.next("item.move")
        #expect(first.params["to"]?["after"]?.string == "\(ids[0])")
        #expect(first.params["to"]?["before"] == nil, "it takes only one")
        try bench.tell([.remove(ids[0])])
        try bench.refuse(first, reason)
        let second = try bench.next("item.move")
        #expect(second.params["to"]?["before"]?.string == "\(ids[1])")
        #expect(second.seq == 2)
        #expect(bench.shown?.trip.shownIDs == [ids[3], ids[1], ids[2]])
        _ = try bench.make([.move(ids[3], to: .before(ids[1], day: 1))], by: "Ann")
        try bench.accept(second)
        #expect(bench.settled[intent]?.count == 1)
    }

    @Test("M3: a drop beside something that was removed lands where it was meant")
    func drop() throws {
        var bench = try Self.bench()
        let ids = bench.items
        try bench.want(.beginDrag(ids[3]))
        try bench.grant()
        try bench.tell([.remove(ids[0])])
        let intent = try bench.want(.drop(.after(ids[0], day: 1)))
        #expect(
            bench.shown?.trip.shownIDs == [ids[3], ids[1], ids[2]], "between the neighbours that were shown")
        try bench.refuse(bench.next("drag.drop"), .itemNotFound)
        let move = try bench.next("item.move")
        #expect(move.params["to"]?["before"]?.string == "\(ids[1])")
        _ = try bench.make([.move(ids[3], to: .before(ids[1], day: 1))], by: "Ann")
        try bench.accept(move)
        #expect(bench.version(of: intent) != nil)
    }

    @Test("M3: above the first of a day is its start, and a refusal by both neighbours is told")
    func ends() throws {
        var bench = try Self.bench()
        let ids = bench.items
        try bench.want(.edit([.move(ids[3], to: .before(ids[0], day: 1))]))
        #expect(try bench.next("item.move").params["to"]?["at"]?.string == "start")
        let intent = try bench.want(.edit([.move(ids[3], to: .after(ids[0], day: 1))]))
        try bench.refuse(bench.next("item.move"), .itemNotFound)
        try bench.refuse(bench.next("item.move"), .itemNotFound)
        guard case .refused? = bench.failure(of: intent) else {
            Issue.record("it is told")
            return
        }
    }
}
