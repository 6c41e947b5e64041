import Testing
import TripModel

@testable import TripClient
@testable import TripProtocol

/// An item lands in the shown place, also if a neighbour is removed before the answer.
@Suite struct LiveTripPlaceTests {
    /// A, B, C and D on day 1, in this order.
    private static func bench(minor: Int = 0) throws -> CoreBench {
        var bench = try CoreBench(items: 0, minor: minor)
        for (index, title) in ["A", "B", "C", "D"].enumerated() {
            _ = try bench.make([
                .add(ItemID(high: 1, low: UInt64(index)), .custom(CustomItem(title: title)), to: .end(day: 1))
            ])
        }
        try bench.begin()
        return bench
    }

    @Test(arguments: [ErrorReason.itemNotFound, .anchorMoved])
    func `a daemon of 1.0 gets the neighbour above, then the one below with a new number`(reason: ErrorReason)
        throws
    {
        var bench = try Self.bench()
        let ids = bench.items
        let intent = try bench.want(.edit([.move(ids[3], to: .after(ids[0], day: 1))]))
        let first = try bench.next("item.move")
        #expect(first.params["to"]?["after"]?.string == "\(ids[0])")
        #expect(first.params["to"]?["before"] == nil, "it takes only one")
        try bench.changeByAnother([.remove(ids[0])])
        try bench.refuse(first, reason)
        let second = try bench.next("item.move")
        #expect(second.params["to"]?["before"]?.string == "\(ids[1])")
        #expect(second.seq == 2)
        #expect(bench.shown?.trip.shownIDs == [ids[3], ids[1], ids[2]])
        _ = try bench.make([.move(ids[3], to: .before(ids[1], day: 1))], by: "Ann")
        try bench.accept(second)
        #expect(bench.results[intent]?.count == 1)
    }

