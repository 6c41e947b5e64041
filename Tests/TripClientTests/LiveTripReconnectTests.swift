import JSONLine
import Testing
import TripModel

@testable import TripClient
@testable import TripProtocol

/// Losing the connection at every point, and reconnecting.
@Suite struct LiveTripReconnectTests {
    private func isNotMade(_ error: ClientError?) -> Bool {
        if case .notMade? = error { true } else { false }
    }

    @Test func `a connection lost before hello's answer is opened again`() throws {
        var bench = try CoreBench()
        try bench.start()
        try bench.opened()
        try bench.lose()
        #expect(bench.core.connection == .connecting(attempt: 1, reason: .closed(nil)))
        try bench.reconnect()
        try bench.subscribe()
        #expect(bench.shown?.connection == .connected)
    }

    @Test func `a connection lost between hello and the first state is opened again`() throws {
        var bench = try CoreBench()
        try bench.start()
        try bench.opened()
        try bench.welcome()
        try bench.lose(.closed(.slowConsumer))
        try bench.reconnect()
        #expect(try #require(bench.asked.first).params["since"] == nil)
        try bench.subscribe()
        #expect(bench.shown?.trip == bench.daemon.trip)
    }

    @Test func `without pending changes the client continues from its version`() throws {
        var bench = try CoreBench()
        try bench.begin()
        try bench.lose()
        #expect(bench.shown?.connection == .connecting(attempt: 1, reason: .closed(nil)))
        #expect(bench.shown?.people.isEmpty == true)
        #expect(bench.shown?.connectionID == nil)
        #expect(bench.shown?.trip == bench.daemon.trip)
        try bench.reconnect()
        let since = try #require(bench.asked.first).params["since"]
        #expect(since?["epoch"]?.string == "a")
        #expect(since?["version"]?.int == 1)
        try bench.subscribeUpToDate()
        #expect(bench.shown?.connection == .connected)
        #expect(bench.shown?.trip == bench.daemon.trip)
        let delta = try bench.make([.remove(bench.items[0])])
        try bench.send(delta.line())
        #expect(bench.shown?.version == 2)
    }

