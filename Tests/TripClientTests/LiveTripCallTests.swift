import Testing
import TripModel

@testable import TripClient
@testable import TripProtocol

/// Timeouts, queries, abandoned drags and restored backups, with a simulated clock.
@Suite struct LiveTripCallTests {
    private func ready(items: Int = 3) throws -> CoreBench {
        var bench = try CoreBench(items: items)
        try bench.begin()
        return bench
    }

    // MARK: Timeouts

    @Test func `a change that cannot be sent before its timeout is cancelled`() throws {
        var bench = try ready()
        let item = bench.items[0]
        try bench.lose()
        let before = bench.shown?.trip
        let intent = try bench.want(
            .edit([.remove(item)]), LiveTrip.ChangeOptions(timeout: .milliseconds(10)))
        #expect(bench.shown?.trip[item] == nil)
        try bench.waitForDeadline()
        #expect(bench.now == .milliseconds(10))
        guard case .notMade? = bench.failure(of: intent) else {
            Issue.record("it was never sent")
            return
        }
        #expect(bench.shown?.trip == before)
        try bench.reconnect()
        try bench.subscribeUpToDate()
        #expect(bench.asked.isEmpty)
    }

    @Test
    func `a change that was sent and not answered in time has an unknown outcome and is still delivered`()
        throws
    {
        var bench = try ready()
        let item = bench.items[0]
        let intent = try bench.want(.edit([.remove(item)]), LiveTrip.ChangeOptions(timeout: .seconds(1)))
        try bench.waitForDeadline()
        #expect(bench.failure(of: intent) == .outcomeUnknown("the daemon did not answer in time"))
        #expect(bench.shown?.pendingCount == 1)
        try bench.lose()
        try bench.reconnect()
        try bench.subscribeUpToDate()
        #expect(try bench.next("item.remove").seq == 1)
    }

    // MARK: Preconditions and queries

    @Test func `preconditions are sent with the change and with its repeats`() throws {
        var bench = try ready()
        let options = LiveTrip.ChangeOptions(ifVersion: 1, ifItemVersion: 1)
        try bench.want(.edit([.remove(bench.items[0])]), options)
        let first = try bench.next("item.remove")
        #expect(first.params["ifVersion"]?.int == 1)
        #expect(first.params["ifItemVersion"]?.int == 1)
        try bench.lose()
        try bench.reconnect()
        try bench.subscribeUpToDate()
        #expect(try bench.next("item.remove").text == first.text)
    }

    @Test func `a query follows the changes before it, and is sent again on the next connection`() throws {
        var bench = try ready()
        try bench.want(.edit([.remove(bench.items[0])]))
        let asking = try bench.want(.ask(.history(before: nil, since: nil, limit: 5)))
        #expect(bench.asked.map(\.method) == ["item.remove", "trip.history"])
        try bench.lose()
        try bench.reconnect()
        try bench.subscribeUpToDate()
        #expect(bench.asked.map(\.method) == ["item.remove", "trip.history"])
        _ = try bench.next("item.remove")
        try bench.answer(bench.next("trip.history")) { json in
            json.beginObject()
            json.key("entries")
            json.beginArray()
            json.endArray()
            json.endObject()
        }
        #expect(bench.results[asking] == [.history([])])
    }

    @Test func `a query that is not answered in time, or after the end, throws`() throws {
        var bench = try ready()
        let dry = try bench.want(
            .ask(.dryRun([.remove(bench.items[0])])), LiveTrip.ChangeOptions(timeout: .seconds(1)))
        #expect(bench.shown?.pendingCount == 0)
        try bench.waitForDeadline()
        #expect(bench.failure(of: dry) == .unreachable("the daemon did not answer in time"))
        let open = try bench.want(.ask(.history(before: nil, since: nil, limit: nil)))
        try bench.take(bench.core.close(now: bench.now))
        #expect(bench.failure(of: open) == .clientClosed)
        let late = try bench.want(.ask(.history(before: nil, since: nil, limit: nil)))
        #expect(bench.failure(of: late) == .clientClosed)
    }

    // MARK: Abandoned drags

    @Test func `a drag ends two minutes after the app's last hover, and the item is released`() throws {
        var bench = try ready()
        let item = bench.items[0]
        try bench.want(.beginDrag(item))
        try bench.grant()
        try bench.changeByAnother([.move(bench.items[1], to: .end(day: 2))])
        try bench.pass(to: .seconds(100))
        #expect(bench.shown?.drag == .held(item))
        // A hover over the same place still counts as a sign of life.
        try bench.want(.hover(nil))
        try bench.pass(to: .seconds(219))
        #expect(bench.shown?.drag == .held(item))
        #expect(bench.shown?.waitingVersions == 1)
        try bench.pass(to: .seconds(220))
        #expect(bench.shown?.drag == .lost(item, reason: .abandoned))
        #expect(bench.shown?.trip == bench.daemon.trip)
        #expect(bench.asked.map(\.method) == ["drag.cancel"])
        let drop = try bench.want(.drop(.end(day: 3)))
        #expect(bench.failure(of: drop) == .notMade("no item is being dragged"))
    }

    // MARK: Restored backups

    @Test func `a view on hold shows the client's own changes made after a backup was restored`()
        throws
    {
        var bench = try ready()
        try bench.want(.hold)
        let held = try #require(bench.shown?.trip)
        try bench.lose()
        try bench.restore()
        try bench.reconnect()
        try bench.subscribe(because: .epochChanged)
        let item = bench.items[0]
        let intent = try bench.want(.edit([.move(item, to: .end(day: 4))]))
        #expect(bench.day(of: item) == 4)
        let delta = try bench.make([.move(item, to: .end(day: 4))], by: "Ann")
        try bench.accept(bench.next("item.move"))
        try bench.send(delta.line())
        #expect(bench.version(of: intent) == delta.version)
        #expect(bench.day(of: item) == 4)
        #expect(bench.shown?.trip.itemCount == held.itemCount)
        try bench.want(.release)
        #expect(bench.shown?.trip == bench.daemon.trip)
    }
}