    @Test func `a drop beside a removed item lands between the neighbours that were shown`() throws {
        var bench = try Self.bench()
        let ids = bench.items
        try bench.want(.beginDrag(ids[3]))
        try bench.grant()
        try bench.changeByAnother([.remove(ids[0])])
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

    @Test func `a daemon of 1.1 gets both neighbours`() throws {
        var bench = try Self.bench(minor: 1)
        let ids = bench.items
        try bench.want(.beginDrag(ids[3]))
        #expect(bench.asked.first?.params["gaps"]?.bool == false, "the client does not use them")
        try bench.grant()
        try bench.want(.hover(.between(ids[0], ids[1], day: 1)))
        let hover = try bench.next("drag.hover")
        try bench.want(.drop(.after(ids[0], day: 1)))
        for to in [hover.params["over"], try bench.next("drag.drop").params["to"]] {
            #expect(to?["after"]?.string == "\(ids[0])")
            #expect(to?["before"]?.string == "\(ids[1])")
        }
    }

    @Test(arguments: [ErrorReason.itemNotFound, .anchorMoved], [0, 1])
    func `an item put below the last of a day goes to the day's end if that last item is removed`(
        reason: ErrorReason, minor: Int
    ) throws {
        var bench = try Self.bench(minor: minor)
        let ids = bench.items
        try bench.changeByAnother([.remove(ids[3])])
        try bench.want(.beginDrag(ids[0]))
        try bench.grant()
        let dropped = try bench.want(.drop(.after(ids[2], day: 1)))
        let added = ItemID(high: 2, low: 1)
        let below = ItemID(high: 2, low: 2)
        let pasted = try bench.want(
            .edit([
                .add(added, .custom(CustomItem(title: "E")), to: .after(ids[0], day: 1)),
                .add(below, .custom(CustomItem(title: "F")), to: .after(added, day: 1)),
            ]))
        #expect(bench.shown?.trip.shownIDs == [ids[1], ids[2], ids[0], added, below])
        let drop = try bench.next("drag.drop")
        #expect(bench.asked.isEmpty, "what is below the dropped item waits for it")
        try bench.changeByAnother([.remove(ids[2])])
        try bench.refuse(drop, reason)
        let move = try bench.next("item.move")
        #expect(move.params["to"]?["at"]?.string == "end")
        #expect(move.seq == 2)
        #expect(bench.results[dropped] == nil && bench.results[pasted] == nil)
        #expect(bench.shown?.trip.shownIDs == [ids[1], ids[0], added, below])
        // There is no third place to try.
        try bench.refuse(move, reason)
        guard case .refused? = bench.failure(of: dropped) else {
            Issue.record("the state is shown")
            return
        }
        let adds = try bench.next("trip.apply")
        #expect(adds.seq == 3)
        try bench.changeByAnother([.remove(ids[0])])
        try bench.refuse(adds, reason)
        let again = try bench.next("trip.apply")
        let places = try #require(again.params["ops"]?.elements.map { $0["to"] })
        #expect(places.first??["at"]?.string == "end")
        #expect(places.last??["after"]?.string == "\(added)", "what is added below another stays below it")
    }

    @Test func `an item dropped below a last item that was removed during the drag goes to the day's end`()
        throws
    {
        var bench = try Self.bench()
        let ids = bench.items
        try bench.want(.beginDrag(ids[0]))
        try bench.grant()
        try bench.changeByAnother([.remove(ids[3])])
        let intent = try bench.want(.drop(.after(ids[3], day: 1)))
        #expect(bench.shown?.trip.shownIDs == [ids[1], ids[2], ids[0]])
        try bench.refuse(bench.next("drag.drop"), .itemNotFound)
        let move = try bench.next("item.move")
        #expect(move.params["to"]?["at"]?.string == "end")
        _ = try bench.make([.move(ids[0], to: .end(day: 1))], by: "Ann")
        try bench.accept(move)
        #expect(bench.version(of: intent) != nil)
    }

    @Test func `a place above the first item is the day's start, and a refusal for both neighbours is final`()
        throws
    {
        var bench = try Self.bench()
        let ids = bench.items
        try bench.want(.edit([.move(ids[3], to: .before(ids[0], day: 1))]))
        #expect(try bench.next("item.move").params["to"]?["at"]?.string == "start")
        let intent = try bench.want(.edit([.move(ids[3], to: .after(ids[0], day: 1))]))
        try bench.refuse(bench.next("item.move"), .itemNotFound)
        try bench.refuse(bench.next("item.move"), .itemNotFound)
        guard case .refused? = bench.failure(of: intent) else {
            Issue.record("the state is shown")
            return
        }
    }

    @Test func `new items between two removed neighbours go to the end of the day, in their order`() throws {
        var bench = try Self.bench(minor: 1)
        let ids = bench.items
        let new = (1...2).map { ItemID(high: 2, low: UInt64($0)) }
        try bench.want(.hold)
        try bench.changeByAnother([.remove(ids[1])])
        try bench.changeByAnother([.remove(ids[2])])
        let intent = try bench.want(
            .edit([
                .add(new[0], .custom(CustomItem(title: "One")), to: .after(ids[1], day: 1)),
                .add(new[1], .custom(CustomItem(title: "Two")), to: .after(new[0], day: 1)),
            ]))
        try bench.want(.release)
        #expect(bench.shown?.trip.shownIDs == [ids[0], ids[3]] + new, "it is shown at its future place")
        try bench.refuse(bench.next("trip.apply"), .itemNotFound)
        let places = try #require(bench.next("trip.apply").params["ops"]?.elements.map { $0["to"] })
        #expect(places.allSatisfy { $0?["day"]?.int == 1 })
        #expect(places[0]?["at"]?.string == "end" && places[1]?["after"]?.string == "\(new[0])")
        #expect(bench.results[intent] == nil)
    }

    @Test func `new items on a day that was cut off go to the end of the last day`() throws {
        var bench = try Self.bench(minor: 1)
        let ids = bench.items
        let new = (1...2).map { ItemID(high: 2, low: UInt64($0)) }
        try bench.want(.hold)
        try bench.changeByAnother([.trip(TripChange(dayCount: 2))])
        let intent = try bench.want(
            .edit([
                .add(new[0], .custom(CustomItem(title: "One")), to: .end(day: 5)),
                .add(new[1], .custom(CustomItem(title: "Two")), to: .after(new[0], day: 5)),
            ]))
        try bench.want(.release)
        #expect(bench.shown?.trip.shownIDs == ids + new, "it is shown at its future place")
        try bench.refuse(bench.next("trip.apply"), .dayOutOfRange)
        let places = try #require(bench.next("trip.apply").params["ops"]?.elements.map { $0["to"] })
        #expect(places.allSatisfy { $0?["day"]?.int == 2 })
        #expect(places[0]?["at"]?.string == "end" && places[1]?["after"]?.string == "\(new[0])")
        #expect(bench.results[intent] == nil)
        // An existing item stays where it is, and its user gets the reason.
        let moved = try bench.want(.edit([.move(ids[0], to: .end(day: 5))]))
        let move = try #require(bench.asked.first)
        try bench.refuse(move, .dayOutOfRange)
        #expect(bench.failure(of: moved) != nil)
    }
}
