import Testing
import TripModel
import TripProtocol

@testable import TripClient

@Suite struct NotificationQueueTests {
    private func news(_ version: Int, after previous: Int, skipped: Int = 0, trip: UInt64 = 1) throws
        -> TripNotification
    {
        .snapshot(
            try SampleTrip.snapshot(version, trip: trip), previous: previous, skipped: skipped,
            cause: Cause(user: "v\(version)", clientID: ClientID(high: 0, low: 1), method: "item.move"))
    }

    private func presence(_ users: Int, trip: UInt64 = 1) -> TripNotification {
        .presence(
            SampleTrip.id(trip),
            (0..<users).map {
                PresentUser(connectionID: $0, user: "u", role: .editor, dragging: nil, over: nil)
            })
    }

    private func ended(_ drag: String) -> TripNotification {
        .dragEnded(DragID(drag), item: ItemID(high: 0, low: 2), reason: .expired)
    }

    private func taken(_ notifications: [TripNotification]) -> [TripNotification] {
        var queue = NotificationQueue()
        for notification in notifications { queue.append(notification) }
        var taken: [TripNotification] = []
        while let next = queue.take() { taken.append(next) }
        #expect(queue.isEmpty)
        return taken
    }

    @Test func `notifications that are read in time arrive unchanged`() throws {
        var queue = NotificationQueue()
        #expect(queue.take() == nil)
        for version in 2...4 {
            let notification = try news(version, after: version - 1)
            queue.append(notification)
            #expect(!queue.isEmpty)
            #expect(queue.take() == notification)
        }
        #expect(queue.isEmpty)
    }

    @Test func `a newer state replaces the older, and counts it as skipped`() throws {
        let all = [try news(2, after: 1), try news(5, after: 2, skipped: 2), try news(6, after: 5)]
        // Of 2, 3, 4, 5 and 6 only the last is delivered.
        #expect(taken(all) == [try news(6, after: 1, skipped: 4)])
    }

    @Test func `states of different trips do not replace each other`() throws {
        let all = [try news(2, after: 1), try news(9, after: 8, trip: 2), try news(3, after: 2)]
        #expect(taken(all) == [try news(9, after: 8, trip: 2), try news(3, after: 1, skipped: 1)])
    }

    @Test func `only the last presence of a trip is delivered, in its place`() throws {
        let all = [presence(1), presence(5, trip: 2), try news(2, after: 1), presence(3)]
        #expect(taken(all) == [presence(5, trip: 2), try news(2, after: 1), presence(3)])
    }

    @Test func `the end of a drag, of a trip and of the connection are never dropped`() throws {
        let all = [
            try news(2, after: 1), ended("a"), try news(3, after: 2), ended("b"),
            .tripDeleted(SampleTrip.id(1)),
            .goodbye(.shuttingDown),
        ]
        // The newer state keeps its place after the end of the drag that held it back.
        #expect(
            taken(all) == [
                ended("a"), try news(3, after: 1, skipped: 1), ended("b"), .tripDeleted(SampleTrip.id(1)),
                .goodbye(.shuttingDown),
            ])
    }

    @Test func `a stopped reader costs memory only for the newest notification of each kind`() throws {
        let burst = try (2...1000).flatMap { [try news($0, after: $0 - 1), presence($0 % 7)] }
        #expect(taken(burst) == [try news(1000, after: 1, skipped: 998), presence(1000 % 7)])
    }
}
