import Dispatch
import Testing

@testable import TripServer

@Suite struct TurnTests {
    private func taken(_ nanoseconds: Int64) -> RecentTime {
        var time = RecentTime()
        time.add(nanoseconds, at: 1)
        return time
    }

    @Test
    func `who has taken the least time comes first, those of equal time in their order, and nobody twice`() {
        var turns = Turns()
        for (id, time) in [(1, 9), (2, 5), (3, 0), (1, 0), (4, 0), (5, 5), (3, 2)] as [(ConnectionID, Int64)]
        {
            turns.wait(id, after: taken(time))
        }
        var order: [ConnectionID] = []
        while let id = turns.next(at: 1) { order.append(id) }
        #expect(order == [3, 4, 2, 5, 1])
        #expect(turns.isEmpty)
        turns.wait(3, after: taken(7))
        #expect(turns.next(at: 1) == 3)
    }

    @Test func `however much somebody has taken, their turn comes among others who go on taking`() {
        var turns = Turns()
        var (much, little) = (RecentTime(), RecentTime())
        var now: Int64 = 1
        much.add(400_000_000, at: now)
        turns.wait(1, after: much)
        for _ in 0..<2000 {
            now += 1_000_000
            little.add(100_000, at: now)
            turns.wait(2, after: little)
            if turns.next(at: now) == 1 { return }
        }
        Issue.record("the first one never has a turn")
    }

    @Test func `one turn of eight is that of who has waited longest, whatever they have taken`() {
        var turns = Turns()
        turns.wait(1, after: taken(400_000_000))
        turns.wait(2, after: taken(300_000_000))
        var order: [ConnectionID] = []
        for new in 3...34 as ClosedRange<ConnectionID> {
            turns.wait(new, after: RecentTime())
            if let next = turns.next(at: 1) { order.append(next) }
        }
        #expect(order.indices.filter { [1, 2].contains(order[$0]) } == [7, 15])
        #expect(order[7] == 1)
    }

    @Test func `the time that somebody has taken is forgotten after one span or two`() {
        let span = RecentTime.span
        var time = RecentTime()
        #expect(time.taken(at: 0) == 0)
        time.add(5, at: span - 1)
        time.add(3, at: span - 1)
        #expect(time.taken(at: span - 1) == 8)
        #expect(time.taken(at: 2 * span - 1) == 8)
        #expect(time.taken(at: 2 * span) == 0)
        time.add(2, at: span)
        #expect(time.taken(at: span) == 10)
        #expect(time.taken(at: 2 * span) == 2)
        time.add(1, at: 9 * span)
        #expect(time.taken(at: 9 * span) == 1)
    }

    /// What is asked of the loop's clock here is only whether much takes longer than a turn.
    @Test func `B5: who asks for much at once lets the others have their turn in between`() throws {
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
        // Both have asked when the loop looks again, and eve first.
        // Each moves a thousand items before it finds that there is no such item, and has a short answer.
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
