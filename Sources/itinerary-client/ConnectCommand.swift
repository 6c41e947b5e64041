import LocalSystem
import TripClient
import TripProtocol

/// `connect [TRIP]`: opens the editor.
enum ConnectCommand {
    static func run(_ arguments: inout Arguments) async throws(CommandFailure) {
        let caller = try Caller(&arguments, startsDaemon: true)
        let options = try EditorArguments(&arguments)
        let named = arguments.word().map(TripReference.init)
        try parsing { () throws(Arguments.UsageError) in try arguments.finish() }
        // Where there is nothing to draw on, nothing is asked or started either.
        let face = try options.face(userName: caller.userName)
        let trip: TripReference
        if let named { trip = named } else { trip = try await onlyTrip(caller) }
        try await EditorSession.open(trip, caller, as: face)
    }

    /// The trip that is meant where none is named: the only one.
    static func onlyTrip(_ caller: Caller) async throws(CommandFailure) -> TripReference {
        let (client, _) = try await asking { () async throws(ClientError) in try await caller.connect() }
        let trips = try await asking { () async throws(ClientError) in try await client.trips() }
        await client.close()
        guard let first = trips.first else {
            throw CommandFailure(
                "there are no trips yet; try: itinerary-client demo", exitCode: CommandFailure.usage)
        }
        guard trips.count == 1 else {
            let names = trips.map(\.header.slug).joined(separator: ", ")
            throw CommandFailure("which trip? there are \(names)", exitCode: CommandFailure.usage)
        }
        return .id(first.header.id)
    }
}
