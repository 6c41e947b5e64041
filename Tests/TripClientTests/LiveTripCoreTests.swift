import JSONLine
import Testing
import TripModel

@testable import TripClient
@testable import TripProtocol

/// The rules of the core as sequences of events.
@Suite struct LiveTripCoreTests {
    @Test func `the client sends hello, subscribes to deltas and shows the trip`() throws {
        var bench = try CoreBench()
        try bench.start()
        #expect(bench.actions == [.connect])
        try bench.opened()
        let hello = try #require(bench.asked.first)
        #expect(hello.params["clientId"]?.string == CoreBench.client.description)
        #expect(hello.params["user"]?.string == "Ann")
        #expect(bench.shown == nil)
        try bench.welcome()
        let subscribe = try #require(bench.asked.first)
        #expect(subscribe.params["trip"]?.string == "t1")
        #expect(subscribe.params["mode"]?.string == "delta")
        #expect(subscribe.params["since"] == nil)
        #expect(subscribe.params["deferWhileDragging"]?.bool == false)
        try bench.subscribe()
        let shown = try #require(bench.shown)
        #expect(shown.trip == bench.daemon.trip)
        #expect(shown.connection == .connected)
        #expect((shown.version, shown.epoch) == (1, "a"))
        #expect(shown.people.map(\.user) == ["Ann"])
        #expect(shown.connectionID == 7)
        #expect(bench.core.nextDeadline == .seconds(15))
    }

