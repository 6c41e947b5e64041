import LocalSystem
import TripClient
import TripProtocol

/// `connect [TRIP]`: opens the editor; without a trip that is there, the list of them, where one can be made.
enum ConnectCommand {
    static func run(_ arguments: inout Arguments) async throws(CommandFailure) {
        var caller = try Caller(&arguments, startsDaemon: true)
        let options = try EditorArguments(&arguments)
        caller.isViewer = options.isViewer
        let named = arguments.word().map(TripReference.init)
        try parsing { () throws(Arguments.UsageError) in try arguments.finish() }
        // Where there is nothing to draw on, nothing is asked or started either.
        let face = try options.face(userName: caller.userName)
        let start = if let named { EditorSession.Start.trip(named) } else { try await start(caller) }
        try await EditorSession.open(start, caller, as: face)
    }

    /// What is opened where no trip is named: the only one, else the list of them, which can make one.
    private static func start(_ caller: Caller) async throws(CommandFailure) -> EditorSession.Start {
        let trips = try await trips(caller)
        return trips.count == 1 ? .trip(.id(trips[0].header.id)) : .lobby(.unnamed, said: nil)
    }

    private static func trips(_ caller: Caller) async throws(CommandFailure) -> [TripSummary] {
        let (client, _) = try await asking { () async throws(ClientError) in try await caller.connect() }
        let trips = try await asking { () async throws(ClientError) in try await client.trips() }
        await client.close()
        return trips
    }

    /// The trip that a command means where none is named: the only one.
    static func onlyTrip(_ caller: Caller) async throws(CommandFailure) -> TripReference {
        let trips = try await trips(caller)
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
