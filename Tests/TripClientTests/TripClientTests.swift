import TestSupport
import Testing
import TripModel

@testable import TripClient
@testable import TripProtocol

/// The client with a real daemon.
@Suite(.timeLimit(.minutes(10))) struct TripClientTests {
    private func connect(
        to trips: ServedTrips, as user: String = "Ann", role: Hello.Role = .editor
    ) async throws -> (client: TripClient, welcome: Welcome) {
        try await TripClient.connect(
            to: trips.socket,
            saying: Hello(clientName: "test", clientVersion: "1", user: user, role: role))
    }

    /// The reason of a request that must be refused.
    private func reason(_ body: () async throws(ClientError) -> Void) async throws -> ErrorReason? {
        do throws(ClientError) {
            try await body()
        } catch {
            guard case .refused(let refusal) = error else { throw error }
            #expect(refusal.code == refusal.known?.code)
            #expect(!error.description.isEmpty)
            return refusal.known
        }
        return nil
    }

    /// The next notification except presence, which may come at any time.
    private func nextState(_ notifications: TripClient.Notifications.Iterator) async throws
        -> TripNotification?
    {
        while let next = try await notifications.next() {
            guard case .presence = next else { return next }
        }
        return nil
    }

    @Test func `requests get typed answers`() async throws {
        let trips = try ServedTrips()
        let (ann, welcome) = try await connect(to: trips)
        #expect(welcome.version == .current)
        #expect(welcome.role == .editor)
        #expect(welcome.durability == .relaxed)
        #expect(try await ann.trips().isEmpty)
        let made = try await ann.create(SampleTrip.draft("t", items: 3))
        #expect(made.trip.version == 1)
        #expect(made.trip.items.map(\.content.title) == ["Item 1", "Item 2", "Item 3"])
        #expect(try await ann.snapshot(of: .slug("t")) == made)
        #expect(try await ann.snapshot(of: .id(made.trip.header.id)) == made)
        let listed = try await ann.trips()
        #expect(listed.map(\.header) == [made.trip.header])
        #expect(listed.map(\.itemCount) == [3])
        #expect(listed.map(\.state) == [.usable])

        let first = made.trip.items[0].id
        let move = ChangeRequest(method: .moveItem, trip: .slug("t"), edits: [.move(first, to: .end(day: 3))])
        let moved = try await ann.change(move)
        #expect(moved.version == 2)
        #expect(!moved.isNoop)
        #expect(moved.items.map(\.position.day) == [3])
        let again = try await ann.change(move)
        #expect(again.isNoop)
        #expect(again.version == 2)
        let batch = ChangeRequest(
            method: .apply, trip: .slug("t"),
            edits: [.remove(made.trip.items[1].id), .move(made.trip.items[2].id, to: .start(day: 2))])
        #expect(try await ann.change(batch).version == 3)
        #expect(try await ann.snapshot(of: .slug("t")).trip.items.map(\.position.day) == [2, 3])
        try await ann.delete(.slug("t"))
        #expect(try await ann.trips().isEmpty)
        await ann.close()
    }

    @Test func `refusals have their reason`() async throws {
        let trips = try ServedTrips()
        let (ann, _) = try await connect(to: trips)
        let (viewer, _) = try await connect(to: trips, as: "Vic", role: .viewer)
        let made = try await ann.create(SampleTrip.draft("t", items: 1))
        let item = made.trip.items[0].id
        func move(_ item: ItemID, to placement: Placement) -> ChangeRequest {
            ChangeRequest(method: .moveItem, trip: .slug("t"), edits: [.move(item, to: placement)])
        }
        #expect(
            try await reason { () async throws(ClientError) in _ = try await ann.snapshot(of: .slug("u")) }
                == .tripNotFound)
        #expect(
            try await reason { () async throws(ClientError) in
                _ = try await ann.create(SampleTrip.draft("t"))
            } == .slugTaken)
        #expect(
            try await reason { () async throws(ClientError) in
                _ = try await ann.change(move(.random(), to: .end(day: 1)))
            } == .itemNotFound)
        #expect(
            try await reason { () async throws(ClientError) in
                _ = try await ann.change(move(item, to: .end(day: 6)))
            } == .dayOutOfRange)
        #expect(
            try await reason { () async throws(ClientError) in
                _ = try await viewer.change(move(item, to: .end(day: 2)))
            } == .readOnly)
        #expect(
            try await reason { () async throws(ClientError) in
                _ = try await ann.hover(DragID("none"), over: nil)
            } == .dragNotFound)
        let unspoken = Hello(
            version: ProtocolVersion(major: 9, minor: 0), clientName: "x", clientVersion: "1")
        #expect(
            try await reason { () async throws(ClientError) in
                _ = try await TripClient.connect(to: trips.socket, saying: unspoken)
            } == .unsupportedProtocol)
        // The connection is still usable.
        #expect(try await ann.change(move(item, to: .end(day: 2))).version == 2)
        await ann.close()
        await viewer.close()
    }

    @Test func `concurrent requests each get their own answer`() async throws {
        let trips = try ServedTrips()
        let (ann, _) = try await connect(to: trips)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let made = try await ann.create(SampleTrip.draft("t\(number)"))
                    #expect(made.trip.header.slug == "t\(number)")
                }
            }
            try await group.waitForAll()
        }
        #expect(try await ann.trips().count == 100)
        await ann.close()
    }

    @Test func `notifications arrive in the daemon's order`() async throws {
        let trips = try ServedTrips()
        let (ann, mine) = try await connect(to: trips)
        let (bob, his) = try await connect(to: trips, as: "Bob")
        let made = try await bob.create(SampleTrip.draft("t", items: 1))
        let item = made.trip.items[0].id
        let (snapshot, users) = try await ann.subscribe(Subscribe(trip: .slug("t")))
        #expect(snapshot == made)
        #expect(users.map(\.connectionID) == [mine.connectionID])
        let notifications = ann.notifications.makeAsyncIterator()
        for day in 2...5 {
            _ = try await bob.change(
                ChangeRequest(method: .moveItem, trip: .slug("t"), edits: [.move(item, to: .end(day: day))]))
            guard
                case .snapshot(let news, let previous, let skipped, let cause)? = try await nextState(
                    notifications)
            else {
                Issue.record("a new state is expected")
                return
            }
            #expect(news.trip.version == day)
            #expect(news.trip[item]?.position.day == day)
            #expect(previous == day - 1)
            #expect(skipped == 0)
            #expect(cause == Cause(user: "Bob", clientID: his.clientID, method: "item.move"))
            #expect(news == (try await bob.snapshot(of: .slug("t"))))
        }
        try await bob.delete(.slug("t"))
        #expect(try await nextState(notifications) == .tripDeleted(made.trip.header.id))
        await ann.close()
        #expect(try await notifications.next() == nil)
        await bob.close()
    }

    @Test func `an unread state is replaced by a newer state`() async throws {
        let trips = try ServedTrips()
        let (ann, _) = try await connect(to: trips)
        let made = try await ann.create(SampleTrip.draft("t", items: 1))
        _ = try await ann.subscribe(Subscribe(trip: .slug("t")))
        for turn in 0..<50 {
            let edit = Edit.move(made.trip.items[0].id, to: .end(day: 2 + turn % 2))
            _ = try await ann.change(ChangeRequest(method: .moveItem, trip: .slug("t"), edits: [edit]))
        }
        // The answer to this comes after the last state.
        _ = try await ann.perform(.sync(.slug("t")))
        let notifications = ann.notifications.makeAsyncIterator()
        guard case .snapshot(let news, let previous, let skipped, _)? = try await nextState(notifications)
        else {
            Issue.record("a new state is expected")
            return
        }
        #expect(news.trip.version == 51)
        #expect(previous == 1)
        #expect(skipped == 49)
        await ann.close()
        #expect(try await notifications.next() == nil)
    }

    @Test func `a cancelled reader stops waiting, and another continues`() async throws {
        let trips = try ServedTrips()
        let (ann, _) = try await connect(to: trips)
        let made = try await ann.create(SampleTrip.draft("t", items: 1))
        _ = try await ann.subscribe(Subscribe(trip: .slug("t")))
        for _ in 0..<20 {
            let reader = Task { try await nextState(ann.notifications.makeAsyncIterator()) }
            reader.cancel()
            #expect(try await reader.value == nil)
        }
        let edit = Edit.move(made.trip.items[0].id, to: .end(day: 2))
        _ = try await ann.change(ChangeRequest(method: .moveItem, trip: .slug("t"), edits: [edit]))
        guard case .snapshot(let news, _, _, _)? = try await nextState(ann.notifications.makeAsyncIterator())
        else {
            Issue.record("a new state is expected")
            return
        }
        #expect(news.trip.version == 2)
        await ann.close()
    }

    @Test func `another client sees a drag from its beginning to its drop`() async throws {
        let trips = try ServedTrips()
        let (ann, mine) = try await connect(to: trips)
        let (bob, _) = try await connect(to: trips, as: "Bob")
        let made = try await ann.create(SampleTrip.draft("t", items: 2))
        let item = made.trip.items[0].id
        _ = try await ann.subscribe(Subscribe(trip: .slug("t")))
        _ = try await bob.subscribe(Subscribe(trip: .slug("t")))
        let start = try await ann.beginDrag(of: item, in: .slug("t"))
        #expect(start.version == 1)
        try await ann.hover(start.drag, over: .end(day: 4))
        let notifications = bob.notifications.makeAsyncIterator()
        var isSeen = false
        while !isSeen, case .presence(_, let users)? = try await notifications.next() {
            let person = users.first { $0.connectionID == mine.connectionID }
            isSeen = person?.dragging == item && person?.over == .end(day: 4)
        }
        #expect(isSeen)
        #expect(
            try await reason { () async throws(ClientError) in
                _ = try await bob.beginDrag(of: item, in: .slug("t"))
            } == .itemHeld)
        let dropped = try await ann.drop(Drop(drag: start.drag, placement: .end(day: 4), trip: .slug("t")))
        #expect(dropped.version == 2)
        #expect(dropped.items.map(\.position.day) == [4])
        let other = try await bob.beginDrag(of: item, in: .slug("t"))
        try await bob.cancel(other.drag)
        #expect(try await bob.snapshot(of: .slug("t")).trip.version == 2)
        await ann.close()
        await bob.close()
    }

    @Test func `a drag without references ends with a notification`() async throws {
        let trips = try ServedTrips(leaseTime: .milliseconds(20))
        let (ann, _) = try await connect(to: trips)
        let made = try await ann.create(SampleTrip.draft("t", items: 1))
        let start = try await ann.beginDrag(of: made.trip.items[0].id, in: .slug("t"))
        let notifications = ann.notifications.makeAsyncIterator()
        #expect(
            try await notifications.next()
                == .dragEnded(start.drag, item: made.trip.items[0].id, reason: .expired))
        #expect(
            try await reason { () async throws(ClientError) in
                _ = try await ann.drop(Drop(drag: start.drag, placement: .end(day: 2)))
            } == .leaseExpired)
        await ann.close()
    }

    @Test func `after close nothing is sent, and every call fails`() async throws {
        let trips = try ServedTrips()
        let (ann, _) = try await connect(to: trips)
        #expect(await ann.ending == nil)
        await ann.close()
        await ann.close()
        #expect(await ann.ending == .clientClosed)
        await #expect(throws: ClientError.clientClosed) { try await ann.trips() }
        await #expect(throws: ClientError.notMade("this client was closed")) {
            try await ann.delete(.slug("t"))
        }
        for try await notification in ann.notifications { Issue.record("\(notification)") }
    }

    @Test func `a daemon that stops sends goodbye`() async throws {
        let trips = try ServedTrips()
        let (ann, _) = try await connect(to: trips)
        trips.stop()
        var last: TripNotification?
        for try await notification in ann.notifications { last = notification }
        #expect(last == .goodbye(.shuttingDown))
        #expect(await ann.ending == .closed(.shuttingDown))
        await #expect(throws: ClientError.closed(.shuttingDown)) { try await ann.trips() }
        trips.crash()
        let error = await #expect(throws: ClientError.self) { try await connect(to: trips) }
        #expect(error == .noDaemon(socket: trips.socket))
    }

    @Test func `a missing daemon and an unusable path give different errors`() async throws {
        let directory = try TemporaryDirectory()
        let hello = Hello(clientName: "test", clientVersion: "1")
        let nothing = directory.path + "/s"
        await #expect(throws: ClientError.noDaemon(socket: nothing)) {
            try await TripClient.connect(to: nothing, saying: hello)
        }
        let long = directory.path + "/" + String(repeating: "s", count: 200)
        let error = await #expect(throws: ClientError.self) {
            try await TripClient.connect(to: long, saying: hello)
        }
        guard case .unreachable(let message)? = error else {
            Issue.record("it is too long")
            return
        }
        #expect(message.contains("at most"))
    }
}
