import Dispatch
import Testing

@testable import TripServer

@Suite struct TurnTests {
    @Test("who has used least of the loop comes first, of equals who came first, and nobody twice")
    func order() {
        var turns = Turns()
        let used: [ConnectionID: Int64] = [1: 900, 2: 20, 3: 5, 4: 20]
        for id in [1, 2, 3, 1, 4, 3] as [ConnectionID] { turns.wait(id) }
        var order: [ConnectionID] = []
        while let id = turns.next({ used[$0] ?? 0 }) { order.append(id) }
        #expect(order == [3, 2, 4, 1])
        #expect(turns.isEmpty)
        turns.wait(3)
        #expect(turns.next { _ in 7 } == 3)
    }

    @Test func `what was used a second ago counts half, and a newcomer is not the first`() {
        let second: Int64 = 1_000_000_000
        var (much, little) = (LoopUse(from: 0), LoopUse(from: 0))
        let newcomer = LoopUse(from: 9 * second)
        much.add(400_000_000, at: 9 * second)
        little.add(50_000, at: 9 * second)
        #expect(little.nanoseconds(at: 9 * second) < newcomer.nanoseconds(at: 9 * second))
        #expect(newcomer.nanoseconds(at: 9 * second) < much.nanoseconds(at: 9 * second))
        #expect(much.nanoseconds(at: 10 * second) == much.nanoseconds(at: 9 * second) / 2)
        // Nobody is forgotten: some seconds later even that is less than what others use all the time.
        #expect(much.nanoseconds(at: 19 * second) < 1_000_000)
        much.add(1_000, at: 200 * second)
        #expect(much.nanoseconds(at: 200 * second) == 1_000)
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
