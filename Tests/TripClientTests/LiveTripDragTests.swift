import JSONLine
import Testing
import TripModel

@testable import TripClient
@testable import TripProtocol

/// The user's drag: held back updates, and the dragged item.
@Suite struct LiveTripDragTests {
    private func isNotMade(_ error: ClientError?) -> Bool {
        if case .notMade? = error { true } else { false }
    }

    /// A bench with a drag of the first item.
    private func dragging(lease: Int = 15_000) throws -> (bench: CoreBench, item: ItemID) {
        var bench = try CoreBench(items: 4)
        try bench.begin()
        let item = bench.items[0]
        try bench.want(.beginDrag(item))
        try bench.grant(lease: lease)
        return (bench, item)
    }

    @Test func `during a drag nothing moves, and others' changes are counted`() throws {
        var bench = try CoreBench(items: 4)
        try bench.begin()
        let (item, other) = (bench.items[0], bench.items[1])
        let begun = try bench.want(.beginDrag(item))
        #expect(bench.shown?.drag == .asked(item))
        let before = bench.shown?.trip
        try bench.changeByAnother([.move(other, to: .end(day: 2))])
        try bench.grant()
        #expect(bench.shown?.drag == .held(item))
        guard case .granted(let start)? = bench.results[begun]?.first else {
            Issue.record("it is granted")
            return
        }
        #expect(start.drag == DragID("k-1"))
        try bench.changeByAnother([.move(other, to: .end(day: 3))])
        #expect(bench.shown?.waitingVersions == 2)
        #expect(bench.shown?.trip == before)
        #expect(bench.shown?.version == 1)

        // At the drop everything shows in one step, including the drop's own result.
        let intent = try bench.want(.drop(.end(day: 5)))
        #expect(bench.day(of: item) == 5)
        #expect(bench.day(of: other) == 3)
        #expect(bench.shown?.drag == LiveTrip.Drag.none)
        #expect(bench.shown?.waitingVersions == 0)
        let request = try bench.next("drag.drop")
        #expect(request.params["drag"]?.string == "k-1")
        #expect(request.params["trip"]?.string == bench.daemon.trip.header.id.description)
        #expect(request.seq == 1)
        let delta = try bench.make([.move(item, to: .end(day: 5))], by: "Ann")
        try bench.accept(request)
        #expect(bench.day(of: item) == 5)
        try bench.send(delta.line())
        #expect(bench.version(of: intent) == 4)
        #expect(bench.shown?.trip == bench.daemon.trip)
    }

    @Test func `cancelling a drag releases the item and shows the waiting changes`() throws {
        var (bench, item) = try dragging()
        try bench.changeByAnother([.move(bench.items[1], to: .end(day: 2))])
        try bench.want(.cancelDrag)
        #expect(bench.shown?.trip == bench.daemon.trip)
        #expect(bench.shown?.drag == LiveTrip.Drag.none)
        #expect(try bench.next("drag.cancel").params["drag"]?.string == "k-1")
        #expect(bench.day(of: item) == 1)
        #expect(bench.core.drags.renewal == nil)
    }

    @Test func `a refused drop leaves the item in its old place`() throws {
        var (bench, item) = try dragging()
        let intent = try bench.want(.drop(.end(day: 5)))
        try bench.refuse(bench.next("drag.drop"), .anchorMoved)
        #expect(bench.day(of: item) == 1)
        guard case .refused? = bench.failure(of: intent) else {
            Issue.record("it is refused")
            return
        }
    }

