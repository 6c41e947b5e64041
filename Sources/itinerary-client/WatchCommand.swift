import LocalSystem
import TripClient
import TripProtocol

/// `watch TRIP --json`: the trip, then every change, a line each, until interrupted.
enum WatchCommand {
    static func run(_ arguments: inout Arguments) async throws(CommandFailure) {
        let caller = try Caller(&arguments, startsDaemon: true)
        let asJSON = arguments.flag("--json")
        let trip = try Command.trip(&arguments)
        try parsing { () throws(Arguments.UsageError) in try arguments.finish() }
        let (client, _) = try await asking { () async throws(ClientError) in
            try await caller.connect(role: .viewer)
        }
        let (snapshot, users) = try await asking { () async throws(ClientError) in
            try await client.subscribe(Subscribe(trip: trip))
        }
        let print = asJSON ? WatchLine.json : WatchLine.plain
        StandardStream.output.print(print(.snapshot(snapshot, previous: 0, skipped: 0, cause: nil)))
        StandardStream.output.print(print(.presence(snapshot.trip.header.id, users)))
        for await notification in client.notifications {
            StandardStream.output.print(print(notification))
            // Nobody reads any more.
            if StandardStream.output.failure != nil { return await client.close() }
            if case .tripDeleted = notification { return }
        }
        if let ending = await client.ending { throw CommandFailure(ending) }
    }
}
