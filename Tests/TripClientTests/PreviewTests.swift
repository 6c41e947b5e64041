import Testing
import TripClient

/// Trips of an app's previews and tests, which have no daemon.
@MainActor
@Suite struct PreviewTests {
    private static let lunch = ItemID.random()

    private func trip() throws -> Trip {
        let start = try #require(CalendarDate("2027-05-03"))
        let header = TripHeader(
            id: .random(), slug: "spring", name: "Spring", startDate: start, timeZone: "Europe/Rome",
            dayCount: 3)
        return try Trip(
            header, applying: [.add(Self.lunch, .custom(CustomItem(title: "Lunch")), to: .end(day: 1))])
    }

    @Test func `a preview shows the trip, the connection and the people of its state`() throws {
        let lost = LiveTrip.Connection.connecting(attempt: 2, reason: .closed(nil))
        let state = LiveTrip.State(
            of: try trip(), connection: lost, people: [PresentUser(connectionID: 7, user: "Bob")], user: "Ann"
        )
        let preview = ObservableTrip(try LiveTrip(preview: state))
        #expect(preview.state == state)
        #expect(preview.connection == lost)
        #expect(preview.state.people.map(\.user) == ["Bob"])
    }

    @Test func `a preview shows edits at once, and closing it fails them`() async throws {
        let preview = ObservableTrip(try LiveTrip(preview: LiveTrip.State(of: try trip())))
        let move = preview.move(Self.lunch, to: .end(day: 2))
        #expect(preview.trip[Self.lunch]?.position.day == 2)
        #expect(preview.pendingCount == 1)
        #expect(await preview.close(waitingUpTo: .zero) == 1)
        await #expect(throws: ClientError.self) { try await move.result }
        #expect(preview.live.state.trip[Self.lunch]?.position.day == 1)
    }

    @Test func `a viewer's preview refuses edits, and a trip for previews has the rules of the daemon`()
        throws
    {
        let preview = ObservableTrip(try LiveTrip(preview: LiveTrip.State(of: try trip(), role: .viewer)))
        preview.remove(Self.lunch)
        #expect(preview.trip[Self.lunch] != nil)
        #expect(throws: Rejection.self) {
            try Trip(try trip().header, applying: [.move(Self.lunch, to: .end(day: 1))])
        }
    }
}
