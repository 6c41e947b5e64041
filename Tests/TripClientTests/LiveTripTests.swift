import LocalSystem
import TestSupport
import Testing
import TripModel

@testable import TripClient
@testable import TripProtocol

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A live trip with a real daemon.
@Suite(.timeLimit(.minutes(10))) struct LiveTripTests {
    private func open(_ trips: ServedTrips, as user: String = "Ann") async throws -> LiveTrip {
        try await LiveTrip.open(
            .slug("t"), at: DaemonAddress(path: trips.socket), options: LiveTrip.Options(user: user))
    }

    /// A daemon with a trip.
    private func served(items count: Int = 3) async throws -> (trips: ServedTrips, made: Snapshot) {
        let trips = try ServedTrips()
        let (client, _) = try await TripClient.connect(
            to: trips.socket, saying: Hello(clientName: "test", clientVersion: "1", user: "Zoe"))
        let made = try await client.create(SampleTrip.draft("t", items: count))
        await client.close()
        return (trips, made)
    }

    /// The daemon's own trip.
    private func trip(of trips: ServedTrips) async throws -> Trip {
        let (client, _) = try await TripClient.connect(
            to: trips.socket, saying: Hello(clientName: "test", clientVersion: "1"))
        let trip = try await client.snapshot(of: .slug("t")).trip
        await client.close()
        return trip
    }

    /// The first state that meets a condition.
    private func state(
        of live: LiveTrip, where isWanted: (LiveTrip.State) -> Bool
    ) async throws -> LiveTrip.State {
        for await state in live.states where isWanted(state) { return state }
        throw ClientError.notMade("the states ended before the one that was waited for")
    }

    private func failure<Value>(
        _ body: () async throws(ClientError) -> Value
    ) async -> ClientError? {
        do throws(ClientError) { _ = try await body() } catch { return error }
        return nil
    }

    @Test func `two apps see each other's changes, and each its own at once`() async throws {
        let (trips, made) = try await served()
        let ann = try await open(trips)
        let bob = try await open(trips, as: "Bob")
        #expect(ann.state.trip == made.trip)
        let item = made.trip.items[0].id
        let moved = try await ann.move(item, to: .end(day: 3))
        #expect(moved.version == 2)
        #expect(ann.state.trip[item]?.position.day == 3)
        let seen = try await state(of: bob) { $0.version == 2 }
        #expect(seen.trip[item]?.position.day == 3)
        #expect(seen.lastCause?.user == "Ann")
        #expect(Set(seen.people.map(\.user)).isSuperset(of: ["Bob"]))
        let added = try await bob.add(.custom(CustomItem(title: "Tea")), as: SampleTrip.item(7))
        #expect(added.items.map(\.id) == [SampleTrip.item(7)])
        _ = try await bob.update(item, [.title("Hotel")])
        _ = try await bob.update(TripChange(name: "Renamed"))
        _ = try await bob.apply([.remove(made.trip.items[1].id), .remove(made.trip.items[2].id)])
        _ = try await bob.undo()
        _ = try await bob.redo()
        _ = try await bob.remove(SampleTrip.item(7))
        let last = try await state(of: ann) { $0.version == 9 }
        #expect(last.trip == (try await trip(of: trips)))
        #expect(last.trip.items.map(\.content.title) == ["Hotel"])
        #expect(last.trip.header.name == "Renamed")
        #expect(await ann.close() == 0)
        #expect(await bob.close() == 0)
    }

    @Test func `changes are applied once, however often the connection is cut`() async throws {
        let (trips, made) = try await served(items: 1)
        let ann = try await open(trips)
        let item = made.trip.items[0].id
        await withTaskGroup(of: Void.self) { group in
            for turn in 1...60 {
                group.addTask {
                    let result = await failure { () async throws(ClientError) in
                        _ = try await ann.add(
                            .custom(CustomItem(title: "Item")), as: SampleTrip.item(100 + turn))
                    }
                    #expect(result == nil)
                }
                if turn % 10 == 0 { trips.cutConnections() }
            }
        }
        _ = try await ann.update(item, [.title("Last")])
        let state = try await state(of: ann) { $0.pendingCount == 0 && $0.version == 62 }
        #expect(state.trip.itemCount == 61)
        #expect(state.trip == (try await trip(of: trips)))
        await ann.close()
    }

    @Test func `edits are shown and wait while disconnected, then they are applied`() async throws {
        let (trips, made) = try await served()
        let ann = try await open(trips)
        let item = made.trip.items[0].id
        let gone = try await trips.cutConnections {
            try await state(of: ann) { $0.connection != .connected }
        }
        guard case .connecting(1, .closed(nil)?) = gone.connection else {
            Issue.record("\(gone.connection)")
            return
        }
        let move = Task { try await ann.move(item, to: .end(day: 4)) }
        #expect(try await state(of: ann) { $0.trip[item]?.position.day == 4 }.pendingCount <= 1)
        #expect(try await move.value.version == 2)
        #expect(try await state(of: ann) { $0.connection == .connected }.people.count == 1)
        await ann.close()
    }

    @Test func `during a drag the trip does not move, and the drop shows all changes`() async throws {
        let (trips, made) = try await served()
        let ann = try await open(trips)
        let bob = try await open(trips, as: "Bob")
        let (item, other) = (made.trip.items[0].id, made.trip.items[1].id)
        try await ann.beginDrag(of: item)
        #expect(ann.state.drag == .held(item))
        #expect(
            await failure { () async throws(ClientError) in try await bob.beginDrag(of: item) } != nil)
        ann.hover(over: .end(day: 2))
        _ = try await state(of: bob) { state in
            state.people.contains { $0.dragging == item && $0.over == .end(day: 2) }
        }
        _ = try await bob.move(other, to: .end(day: 2))
        let waiting = try await state(of: ann) { $0.waitingVersions == 1 }
        #expect(waiting.trip == made.trip)
        #expect(try await ann.drop(.end(day: 2)).version == 3)
        let dropped = try await state(of: ann) { $0.version == 3 }
        #expect(dropped.trip.items(onDay: 2).map(\.id) == [other, item])
        #expect(dropped.waitingVersions == 0)
        try await ann.beginDrag(of: item)
        ann.cancelDrag()
        #expect(ann.state.drag == LiveTrip.Drag.none)
        // The end of the one drag and the beginning of the other arrive on two connections.
        while let error = await failure({ () async throws(ClientError) in try await bob.beginDrag(of: item) })
        {
            guard case .refused(let refusal) = error, refusal.known == .itemHeld else { throw error }
        }
        await ann.close()
        await bob.close()
    }

    @Test func `a lost connection ends a drag with an error`() async throws {
        let (trips, made) = try await served()
        let ann = try await open(trips)
        let item = made.trip.items[0].id
        try await ann.beginDrag(of: item)
        trips.cutConnections()
        let lost = try await state(of: ann) { $0.drag == .lost(item, reason: .disconnected) }
        #expect(lost.trip == made.trip)
        _ = try await state(of: ann) { $0.connection == .connected }
        try await ann.beginDrag(of: item)
        await ann.close()
    }

    @Test func `a cancelled caller stops waiting, and the change is applied`()
        async throws
    {
        let (trips, made) = try await served()
        let directory = try TemporaryDirectory()
        let link = directory.path + "/s"
        #expect(symlink(trips.socket, link) == 0)
        let ann = try await LiveTrip.open(.slug("t"), at: DaemonAddress(path: link))
        let item = made.trip.items[0].id
        // No daemon is found until the proxy is back.
        unlink(link)
        _ = try await trips.cutConnections { try await state(of: ann) { $0.connection != .connected } }
        let move = Task { () async -> ClientError? in
            await failure { () async throws(ClientError) in try await ann.move(item, to: .end(day: 5)) }
        }
        _ = try await state(of: ann) { $0.trip[item]?.position.day == 5 }
        move.cancel()
        guard case .outcomeUnknown? = await move.value else {
            Issue.record("the change may be made")
            return
        }
        #expect(ann.state.pendingCount == 1)
        #expect(symlink(trips.socket, link) == 0)
        _ = try await state(of: ann) { $0.version == 2 }
        #expect(try await trip(of: trips)[item]?.position.day == 5)
        // A call that is cancelled before sends nothing.
        let never = Task { () async -> ClientError? in
            withUnsafeCurrentTask { $0?.cancel() }
            return await failure { () async throws(ClientError) in try await ann.remove(item) }
        }
        #expect(await never.value == .cancelledBefore)
        #expect(ann.state.pendingCount == 0)
        await ann.close()
    }

    @Test func `a caller cancelled before its drag begins leaves another caller's drag alone`()
        async throws
    {
        let (trips, made) = try await served()
        let ann = try await open(trips)
        let items = made.trip.items.map(\.id)
        try await ann.beginDrag(of: items[1])
        let late = Task { () async -> ClientError? in
            withUnsafeCurrentTask { $0?.cancel() }
            return await failure { () async throws(ClientError) in try await ann.beginDrag(of: items[0]) }
        }
        #expect(await late.value == .cancelledBefore)
        #expect(ann.state.drag == .held(items[1]))
        await ann.close()
    }

    // MARK: The end

    @Test func `close delivers pending changes first`() async throws {
        let (trips, made) = try await served()
        let ann = try await open(trips)
        _ = try await trips.cutConnections { try await state(of: ann) { $0.connection != .connected } }
        let item = made.trip.items[0].id
        let move = Task { try await ann.move(item, to: .end(day: 5)) }
        _ = try await state(of: ann) { $0.trip[item]?.position.day == 5 }
        #expect(await ann.close(waitingUpTo: .seconds(30)) == 0)
        #expect(try await move.value.version == 2)
        #expect(try await trip(of: trips)[item]?.position.day == 5)
        #expect(ann.state.connection == .ended(.clientClosed))
        let late = await failure { () async throws(ClientError) in try await ann.remove(item) }
        guard case .notMade? = late else {
            Issue.record("nothing is taken any more: \(String(describing: late))")
            return
        }
    }

    @Test func `close counts the changes that were not delivered`() async throws {
        let (trips, made) = try await served()
        let ann = try await open(trips)
        trips.stop()
        _ = try await state(of: ann) { $0.connection != .connected }
        let item = made.trip.items[0].id
        let move = Task { () async -> ClientError? in
            await failure { () async throws(ClientError) in try await ann.move(item, to: .end(day: 5)) }
        }
        _ = try await state(of: ann) { $0.unsentCount == 1 }
        #expect(await ann.close(waitingUpTo: .milliseconds(20)) == 1)
        guard case .notMade? = await move.value else {
            Issue.record("it was never sent")
            return
        }
        #expect(await ann.close() == 0)
    }

    @Test func `after the daemon stops, the client reconnects, and the state has the reason`() async throws {
        let (trips, _) = try await served()
        let ann = try await open(trips)
        trips.stop()
        let gone = try await state(of: ann) { $0.connection != .connected }
        // Attempts to reconnect may have failed by now; the reason of the loss stays.
        #expect(gone.lastLoss == .closed(.shuttingDown))
        await ann.close()
    }

    @Test func `the deletion of the trip ends the states`() async throws {
        let (trips, _) = try await served()
        let ann = try await open(trips)
        let (client, _) = try await TripClient.connect(
            to: trips.socket, saying: Hello(clientName: "test", clientVersion: "1"))
        async let states = ann.states.reduce(into: [LiveTrip.Connection]()) { $0.append($1.connection) }
        try await client.delete(.slug("t"))
        #expect(await states.last == .ended(.tripDeleted))
        await client.close()
        var iterator = ann.states.makeAsyncIterator()
        #expect(await iterator.next()?.connection == .ended(.tripDeleted))
        #expect(await iterator.next() == nil)
    }

    @Test func `several readers each get the newest state, and a cancelled reader stops`() async throws {
        let (trips, made) = try await served()
        let ann = try await open(trips)
        let item = made.trip.items[0].id
        var slow = ann.states.makeAsyncIterator()
        #expect(await slow.next()?.trip == made.trip)
        for day in 2...5 { _ = try await ann.move(item, to: .end(day: day)) }
        _ = try await state(of: ann) { $0.version == 5 }
        #expect(await slow.next()?.version == 5)
        let reader = Task { await ann.states.reduce(0) { count, _ in count + 1 } }
        reader.cancel()
        #expect(await reader.value <= 1)
        _ = try await ann.move(item, to: .end(day: 1))
        #expect(try await state(of: ann) { $0.version == 6 }.trip[item]?.position.day == 1)
        await ann.close()
    }

    // MARK: Opening

    @Test func `a failure to open has a clear reason`() async throws {
        let (trips, _) = try await served()
        let address = DaemonAddress(path: trips.socket)
        let missing = await failure { () async throws(ClientError) in
            try await LiveTrip.open(.slug("nowhere"), at: address)
        }
        guard case .refused(let error)? = missing else {
            Issue.record("\(String(describing: missing))")
            return
        }
        #expect(error.known == .tripNotFound)
        let nameless = await failure { () async throws(ClientError) in
            try await LiveTrip.open(.slug("t"), at: address, options: LiveTrip.Options(user: "\u{1B}[2J"))
        }
        guard case .refused(let error)? = nameless else {
            Issue.record("\(String(describing: nameless))")
            return
        }
        #expect(error.known == .textNotAllowed)
        let directory = try TemporaryDirectory()
        let nothing = directory.path + "/s"
        let nobody = await failure { () async throws(ClientError) in
            try await LiveTrip.open(.slug("t"), at: DaemonAddress(path: nothing))
        }
        #expect(nobody == .noDaemon(socket: nothing))
    }

    @Test func `an app can start a daemon if none listens`() async throws {
        let (trips, _) = try await served(items: 1)
        let directory = try TemporaryDirectory()
        let (socket, served) = (directory.path + "/s", trips.socket)
        let reasons = Guarded<[ClientError?]>([])
        let ann = try await LiveTrip.open(
            .slug("t"), at: DaemonAddress(path: socket),
            options: LiveTrip.Options { reason in
                reasons.withLock { $0.append(reason) }
                _ = symlink(served, socket)
            })
        #expect(ann.state.trip.itemCount == 1)
        #expect(reasons.withLock { $0 } == [nil])
        // The second call gets the reason of the lost connection.
        unlink(socket)
        _ = try await trips.cutConnections { try await state(of: ann) { $0.connection != .connected } }
        _ = try await state(of: ann) { $0.connection == .connected }
        #expect(reasons.withLock { $0 } == [nil, .closed(nil)])
        await ann.close()
    }

    @Test func `the app's error for a daemon that cannot be started is the reason`() async throws {
        let directory = try TemporaryDirectory()
        let error = await failure { () async throws(ClientError) in
            try await LiveTrip.open(
                .slug("t"), at: DaemonAddress(path: directory.path + "/s"),
                options: LiveTrip.Options { _ throws(ClientError) in
                    throw .unreachable("no daemon is installed")
                })
        }
        #expect(error == .unreachable("no daemon is installed"))
    }
}
