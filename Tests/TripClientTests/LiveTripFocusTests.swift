import Testing
import TripModel

@testable import TripClient
@testable import TripProtocol

/// The cursor's position: the newest is sent, one request at a time.
@Suite struct LiveTripFocusTests {
    @Test func `the newest focus is sent after the answer to the last one, and again on each connection`()
        throws
    {
        var bench = try CoreBench()
        // Before there is a connection.
        try bench.want(.focus(.item(bench.daemon.trip.items[0].id)))
        try bench.begin()
        let items = bench.daemon.trip.items.map(\.id)
        let first = try bench.next("session.focus")
        #expect(first.params["item"]?.string == items[0].description)
        for item in [items[1], items[2], items[1]] { try bench.want(.focus(.item(item))) }
        #expect(bench.asked.isEmpty)
        try bench.answer(first) { json in
            json.beginObject()
            json.endObject()
        }
        let second = try bench.next("session.focus")
        #expect(second.params["item"]?.string == items[1].description)
        #expect(second.params["trip"]?.string == bench.daemon.trip.header.id.description)
        try bench.want(.focus(nil))
        // After an answer or a refusal the next one follows.
        try bench.refuse(second, .tripNotFound)
        let third = try bench.next("session.focus")
        #expect(third.params["item"] == nil)
        try bench.want(.focus(.item(items[2])))
        try bench.lose()
        try bench.waitForDeadline()
        try bench.opened()
        try bench.welcome()
        try bench.subscribe()
        #expect(try bench.next("session.focus").params["item"]?.string == items[2].description)
        #expect(bench.asked.isEmpty)
    }

    @Test func `a focus on the heading of a day is sent as a day without an item`() throws {
        var bench = try CoreBench()
        try bench.begin()
        try bench.want(.focus(.day(2)))
        let request = try bench.next("session.focus")
        #expect(request.params["day"]?.int == 2)
        #expect(request.params["item"] == nil)
    }

    @Test func `an unchanged focus, and a focus that a daemon of 1.0 would not know, is not sent`() throws {
        var bench = try CoreBench()
        try bench.begin()
        try bench.want(.focus(nil))
        #expect(bench.asked.isEmpty)
        var old = try CoreBench(minor: 0)
        try old.begin()
        try old.want(.focus(.item(old.daemon.trip.items[0].id)))
        #expect(old.asked.isEmpty)
    }
}