    @Test func `others' changes are applied as deltas`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let (first, second, third) = (bench.items[0], bench.items[1], bench.items[2])
        try bench.changeByAnother([.move(first, to: .end(day: 2))])
        try bench.changeByAnother([.remove(second), .update(third, [.title("Renamed")])])
        try bench.changeByAnother([.trip(TripChange(name: "Longer", dayCount: 9))])
        try bench.changeByAnother([
            .add(SampleTrip.item(9), .custom(CustomItem(title: "New")), to: .before(first, day: 2))
        ])
        #expect(bench.shown?.trip == bench.daemon.trip)
        #expect(bench.shown?.version == 5)
        #expect(bench.shown?.lastCause == CoreBench.other)
        // Naming an unknown item is harmless.
        let delta = TripDelta(
            trip: bench.daemon.trip.header.id, epoch: "a", from: 5, version: 8, removed: [SampleTrip.item(77)]
        )
        try bench.send(delta.line())
        #expect(bench.shown?.version == 8)
    }

    @Test func `a snapshot between deltas replaces the whole trip`() throws {
        var bench = try CoreBench()
        try bench.begin()
        _ = try bench.make([.remove(bench.items[0])])
        _ = try bench.make([.move(bench.items[0], to: .end(day: 3))])
        try bench.send(.snapshot(bench.daemon, previous: 1, skipped: 1, cause: CoreBench.other))
        #expect(bench.shown?.trip == bench.daemon.trip)
        try bench.changeByAnother([.move(bench.items[0], to: .end(day: 4))])
        #expect(bench.shown?.version == 4)
    }

    @Test func `after a gap in the deltas the client subscribes from its version`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let before = bench.shown?.trip
        let item = bench.items[0]
        let missed = try bench.make([.move(item, to: .end(day: 2))])
        let late = try bench.make([.move(item, to: .end(day: 3))])
        try bench.send(late.line())
        #expect(bench.shown?.trip == before)
        let subscribe = try #require(bench.asked.first)
        #expect(subscribe.params["trip"]?.string == bench.daemon.trip.header.id.description)
        #expect(subscribe.params["since"]?["version"]?.int == 1)
        #expect(subscribe.params["since"]?["epoch"]?.string == "a")
        // Late lines of the old subscription are ignored.
        try bench.send(missed.line())
        #expect(bench.shown?.trip == before)
        try bench.subscribe(
            with: TripDelta(
                trip: bench.daemon.trip.header.id, epoch: "a", from: 1, version: 3,
                upserts: bench.daemon.trip.items))
        #expect(bench.shown?.trip == bench.daemon.trip)
        #expect(bench.shown?.connection == .connected)
    }

    @Test func `after a delta that contradicts the trip the client requests a snapshot`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let header = TripHeader(
            id: bench.daemon.trip.header.id, slug: "t1", name: "",
            startDate: bench.daemon.trip.header.startDate,
            timeZone: "UTC", dayCount: 5)
        try bench.send(
            TripDelta(trip: header.id, epoch: "a", from: 1, version: 2, header: header).line())
        #expect(try #require(bench.asked.first).params["since"] == nil)
        #expect(bench.shown?.version == 1)
        _ = try bench.make([.remove(bench.items[0])])
        try bench.subscribe()
        #expect(bench.shown?.trip == bench.daemon.trip)
    }

    // MARK: Changes

    @Test func `an edit is shown at once, and stays until the daemon's state contains it`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let item = bench.items[0]
        let intent = try bench.want(.edit([.move(item, to: .end(day: 3))]))
        #expect(bench.day(of: item) == 3)
        #expect(bench.shown?.pendingCount == 1)
        #expect(bench.shown?.unsentCount == 0)
        let request = try bench.next("item.move")
        #expect(request.seq == 1)
        #expect(request.params["trip"]?.string == bench.daemon.trip.header.id.description)
        // Another user is faster.
        try bench.changeByAnother([.move(bench.items[1], to: .end(day: 2))])
        #expect(bench.day(of: item) == 3)
        let delta = try bench.make([.move(item, to: .end(day: 3))], by: "Ann")
        try bench.accept(request)
        #expect(bench.version(of: intent) == 3)
        #expect(bench.day(of: item) == 3)
        #expect(bench.shown?.version == 2)
        #expect(bench.shown?.pendingCount == 0)
        try bench.send(delta.line())
        #expect(bench.shown?.trip == bench.daemon.trip)
        #expect(bench.shown?.version == 3)
        #expect(bench.core.pending.isEmpty)
    }

    @Test func `a refused edit is rolled back`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let item = bench.items[0]
        let intent = try bench.want(.edit([.move(item, to: .end(day: 3))]))
        try bench.refuse(bench.next("item.move"), .itemHeld)
        #expect(bench.day(of: item) == 1)
        #expect(bench.shown?.trip == bench.daemon.trip)
        guard case .refused(let error)? = bench.failure(of: intent) else {
            Issue.record("it is refused")
            return
        }
        #expect(error.known == .itemHeld)
    }

    @Test func `an edit that cannot be applied locally is sent and not shown`() throws {
        var bench = try CoreBench()
        try bench.begin()
        try bench.want(.edit([.move(bench.items[0], to: .end(day: 99))]))
        #expect(bench.shown?.trip == bench.daemon.trip)
        #expect(bench.asked.map(\.method) == ["item.move"])
    }

    @Test func `an added item keeps its id from the edit to the daemon's state`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let edit = Edit.add(SampleTrip.item(9), .custom(CustomItem(title: "New")), to: .end(day: 2))
        try bench.want(.edit([edit]))
        #expect(bench.shown?.trip.itemCount == 4)
        let request = try bench.next("item.add")
        #expect(request.params["item"]?["id"]?.string == SampleTrip.item(9).description)
        // The connection is lost after it was applied: the state comes first, then the answer.
        _ = try bench.make([edit], by: "Ann")
        try bench.lose()
        try bench.reconnect()
        try bench.subscribe()
        #expect(bench.shown?.trip.itemCount == 4)
        #expect(bench.shown?.trip == bench.daemon.trip)
        try bench.accept(bench.next("item.add"))
        #expect(bench.shown?.trip == bench.daemon.trip)
    }

    @Test func `several edits are one batch with one sequence number`() throws {
        var bench = try CoreBench()
        try bench.begin()
        try bench.want(.edit([.remove(bench.items[0]), .move(bench.items[1], to: .end(day: 2))]))
        let request = try bench.next("trip.apply")
        #expect(request.params["ops"]?.count == 2)
        #expect(request.seq == 1)
        _ = try bench.make([.remove(bench.items[0])], by: "Ann")
        try bench.accept(request)
        try bench.want(.undo)
        try bench.want(.undo)
        #expect(bench.asked.map(\.method) == ["trip.undo", "trip.undo"])
        #expect(bench.asked.map(\.seq) == [2, 3])
    }

    /// A core whose undo is answered; the daemon's new state is `delta`.
    private func undone(
        _ options: LiveTrip.ChangeOptions = LiveTrip.ChangeOptions()
    ) throws -> (bench: CoreBench, undo: Int, moved: ItemID, delta: TripDelta) {
        var bench = try CoreBench()
        try bench.begin()
        let undo = try bench.want(.undo, options)
        #expect(bench.shown?.trip == bench.daemon.trip)
        #expect(bench.shown?.pendingCount == 1)
        let moved = bench.items[0]
        let delta = try bench.make([.move(moved, to: .end(day: 4))], by: "Ann")
        try bench.accept(bench.next("trip.undo"))
        #expect(bench.results[undo] == nil)
        #expect(bench.shown?.isCatchingUp == true)
        return (bench, undo, moved, delta)
    }

    @Test func `the caller of an undo gets the answer when the state shows the undo`() throws {
        var (bench, undo, moved, delta) = try undone()
        try bench.send(delta.line())
        #expect(bench.version(of: undo) == 2)
        #expect(bench.day(of: moved) == 4)
        #expect(bench.core.pending.isEmpty)
    }

    @Test
    func `an undo whose connection is lost behind its answer is reported with the next connection's state`()
        throws
    {
        var (bench, undo, moved, _) = try undone()
        try bench.lose()
        #expect(bench.results[undo] == nil)
        try bench.reconnect()
        try bench.subscribe()
        #expect(bench.version(of: undo) == 2)
        #expect(bench.day(of: moved) == 4)
    }

    @Test func `an answered undo may be lost if the next connection has another history`() throws {
        var (bench, undo, _, _) = try undone()
        try bench.lose()
        try bench.restore()
        try bench.reconnect()
        try bench.subscribe()
        guard case .outcomeUnknown? = bench.failure(of: undo) else {
            Issue.record("\(String(describing: bench.results[undo]))")
            return
        }
        #expect(bench.core.pending.isEmpty)
    }

    @Test func `an answered undo is reported before its state at a drag, its timeout and the end`() throws {
        var (bench, undo, moved, delta) = try undone()
        try bench.want(.beginDrag(bench.items[1]))
        #expect(bench.version(of: undo) == 2)
        #expect(bench.day(of: moved) != 4)
        try bench.send(delta.line())
        try bench.want(.cancelDrag)
        #expect(bench.day(of: moved) == 4)
        #expect(bench.results[undo]?.count == 1)

        (bench, undo, _, _) = try undone(LiveTrip.ChangeOptions(timeout: .seconds(1)))
        try bench.pass(to: .seconds(1))
        #expect(bench.version(of: undo) == 2)

        (bench, undo, _, _) = try undone()
        try bench.take(bench.core.close(now: bench.now))
        #expect(bench.version(of: undo) == 2)
        #expect(bench.results[undo]?.count == 1)
    }

    @Test func `a change without effect is resolved and removed`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let intent = try bench.want(.edit([.move(bench.items[0], to: .start(day: 1))]))
        try bench.accept(bench.next("item.move"), noop: true)
        #expect(bench.version(of: intent) == 1)
        #expect(bench.core.pending.isEmpty)
    }

    @Test func `the number of sent changes and the number of pending changes are limited`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let item = bench.items[0]
        for turn in 0..<LiveTripCore.maximumPending {
            try bench.want(.edit([.update(item, [.title("Turn \(turn)")])]))
        }
        #expect(bench.asked.count == LiveTripCore.maximumInFlight)
        #expect(bench.shown?.unsentCount == LiveTripCore.maximumPending - LiveTripCore.maximumInFlight)
        let refused = try bench.want(.edit([.remove(item)]))
        guard case .notMade? = bench.failure(of: refused) else {
            Issue.record("there are too many")
            return
        }
        // The editor puts its own text before it.
        #expect(bench.failure(of: refused)?.description == "256 changes already wait for the daemon")
        for turn in 0..<LiveTripCore.maximumPending {
            let request = try bench.next("item.update")
            #expect(request.seq == turn + 1)
            let delta = try bench.make([.update(item, [.title("Turn \(turn)")])], by: "Ann")
            try bench.accept(request)
            try bench.send(delta.line())
            #expect(bench.asked.count <= LiveTripCore.maximumInFlight)
        }
        #expect(bench.shown?.trip == bench.daemon.trip)
        #expect(bench.core.pending.isEmpty)
    }

    @Test func `with a daemon of 1.0 a change longer than a line is refused by the client`() throws {
        var bench = try CoreBench(minor: 0)
        try bench.begin()
        let note = String(repeating: "n", count: 16 * 1024)
        let edits = (0..<100).map { _ in Edit.update(SampleTrip.item(1), [.note(note)]) }
        let intent = try bench.want(.edit(edits))
        guard case .notMade? = bench.failure(of: intent) else {
            Issue.record("it is too long")
            return
        }
        #expect(bench.asked.isEmpty)
    }

    @Test func `a viewer's changes are refused by the client`() throws {
        var bench = try CoreBench(role: .viewer)
        try bench.begin()
        let intent = try bench.want(.edit([.remove(bench.items[0])]))
        guard case .refused(let error)? = bench.failure(of: intent) else {
            Issue.record("a viewer may only look")
            return
        }
        #expect(error.known == .readOnly)
        #expect(bench.shown?.trip.itemCount == 3)
    }

    @Test
    func
        `the access in a trip is the one that the daemon reports, and can change with the next subscription`()
        throws
    {
        var bench = try CoreBench()
        bench.role = .viewer
        try bench.begin()
        #expect(bench.shown?.role == .viewer)
        let refused = try bench.want(.edit([.remove(bench.items[0])]))
        #expect(bench.failure(of: refused) != nil && bench.asked.isEmpty)
        try bench.lose(.closed(.accessChanged))
        #expect(bench.shown?.role == .viewer)
        bench.role = .editor
        try bench.reconnect()
        try bench.subscribe()
        #expect(bench.shown?.role == .editor)
        try bench.want(.edit([.remove(bench.items[0])]))
        _ = try bench.next("item.remove")
    }

    // MARK: The end

    @Test func `close tells unsent changes from changes with an unknown outcome`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let sent = try bench.want(.edit([.remove(bench.items[0])]))
        try bench.lose()
        let unsent = try bench.want(.edit([.remove(bench.items[1])]))
        bench.core.finish()
        let late = try bench.want(.undo)
        try bench.take(bench.core.close(now: bench.now))
        #expect(bench.failure(of: sent) == .outcomeUnknown("the daemon closed the connection"))
        for intent in [unsent, late] {
            guard case .notMade? = bench.failure(of: intent) else {
                Issue.record("it was never sent")
                continue
            }
        }
        #expect(bench.shown?.connection == .ended(.clientClosed))
        #expect(bench.shown?.trip == bench.daemon.trip)
        #expect(bench.core.nextDeadline == nil)
        #expect(bench.results.values.allSatisfy { $0.count == 1 })
    }

    @Test func `the deletion of the trip ends the live trip`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let intent = try bench.want(.edit([.remove(bench.items[0])]))
        try bench.send(.tripDeleted(bench.daemon.trip.header.id))
        #expect(bench.shown?.connection == .ended(.tripDeleted))
        #expect(bench.failure(of: intent) == .outcomeUnknown("the trip was deleted"))
        #expect(bench.actions.contains(.disconnect))
        #expect(bench.core.nextDeadline == nil)
    }
}
