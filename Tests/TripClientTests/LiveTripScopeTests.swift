import LocalSystem
import TestSupport
import Testing
import TripModel

@testable import TripClient
@testable import TripProtocol

/// The lifetime of a live trip, the sharing of client ids, and changes that return at once.
@Suite(.timeLimit(.minutes(10))) struct LiveTripScopeTests {
    private func served(items count: Int = 3) async throws -> (trips: ServedTrips, made: Snapshot) {
        let trips = try ServedTrips()
        let (client, _) = try await TripClient.connect(
            to: trips.socket, saying: Hello(clientName: "test", clientVersion: "1", user: "Zoe"))
        return (trips, try await client.create(SampleTrip.draft("t", items: count)))
    }

    private func open(
        _ trips: ServedTrips, _ options: LiveTrip.Options = LiveTrip.Options(user: "Ann")
    ) async throws -> LiveTrip {
        try await LiveTrip.open(.slug("t"), at: DaemonAddress(path: trips.socket), options: options)
    }

    private func state(
        of live: LiveTrip, where isWanted: (LiveTrip.State) -> Bool
    ) async throws -> LiveTrip.State {
        for await state in live.states where isWanted(state) { return state }
        throw ClientError.notMade("the states ended before the expected one")
    }

    private func failure<Value>(_ body: () async throws(ClientError) -> Value) async -> ClientError? {
        do throws(ClientError) { _ = try await body() } catch { return error }
        return nil
    }

    private let tea = ItemContent.custom(CustomItem(title: "Tea"))

    // MARK: The end

    @Test func `live trips without references leave the trip and deliver their changes`() async throws {
        let (trips, _) = try await served()
        let ann = try await open(trips)
        for number in 1...3 {
            let live = try await open(trips, LiveTrip.Options(user: "Gone"))
            live.submit(.edits([.add(SampleTrip.item(100 + number), tea, to: nil)]))
        }
        let last = try await state(of: ann) { state in
            state.people.map(\.user) == ["Ann"] && state.trip.itemCount == 6
        }
        #expect(last.trip[SampleTrip.item(103)] != nil)
        await ann.close()
    }

    @Test func `a reader of the states keeps a live trip open`() async throws {
        let (trips, _) = try await served()
        var states = try await open(trips).states.makeAsyncIterator()
        var last = await states.next()
        #expect(last?.connection == .connected)
        let bob = try await open(trips, LiveTrip.Options(user: "Bob"))
        try await bob.add(tea)
        while let state = last, state.trip.itemCount < 4 { last = await states.next() }
        #expect(last?.connection == .connected)
        await bob.close()
    }

    @Test func `a live trip for a scope is closed at its end, also by an error`() async throws {
        let (trips, _) = try await served()
        let address = DaemonAddress(path: trips.socket)
        let kept = Guarded<LiveTrip?>(nil)
        let version = try await withLiveTrip(.slug("t"), at: address) { live in
            kept.withLock { $0 = live }
            return try await live.add(tea).version
        }
        #expect(version == 2)
        #expect(kept.withLock { $0 }?.state.connection == .ended(.clientClosed))
        await #expect(throws: CancellationError.self) {
            try await withLiveTrip(.slug("t"), at: address) { live -> Void in
                kept.withLock { $0 = live }
                throw CancellationError()
            }
        }
        #expect(kept.withLock { $0 }?.state.connection == .ended(.clientClosed))
        let names = try await TripClient.withConnection(
            to: address, saying: Hello(clientName: "test", clientVersion: "1")
        ) { client, welcome in
            #expect(welcome.connectionID > 0)
            return try await client.trips().map(\.header.slug)
        }
        #expect(names == ["t"])
    }

    @Test func `after close a call fails with the reason that the app closed it`() async throws {
        let (trips, made) = try await served()
        let ann = try await open(trips)
        await ann.close()
        let item = made.trip.items[0].id
        #expect(
            await failure { () async throws(ClientError) in try await ann.remove(item) }
                == .notMade("this client was closed"))
        #expect(
            await failure { () async throws(ClientError) in try await ann.beginDrag(of: item) }
                == .notMade("this client was closed"))
        #expect(
            await failure { () async throws(ClientError) in try await ann.history() } == .clientClosed)
    }

    // MARK: The client id

    @Test func `two live trips of one process cannot share a client id in a trip`() async throws {
        let (trips, made) = try await served()
        let options = LiveTrip.Options(user: "Ann", clientID: .random())
        let ann = try await open(trips, options)
        let address = DaemonAddress(path: trips.socket)
        for name in [TripReference.slug("t"), .id(made.trip.header.id)] {
            let twin = await failure { () async throws(ClientError) in
                try await LiveTrip.open(name, at: address, options: options)
            }
            guard case .inUse? = twin else {
                Issue.record("\(String(describing: twin))")
                return
            }
        }
        try await ann.add(tea)
        await ann.close()
        // One after the other they may.
        let next = try await open(trips, options)
        try await next.undo()
        #expect(try await state(of: next) { $0.version == 3 }.trip.itemCount == 3)
        await next.close()
    }

    // MARK: Changes that return at once

    @Test func `a submitted change returns with the state that shows it, and keeps its order`() async throws {
        let (trips, made) = try await served()
        let ann = try await open(trips)
        let items = made.trip.items.map(\.id)
        let first = ann.submit(.edits([.move(items[2], to: .start(day: 1))]))
        #expect(first.state.trip.shownIDs.first == items[2])
        #expect(first.state.pendingCount == 1)
        let second = ann.submit(.edits([.move(items[1], to: .start(day: 1))]))
        #expect(second.state.trip.shownIDs.first == items[1])
        #expect(ann.state.trip.shownIDs.prefix(2) == [items[1], items[2]])
        #expect(try await second.result.version == 3)
        #expect(try await first.result.version == 2)
        #expect(try await first.result.version == 2)
        await ann.close()
    }

    @Test func `changes of many threads are each shown at once and applied in their order`() async throws {
        let (trips, _) = try await served(items: 1)
        let ann = try await open(trips)
        let lost = await withTaskGroup(of: Int.self) { group in
            for lane in 0..<4 {
                group.addTask {
                    var (lost, last) = (0, 0)
                    for number in 0..<50 {
                        let id = SampleTrip.item(1000 + lane * 100 + number)
                        let change = ann.submit(.edits([.add(id, tea, to: nil)]))
                        if change.state.trip[id] == nil || ann.state.trip[id] == nil { lost += 1 }
                        guard let version = try? await change.result.version, version > last else {
                            lost += 1
                            continue
                        }
                        last = version
                    }
                    return lost
                }
            }
            return await group.reduce(0, +)
        }
        #expect(lost == 0)
        #expect(ann.state.trip.itemCount == 201)
        await ann.close()
    }

    // MARK: Queries, preconditions, news

    @Test func `a dry run changes nothing, a precondition holds, and the history names the authors`()
        async throws
    {
        let (trips, made) = try await served()
        let ann = try await open(trips)
        let bob = try await open(trips, LiveTrip.Options(user: "Bob"))
        let item = made.trip.items[0].id
        #expect(try await ann.dryRun([.remove(item)]).isNoop == false)
        guard
            case .refused? = await failure({ () async throws(ClientError) in
                try await ann.dryRun([.remove(SampleTrip.item(900))])
            })
        else {
            Issue.record("it is not in the trip")
            return
        }
        #expect(ann.state.trip[item] != nil)
        try await bob.move(item, to: .end(day: 2))
        let refusal = await failure { () async throws(ClientError) in
            try await ann.remove(item, options: LiveTrip.ChangeOptions(ifVersion: 1))
        }
        guard case .refused(let error)? = refusal, error.known == .versionConflict else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        let old = await failure { () async throws(ClientError) in
            try await ann.remove(item, options: LiveTrip.ChangeOptions(ifItemVersion: 1))
        }
        guard case .refused(let error)? = old, error.known == .versionConflict else {
            Issue.record("\(String(describing: old))")
            return
        }
        _ = try await state(of: ann) { $0.trip[item]?.position.day == 2 }
        #expect(try await ann.history(limit: 1).map(\.user) == ["Bob"])
        let news = ann.takeNews()
        #expect(news.map(\.user) == ["Bob"])
        #expect(news.first?.after?.position.day == 2)
        #expect(ann.takeNews().isEmpty)
        await ann.close()
        await bob.close()
    }
}
