import Dispatch
import TestSupport
import Testing

@testable import TripServer

@Suite struct TurnTests {
    private func taken(_ nanoseconds: Int64) -> RecentUsage {
        var time = RecentUsage()
        time.add(nanoseconds, at: 1)
        return time
    }

    @Test
    func `the connection with the lowest usage is next, ties in order, and each is queued once`() {
        var turns = Scheduler()
        for (id, time) in [(1, 9), (2, 5), (3, 0), (1, 0), (4, 0), (5, 5), (3, 2)] as [(ConnectionID, Int64)]
        {
            turns.wait(id, after: taken(time))
        }
        var order: [ConnectionID] = []
        while let id = turns.next(at: 1) { order.append(id) }
        #expect(order == [3, 4, 2, 5, 1])
        #expect(turns.hasNoTurns)
        turns.wait(3, after: taken(7))
        #expect(turns.next(at: 1) == 3)
    }

    @Test func `a connection with high usage gets a quantum among busy ones`() {
        var turns = Scheduler()
        var (much, little) = (RecentUsage(), RecentUsage())
        var now: Int64 = 1
        much.add(400_000_000, at: now)
        turns.wait(1, after: much)
        for _ in 0..<2000 {
            now += 1_000_000
            little.add(100_000, at: now)
            turns.wait(2, after: little)
            if turns.next(at: now) == 1 { return }
        }
        Issue.record("the first one never runs")
    }

    @Test func `every 8th quantum goes to the longest waiter, whatever its usage`() {
        var turns = Scheduler()
        turns.wait(1, after: taken(400_000_000))
        turns.wait(2, after: taken(300_000_000))
        var order: [ConnectionID] = []
        for new in 3...34 as ClosedRange<ConnectionID> {
            turns.wait(new, after: RecentUsage())
            if let next = turns.next(at: 1) { order.append(next) }
        }
        #expect(order.indices.filter { [1, 2].contains(order[$0]) } == [7, 15])
        #expect(order[7] == 1)
    }

    @Test func `usage is forgotten after one or two intervals`() {
        let span = RecentUsage.span
        var time = RecentUsage()
        #expect(time.total(at: 0) == 0)
        time.add(5, at: span - 1)
        time.add(3, at: span - 1)
        #expect(time.total(at: span - 1) == 8)
        #expect(time.total(at: 2 * span - 1) == 8)
        #expect(time.total(at: 2 * span) == 0)
        time.add(2, at: span)
        #expect(time.total(at: span) == 10)
        #expect(time.total(at: 2 * span) == 2)
        time.add(1, at: 9 * span)
        #expect(time.total(at: 9 * span) == 1)
    }

    /// The only assumption about the loop's clock is that a long piece of work exceeds a quantum.
    @Test func `a connection with many requests lets others run in between`() throws {
        let server = try TestServer()
        let (eve, bob) = (try server.client("eve"), try server.client("bob"))
        let items = (0..<1000).map { #"{"item":\#(custom(1000 + $0, "x")),"to":\#(end(5))}"# }
        try eve.makeTrip("t", items: items.joined(separator: ","))
        let before = try bob.result("daemon.stats")["requests"]?.int ?? .max
        let (isHeld, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        server.loop.execute {
            isHeld.signal()
            gate.wait()
        }
        isHeld.wait()
        // Both requests have arrived when the loop polls again, eve's first.
        // Each of eve's moves a thousand items before the refusal for a missing item, and has a short answer.
        let ops = #"[{"op":"trip","dayCount":1},{"op":"remove","item":"\#(id(999))"}]"#
        let requests = (0..<40).map { _ in eve.request("trip.apply", #"{"trip":"t","ops":\#(ops)}"#) }
        try eve.send(requests.joined(separator: "\n"))
        let asked = try bob.post("daemon.stats")
        gate.signal()
        let between = try bob.reply(to: asked).result?["requests"]?.int ?? .max
        #expect(between < before + requests.count)
        for _ in requests { #expect(try eve.line().reason == "item_not_found") }
    }
}
