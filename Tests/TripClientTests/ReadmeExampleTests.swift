import LocalSystem
import Testing
import TripClient
import TripModel
import TripProtocol

/// The example of the README does what it says.
@Suite(.timeLimit(.minutes(10))) struct ReadmeExampleTests {
    @Test func `the README's example visits a trip`() async throws {
        let trips = try ServedTrips()
        let (client, _) = try await TripClient.connect(
            to: trips.socket, saying: Hello(clientName: "test", clientVersion: "1"))
        _ = try await client.create(SampleTrip.draft("t", items: 1))
        let shown = Guarded<[String]>([])
        try await visit("t", at: DaemonAddress(path: trips.socket)) { line in
            shown.withLock { $0.append(line) }
        }
        let lines = shown.withLock { $0 }
        #expect(lines.contains("Day 1: Item 1"))
        #expect(lines.contains { $0.hasPrefix("it stays where it is: ") })
        #expect(lines.suffix(2) == ["Day 1: Item 1", "Day 2: Dinner"])
        let trip = try await client.snapshot(of: .slug("t")).trip
        #expect(trip.items.map(\.content.title) == ["Item 1", "Dinner"])
        #expect(trip.items.map(\.position.day) == [1, 2])
        await client.close()
    }
}
