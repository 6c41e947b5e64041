import Testing

@testable import TripServer

@Suite struct TurnTests {
    @Test("those that have not used up a turn lately come first, each kind in its order, and nobody twice")
    func order() {
        var turns = Turns()
        for (id, isBusy) in [(1, true), (2, true), (3, false), (1, false), (4, false), (3, false)] {
            turns.wait(ConnectionID(id), isBusy: isBusy)
        }
        var order: [ConnectionID] = []
        while let id = turns.next() { order.append(id) }
        #expect(order == [3, 4, 1, 2])
        #expect(turns.isEmpty)
        turns.wait(3, isBusy: true)
        #expect(turns.next() == 3)
    }
}