    @Test func `a change that the daemon did not receive is sent again`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let item = bench.items[0]
        let intent = try bench.want(.edit([.move(item, to: .end(day: 2))]))
        let first = try bench.next("item.move")
        try bench.lose()
        #expect(bench.day(of: item) == 2)
        #expect(bench.shown?.unsentCount == 1)
        try bench.reconnect()
        // Nothing is sent before the subscription.
        #expect(bench.asked.map(\.method) == ["trip.subscribe"])
        try bench.subscribeUpToDate()
        let again = try bench.next("item.move")
        #expect(again.text == first.text)
        let delta = try bench.make([.move(item, to: .end(day: 2))], by: "Ann")
        try bench.accept(again)
        try bench.send(delta.line())
        #expect(bench.version(of: intent) == 2)
        #expect(bench.shown?.trip == bench.daemon.trip)
    }

    @Test func `a change whose answer was lost is sent again and applied once`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let item = bench.items[0]
        let intent = try bench.want(.edit([.move(item, to: .end(day: 2))]))
        let delta = try bench.make([.move(item, to: .end(day: 2))], by: "Ann")
        try bench.lose()
        try bench.reconnect()
        try bench.subscribe(with: delta)
        #expect(bench.day(of: item) == 2)
        #expect(bench.shown?.pendingCount == 1)
        // The cached answer.
        try bench.accept(bench.next("item.move"))
        #expect(bench.version(of: intent) == 2)
        #expect(bench.core.pending.isEmpty)
        #expect(bench.shown?.trip == bench.daemon.trip)
    }

    @Test func `an answered change whose state was lost stays on the screen`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let item = bench.items[0]
        try bench.want(.edit([.move(item, to: .end(day: 2))]))
        let delta = try bench.make([.move(item, to: .end(day: 2))], by: "Ann")
        try bench.accept(bench.next("item.move"))
        try bench.lose()
        #expect(bench.day(of: item) == 2)
        #expect(bench.shown?.pendingCount == 0)
        try bench.reconnect()
        try bench.subscribe(with: delta)
        #expect(bench.asked.isEmpty)
        #expect(bench.core.pending.isEmpty)
        #expect(bench.shown?.trip == bench.daemon.trip)
    }

    @Test func `an answered change that the daemon has lost is no longer shown`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let before = bench.daemon
        let item = bench.items[0]
        try bench.want(.edit([.move(item, to: .end(day: 2))]))
        _ = try bench.make([.move(item, to: .end(day: 2))], by: "Ann")
        try bench.accept(bench.next("item.move"))
        try bench.lose()
        // A power failure under relaxed durability, or a backup: the version no longer exists.
        bench.daemon = before
        try bench.reconnect()
        try bench.subscribe(because: .ahead)
        #expect(bench.day(of: item) == 1)
        #expect(bench.core.pending.isEmpty)
    }

    @Test func `several changes are sent again in order with their numbers`() throws {
        var bench = try CoreBench()
        try bench.begin()
        try bench.want(.edit([.move(bench.items[0], to: .end(day: 2))]))
        try bench.want(.edit([.remove(bench.items[1])]))
        try bench.accept(bench.next("item.move"), noop: true)
        try bench.lose()
        try bench.want(.undo)
        try bench.want(.edit([.trip(TripChange(name: "N"))]))
        #expect(bench.shown?.pendingCount == 3)
        #expect(bench.shown?.trip.header.name == "N")
        try bench.reconnect()
        try bench.subscribeUpToDate()
        // The undo is for a change that is known to be applied.
        let remove = try bench.next("item.remove")
        #expect(bench.asked.isEmpty)
        _ = try bench.make([.remove(bench.items[1])], by: "Ann")
        try bench.accept(remove)
        #expect(bench.asked.map(\.method) == ["trip.undo", "trip.update"])
        #expect([remove.seq] + bench.asked.map(\.seq) == [2, 3, 4])
    }

    @Test func `changes refused after a reconnect fail with the reason`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let intent = try bench.want(.edit([.move(bench.items[0], to: .end(day: 2))]))
        try bench.lose()
        try bench.reconnect()
        try bench.subscribeUpToDate()
        try bench.refuse(bench.next("item.move"), .sequenceTooOld)
        #expect(isNotMade(bench.failure(of: intent)))
        #expect(bench.shown?.trip == bench.daemon.trip)
        // For a change that was sent once it means that another program uses this client id.
        let other = try bench.want(.edit([.move(bench.items[0], to: .end(day: 2))]))
        try bench.refuse(bench.next("item.move"), .sequenceTooOld)
        guard case .refused? = bench.failure(of: other) else {
            Issue.record("it is refused")
            return
        }
    }

    @Test func `a new history replaces the trip, and pending changes are applied to it`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let item = bench.items[1]
        try bench.changeByAnother([.remove(bench.items[0])])
        let intent = try bench.want(.edit([.move(item, to: .end(day: 2))]))
        try bench.lose()
        bench.daemon = try SampleTrip.snapshot(1, epoch: "b", items: 3)
        try bench.reconnect()
        try bench.subscribe(because: .epochChanged)
        #expect(bench.shown?.epoch == "b")
        #expect(bench.shown?.version == 1)
        #expect(bench.shown?.trip.itemCount == 3)
        #expect(bench.day(of: item) == 2)
        let request = try bench.next("item.move")
        #expect(request.seq == 1)
        let delta = try bench.make([.move(item, to: .end(day: 2))], by: "Ann")
        try bench.accept(request)
        try bench.send(delta.line())
        #expect(bench.version(of: intent) == 2)
        #expect(bench.shown?.trip == bench.daemon.trip)
    }

    @Test func `a change whose write to disk failed is sent again to the next daemon`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let item = bench.items[0]
        let doubtful = try bench.want(.edit([.move(item, to: .end(day: 2))]))
        try bench.refuse(bench.next("item.move"), .outcomeUnknown)
        #expect(bench.results[doubtful] == nil)
        #expect(bench.shown?.pendingCount == 1)
        // It is not sent again to the same daemon, which would refuse it as it refuses all later changes.
        let later = try bench.want(.edit([.remove(bench.items[1])]))
        #expect(bench.asked.map(\.method) == ["item.remove"])
        try bench.refuse(bench.next("item.remove"), .storageFailed)
        #expect(bench.failure(of: later) != nil)
        // A new connection to the same daemon changes nothing.
        try bench.lose()
        try bench.reconnect()
        try bench.subscribeUpToDate()
        try bench.refuse(bench.next("item.move"), .storageFailed)
        #expect(bench.results[doubtful] == nil)
        try bench.lose(.closed(.shuttingDown))
        try bench.reconnect()
        try bench.subscribeUpToDate()
        let request = try bench.next("item.move")
        #expect(request.seq == 1)
        let delta = try bench.make([.move(item, to: .end(day: 2))], by: "Ann")
        try bench.accept(request)
        try bench.send(delta.line())
        #expect(bench.version(of: doubtful) == 2)
        #expect(bench.shown?.trip == bench.daemon.trip)
    }

    // MARK: Delays, and errors without a retry

    @Test func `delays double up to the maximum with jitter, and start again after a subscription`()
        throws
    {
        var firsts: Set<Duration> = []
        for seed in 0..<20 as Range<UInt64> {
            var bench = try CoreBench(seed: seed)
            try bench.begin()
            var whole = Backoff.first
            for attempt in 1...12 {
                let before = bench.now
                if attempt == 1 {
                    try bench.lose()
                } else {
                    let failure = ClientError.noDaemon(socket: "s")
                    try bench.take(bench.core.connectFailed(failure, isFatal: false, now: bench.now))
                    #expect(bench.shown?.connection == .connecting(attempt: attempt, reason: failure))
                }
                let pause = try #require(bench.core.nextDeadline) - before
                if attempt == 1 { firsts.insert(pause) }
                #expect(pause <= whole && pause > whole / 2 - .nanoseconds(1))
                // Calling it too early has no effect.
                try bench.take(bench.core.timer(now: bench.now))
                #expect(bench.actions.isEmpty)
                try bench.waitForDeadline()
                #expect(bench.actions == [.connect])
                whole = min(whole * 2, .seconds(5))
            }
            try bench.opened()
            try bench.welcome()
            try bench.subscribeUpToDate()
            let before = bench.now
            try bench.lose()
            #expect(try #require(bench.core.nextDeadline) - before <= .milliseconds(100))
            #expect(bench.shown?.connection == .connecting(attempt: 1, reason: .closed(nil)))
        }
        #expect(firsts.count > 10)
    }

    @Test func `the delay grows for a daemon that answers hello and then fails repeatedly`() throws {
        var bench = try CoreBench()
        try bench.begin()
        for _ in 0..<10 {
            try bench.lose()
            try bench.reconnect()
            try bench.refuse(bench.next("trip.subscribe"), .internalError)
            #expect(bench.actions.first == .disconnect)
        }
        #expect(try #require(bench.core.nextDeadline) - bench.now > .seconds(2))
    }

    @Test(arguments: [ErrorReason.unsupportedProtocol, .invalidParams, .textNotAllowed, .limitExceeded])
    func `a refused hello ends the live trip`(reason: ErrorReason) throws {
        var bench = try CoreBench()
        try bench.begin()
        let intent = try bench.want(.edit([.remove(bench.items[0])]))
        try bench.lose()
        try bench.waitForDeadline()
        try bench.opened()
        try bench.refuse(bench.next("hello"), reason)
        expectEnd(bench, reason)
        #expect(bench.results[intent]?.count == 1)
    }

    @Test(arguments: [ErrorReason.tripNotFound, .tripCorrupt, .invalidParams])
    func `a refused subscription ends the live trip`(reason: ErrorReason) throws {
        var bench = try CoreBench()
        try bench.begin()
        try bench.lose()
        try bench.reconnect()
        try bench.refuse(bench.next("trip.subscribe"), reason)
        expectEnd(bench, reason)
    }

    private func expectEnd(_ bench: CoreBench, _ reason: ErrorReason) {
        guard case .ended(.refused(let error))? = bench.shown?.connection else {
            Issue.record("it has ended: \(String(describing: bench.shown?.connection))")
            return
        }
        #expect(error.known == reason)
        #expect(bench.actions.contains(.disconnect))
        #expect(bench.core.nextDeadline == nil)
    }

    @Test func `an error that is certain to recur is not retried`() throws {
        var bench = try CoreBench()
        try bench.start()
        let error = ClientError.otherUser(socket: "s", message: "bob listens")
        try bench.take(bench.core.connectFailed(error, isFatal: true, now: bench.now))
        #expect(bench.core.connection == .ended(error))
        #expect(bench.core.nextDeadline == nil)
    }

    @Test func `the client reconnects to a daemon that shuts down, and shows the reason`() throws {
        for reason in [
            GoodbyeReason.shuttingDown, .slowConsumer, .badLines, .handshakeTimeout, .accessChanged,
        ] {
            var bench = try CoreBench()
            try bench.begin()
            try bench.send(.goodbye(reason))
            try bench.lose()
            #expect(bench.shown?.connection == .connecting(attempt: 1, reason: .closed(reason)))
            try bench.reconnect()
            try bench.subscribeUpToDate()
            try bench.lose()
            // A goodbye counts only for its own connection.
            #expect(bench.shown?.connection == .connecting(attempt: 1, reason: .closed(nil)))
        }
    }

    @Test func `a daemon with too many clients is tried again`() throws {
        var bench = try CoreBench()
        try bench.start()
        try bench.opened()
        try bench.send(ServerLine.error(nil, WireError(.limitExceeded, "full")))
        #expect(bench.actions.first == .disconnect)
        #expect(bench.core.nextDeadline != nil)
    }

    @Test func `garbage before hello's answer means no daemon, afterwards a bad connection`() throws {
        var bench = try CoreBench()
        try bench.start()
        try bench.opened()
        try bench.send(Array("HTTP/1.1 400 Bad Request\n".utf8))
        guard case .ended(.garbled) = bench.core.connection else {
            Issue.record("it has ended")
            return
        }
        var other = try CoreBench()
        try other.begin()
        try other.send(Array("{}\n".utf8))
        #expect(other.actions.first == .disconnect)
        guard case .connecting(1, .garbled)? = other.shown?.connection else {
            Issue.record("it tries again")
            return
        }
    }

    @Test func `the client disconnects from a daemon that does not answer`() throws {
        var bench = try CoreBench()
        try bench.start()
        try bench.opened()
        try bench.waitForDeadline()
        #expect(bench.actions.first == .disconnect)
        try bench.reconnect()
        try bench.waitForDeadline()
        #expect(bench.actions.first == .disconnect)
        try bench.reconnect()
        try bench.subscribe()
        #expect(bench.core.connection == .connected)
    }
}
