import LocalSystem
import Observation
import TestSupport
import Testing
import TripModel

@testable import TripClient
@testable import TripProtocol

/// A live trip as a view observes it, with a real daemon.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct ObservableTripTests {
    private func served() async throws -> (trips: ServedTrips, made: Snapshot) {
        let trips = try ServedTrips()
        let (client, _) = try await TripClient.connect(
            to: trips.socket, saying: Hello(clientName: "test", clientVersion: "1", user: "Zoe"))
        return (trips, try await client.create(SampleTrip.draft("t", items: 3)))
    }

    private func open(_ trips: ServedTrips, as user: String = "Ann") async throws -> ObservableTrip {
        try await ObservableTrip.open(
            .slug("t"), at: DaemonAddress(path: trips.socket), options: LiveTrip.Options(user: user))
    }

    /// Waits for changes of `value` until it is the wanted one.
    private func wait<Value>(for value: () -> Value, until isWanted: (Value) -> Bool) async {
        while !isWanted(value()) {
            let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
            withObservationTracking {
                if isWanted(value()) { continuation.finish() }
            } onChange: {
                continuation.finish()
            }
            for await _ in changes {}
            // The change is announced before the value changes.
            await Task.yield()
        }
    }

    @Test func `a reordered list has changed before its callback returns`() async throws {
        let (trips, made) = try await served()
        let ann = try await open(trips)
        let items = made.trip.items.map(\.id)
        let changed = Guarded(false)
        withObservationTracking {
            _ = ann.trip
        } onChange: {
            changed.withLock { $0 = true }
        }
        let move = ann.move(items[2], to: .start(day: 1))
        #expect(ann.trip.shownIDs == [items[2], items[0], items[1]])
        #expect(ann.pendingCount == 1)
        #expect(changed.withLock { $0 })
        _ = ann.move(items[1], to: .start(day: 1))
        #expect(try await move.result.version == 2)
        // No state in flight reverts the second move.
        #expect(ann.trip.shownIDs == [items[1], items[2], items[0]])
        await wait(for: { ann.pendingCount }) { $0 == 0 }
        #expect(ann.trip.shownIDs == [items[1], items[2], items[0]])
        #expect(ann.connection == .connected)
        await ann.close()
    }

    @Test func `others' changes are observed, with their authors`() async throws {
        let (trips, made) = try await served()
        let ann = try await open(trips)
        let bob = try await open(trips, as: "Bob")
        let item = made.trip.items[0].id
        bob.update(item, [.title("Museum")])
        await wait(for: { ann.news }) { !$0.isEmpty }
        #expect(ann.trip[item]?.content.title == "Museum")
        #expect(ann.news.map(\.user) == ["Bob"])
        ann.dismissNews()
        #expect(ann.news.isEmpty)
        bob.undo()
        await wait(for: { ann.trip[item]?.content.title }) { $0 != "Museum" }
        bob.redo()
        await wait(for: { ann.trip[item]?.content.title }) { $0 == "Museum" }
        await ann.close()
        await bob.close()
    }

    @Test func `a refused change is rolled back and kept as a failure until it is dismissed`() async throws {
        let (trips, made) = try await served()
        let ann = try await open(trips)
        let item = made.trip.items[0].id
        let move = ann.submit(
            .edits([.move(item, to: .end(day: 2))]), options: LiveTrip.ChangeOptions(ifVersion: 7))
        #expect(ann.trip[item]?.position.day == 2)
        await wait(for: { ann.failures.count }) { $0 == 1 }
        await wait(for: { ann.trip[item]?.position.day }) { $0 == 1 }
        #expect(ann.failures.first?.change == .edits([.move(item, to: .end(day: 2))]))
        let failure = try #require(ann.failures.first)
        await #expect(throws: failure.error) { try await move.result }
        ann.dismiss(failure.id)
        #expect(ann.failures.isEmpty)
        await ann.close()
        ann.add(.custom(CustomItem(title: "Tea")))
        await wait(for: { ann.failures.count }) { $0 == 1 }
        #expect(ann.failures.first?.error == .notMade("this client was closed"))
    }

    @Test func `a drag begins at once, holds the view and drops`() async throws {
        let (trips, made) = try await served()
        let ann = try await open(trips)
        let bob = try await open(trips, as: "Bob")
        let items = made.trip.items.map(\.id)
        ann.beginDrag(of: items[0])
        // The daemon may have granted it already.
        #expect([.asked(items[0]), .held(items[0])].contains(ann.drag))
        await wait(for: { ann.drag }) { $0 == .held(items[0]) }
        ann.hover(over: .end(day: 2))
        bob.remove(items[1])
        await wait(for: { ann.state.waitingVersions }) { $0 == 1 }
        #expect(ann.trip == made.trip)
        let drop = ann.drop(.end(day: 2))
        #expect(ann.trip.shownIDs == [items[2], items[0]])
        #expect(try await drop.result.version == 3)
        ann.beginDrag(of: items[2])
        ann.cancelDrag()
        #expect(ann.drag == LiveTrip.Drag.none)
        await ann.close()
        await bob.close()
    }

    @Test func `an observable trip without references leaves the trip`() async throws {
        let (trips, _) = try await served()
        let bob = try await open(trips, as: "Bob")
        var ann: ObservableTrip? = try await open(trips)
        await wait(for: { bob.state.people.count }) { $0 == 2 }
        #expect(ann?.connection == .connected)
        ann = nil
        await wait(for: { bob.state.people.map(\.user) }) { $0 == ["Bob"] }
        await bob.close()
    }
}