    @Test func `a refused drag has a reason and holds nothing back`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let item = bench.items[0]
        let intent = try bench.want(.beginDrag(item))
        try bench.changeByAnother([.move(bench.items[1], to: .end(day: 2))])
        try bench.refuse(bench.next("drag.begin"), .itemHeld)
        guard case .lost(item, .refused(let error))? = bench.shown?.drag else {
            Issue.record("it is lost")
            return
        }
        #expect(error.known == .itemHeld)
        #expect(bench.failure(of: intent) == .refused(error))
        #expect(bench.shown?.trip == bench.daemon.trip)
        // Another drag can begin.
        try bench.want(.beginDrag(item))
        #expect(bench.shown?.drag == .asked(item))
    }

    @Test func `a change before a drag is sent before it and does not count as another user's change`() throws
    {
        var bench = try CoreBench()
        try bench.begin()
        let (item, other) = (bench.items[0], bench.items[1])
        try bench.want(.edit([.move(other, to: .end(day: 2))]))
        try bench.want(.beginDrag(item))
        #expect(bench.asked.map(\.method) == ["item.move", "drag.begin"])
        let delta = try bench.make([.move(other, to: .end(day: 2))], by: "Ann")
        try bench.accept(bench.next("item.move"))
        try bench.send(delta.line())
        try bench.grant()
        #expect(bench.shown?.waitingVersions == 0)
        #expect(bench.day(of: other) == 2)
        try bench.changeByAnother([.remove(bench.items[0])])
        #expect(bench.shown?.waitingVersions == 1)
    }

    @Test func `a second drag does not count the first drag's drop`() throws {
        var (bench, item) = try dragging()
        try bench.want(.drop(.end(day: 2)))
        try bench.want(.beginDrag(item))
        #expect(bench.asked.map(\.method) == ["drag.drop", "drag.begin"])
        let shown = bench.shown?.trip
        let delta = try bench.make([.move(item, to: .end(day: 2))], by: "Ann")
        try bench.accept(bench.next("drag.drop"))
        try bench.send(delta.line())
        try bench.grant("k-2")
        #expect(bench.shown?.waitingVersions == 0)
        #expect(bench.shown?.trip == shown)
        #expect(bench.day(of: item) == 2)
        try bench.changeByAnother([.remove(bench.items[1])])
        #expect(bench.shown?.waitingVersions == 1)
        try bench.want(.drop(.end(day: 3)))
        #expect(try bench.next("drag.drop").params["drag"]?.string == "k-2")
    }

    @Test func `a drag that is cancelled before its grant is cancelled after the grant`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let (item, other) = (bench.items[0], bench.items[1])
        let first = try bench.want(.beginDrag(item))
        try bench.want(.cancelDrag)
        #expect(isNotMade(bench.failure(of: first)))
        try bench.want(.beginDrag(other))
        // One after the other: the daemon allows one at a time.
        #expect(bench.asked.map(\.method) == ["drag.begin"])
        try bench.grant("k-1")
        #expect(bench.asked.map(\.method) == ["drag.cancel", "drag.begin"])
        #expect(try bench.next("drag.cancel").params["drag"]?.string == "k-1")
        try bench.grant("k-2")
        #expect(bench.shown?.drag == .held(other))
        #expect(bench.results[first]?.count == 1)
    }

    @Test func `a drop before the grant waits for it, and later changes wait for the drop`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let item = bench.items[0]
        let begun = try bench.want(.beginDrag(item))
        try bench.want(.drop(.end(day: 2)))
        try bench.want(.edit([.remove(bench.items[1])]))
        #expect(bench.asked.map(\.method) == ["drag.begin"])
        #expect(bench.day(of: item) == 2)
        try bench.grant()
        #expect(bench.asked.map(\.method) == ["drag.drop", "item.remove"])
        #expect(bench.asked.map(\.seq) == [1, 2])
        #expect(bench.results[begun]?.count == 1)
    }

    @Test func `if the drag is refused, its drop is refused too, and other changes continue`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let item = bench.items[0]
        let begun = try bench.want(.beginDrag(item))
        let dropped = try bench.want(.drop(.end(day: 2)))
        try bench.want(.edit([.remove(bench.items[1])]))
        try bench.refuse(bench.next("drag.begin"), .itemHeld)
        #expect(bench.failure(of: begun) != nil)
        #expect(bench.failure(of: dropped) != nil)
        #expect(bench.day(of: item) == 1)
        #expect(bench.asked.map(\.method) == ["item.remove"])
    }

    @Test func `only one item is dragged at a time, and a drop without a drag is refused`() throws {
        var (bench, item) = try dragging()
        let refused = try bench.want(.beginDrag(bench.items[1]))
        #expect(isNotMade(bench.failure(of: refused)))
        #expect(bench.shown?.drag == .held(item))
        try bench.want(.cancelDrag)
        let dropped = try bench.want(.drop(.end(day: 2)))
        #expect(isNotMade(bench.failure(of: dropped)))
        try bench.want(.hover(.end(day: 2)))
        #expect(bench.asked.map(\.method) == ["drag.cancel"])
    }

    // MARK: Hovers

    @Test func `hovers are sent one at a time, and only the newest is kept`() throws {
        var (bench, _) = try dragging()
        for day in 2...5 { try bench.want(.hover(.end(day: day))) }
        let first = try bench.next("drag.hover")
        #expect(first.params["over"]?["day"]?.int == 2)
        #expect(bench.asked.isEmpty)
        try bench.answer(first) { json in
            json.beginObject()
            json.endObject()
        }
        let second = try bench.next("drag.hover")
        #expect(second.params["over"]?["day"]?.int == 5)
        try bench.answer(second) { json in
            json.beginObject()
            json.endObject()
        }
        #expect(bench.asked.isEmpty)
    }

    @Test func `an idle drag is renewed at a third of its lease`() throws {
        var (bench, _) = try dragging(lease: 900)
        for turn in 1...5 {
            #expect(bench.core.nextDeadline == .milliseconds(300) * turn)
            try bench.waitForDeadline()
            let hover = try bench.next("drag.hover")
            // There is no deadline during a request.
            #expect(bench.core.drags.renewal == nil)
            try bench.answer(hover) { json in
                json.beginObject()
                json.endObject()
            }
        }
    }

    // MARK: Lost drags

    @Test(arguments: [DragEnd.expired, .itemRemoved])
    func `the daemon can end a drag`(reason: DragEnd) throws {
        var (bench, item) = try dragging()
        try bench.changeByAnother([.move(bench.items[1], to: .end(day: 2))])
        try bench.send(.dragEnded(DragID("k-9"), item: item, reason: reason))
        #expect(bench.shown?.drag == .held(item))
        try bench.send(.dragEnded(DragID("k-1"), item: item, reason: reason))
        #expect(bench.shown?.drag == .lost(item, reason: .ended(reason)))
        #expect(bench.shown?.trip == bench.daemon.trip)
        #expect(bench.core.drags.renewal == nil)
        let refused = try bench.want(.drop(.end(day: 2)))
        #expect(isNotMade(bench.failure(of: refused)))
    }

    @Test func `a lost connection ends the drag`() throws {
        var (bench, item) = try dragging()
        try bench.changeByAnother([.move(bench.items[1], to: .end(day: 2))])
        try bench.lose()
        #expect(bench.shown?.drag == .lost(item, reason: .disconnected))
        #expect(bench.shown?.trip == bench.daemon.trip)
        #expect(bench.shown?.waitingVersions == 0)
        let refused = try bench.want(.beginDrag(item))
        #expect(isNotMade(bench.failure(of: refused)))
        try bench.reconnect()
        try bench.subscribeUpToDate()
        #expect(bench.asked.isEmpty)
        try bench.want(.beginDrag(item))
        try bench.grant("k-2")
        #expect(bench.shown?.drag == .held(item))
    }

    @Test func `a connection lost before the grant fails the drag's call`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let begun = try bench.want(.beginDrag(bench.items[0]))
        let dropped = try bench.want(.drop(.end(day: 2)))
        try bench.lose()
        #expect(isNotMade(bench.failure(of: begun)))
        #expect(bench.results[dropped] == nil, "a drop is not lost with the drag")
        #expect(bench.shown?.pendingCount == 1)
        #expect(bench.day(of: bench.items[0]) == 2)
        try bench.reconnect()
        try bench.subscribeUpToDate()
        let move = try bench.next("item.move")
        #expect(move.seq == 1)
        try bench.accept(move)
        #expect(bench.version(of: dropped) == 1)
    }

    @Test func `a drop in flight is sent again with its sequence number and is found to be applied`() throws {
        var (bench, item) = try dragging()
        let intent = try bench.want(.drop(.end(day: 5)))
        let first = try bench.next("drag.drop")
        let delta = try bench.make([.move(item, to: .end(day: 5))], by: "Ann")
        try bench.lose()
        #expect(bench.day(of: item) == 5)
        try bench.reconnect()
        try bench.subscribe(with: delta)
        let again = try bench.next("drag.drop")
        #expect(again.text == first.text)
        try bench.accept(again)
        #expect(bench.version(of: intent) == 2)
        #expect(bench.shown?.trip == bench.daemon.trip)
    }

    @Test func `a drop that never arrived is sent as a move with a new number`()
        throws
    {
        var (bench, item) = try dragging()
        let intent = try bench.want(.drop(.end(day: 5)))
        try bench.lose()
        try bench.reconnect()
        try bench.subscribeUpToDate()
        try bench.refuse(bench.next("drag.drop"), .dragNotFound)
        let move = try bench.next("item.move")
        #expect(move.seq == 2)
        #expect(bench.day(of: item) == 5)
        try bench.accept(move)
        #expect(bench.results[intent]?.count == 1)
    }

    @Test func `the client's own changes during a drag show, and stay until the state contains them`() throws
    {
        var (bench, _) = try dragging()
        let other = bench.items[1]
        try bench.want(.edit([.update(other, [.title("Mine")])]))
        #expect(bench.shown?.trip[other]?.content.title == "Mine")
        let delta = try bench.make([.update(other, [.title("Mine")])], by: "Ann")
        try bench.accept(bench.next("item.update"))
        try bench.send(delta.line())
        #expect(bench.shown?.trip[other]?.content.title == "Mine")
        #expect(bench.shown?.waitingVersions == 0)
        #expect(bench.shown?.version == 1)
        try bench.want(.cancelDrag)
        #expect(bench.shown?.trip == bench.daemon.trip)
        #expect(bench.core.pending.isEmpty)
    }

    @Test func `after close an item whose drag was requested before can still be dropped`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let item = bench.items[0]
        try bench.want(.beginDrag(item))
        bench.core.finish()
        #expect(bench.core.isDelivering)
        let edited = try bench.want(.edit([.remove(bench.items[1])]))
        #expect(isNotMade(bench.failure(of: edited)))
        try bench.grant()
        #expect(!bench.core.isDelivering)
        let dropped = try bench.want(.drop(.end(day: 2)))
        #expect(bench.core.isDelivering)
        _ = try bench.make([.move(item, to: .end(day: 2))], by: "Ann")
        try bench.accept(bench.next("drag.drop"))
        #expect(bench.version(of: dropped) == 2)
        #expect(!bench.core.isDelivering)
        #expect(bench.core.isIdle)
        let next = try bench.want(.beginDrag(item))
        #expect(isNotMade(bench.failure(of: next)))
    }

    @Test func `the live trip is not idle while an item is being released`() throws {
        var bench = try CoreBench()
        try bench.begin()
        #expect(bench.core.isIdle)
        try bench.want(.beginDrag(bench.items[0]))
        try bench.want(.cancelDrag)
        #expect(!bench.core.isIdle)
        try bench.grant()
        #expect(bench.core.isIdle)
    }
}
