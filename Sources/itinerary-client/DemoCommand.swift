import LocalSystem
import ScheduleFiles
import TripClient
import TripModel
import TripProtocol

/// `demo`: makes the demonstration trip where it is missing, and opens it.
enum DemoCommand {
    static func run(_ arguments: inout Arguments) async throws(CommandFailure) {
        let caller = try Caller(&arguments, startsDaemon: true)
        let options = try EditorArguments(&arguments)
        try parsing { () throws(Arguments.UsageError) in try arguments.finish() }
        // Where there is nothing to draw on, no trip is made either.
        let face = try options.face(userName: caller.userName)
        try await makeTrip(caller)
        try await EditorSession.open(.slug(DemoTrip.slug), caller, as: face)
    }

    private static func makeTrip(_ caller: Caller) async throws(CommandFailure) {
        let (client, _) = try await asking { () async throws(ClientError) in try await caller.connect() }
        let trips = try await asking { () async throws(ClientError) in try await client.trips() }
        if trips.contains(where: { $0.header.slug == DemoTrip.slug }) { return await client.close() }
        guard let table = try? ScheduleTable(csv: PackageResources.worldcup_2026_csv),
            let draft = DemoTrip.draft(from: table.games.map(\.game))
        else { preconditionFailure("the schedule that is shipped can be read, and the team plays in it") }
        do throws(ClientError) {
            _ = try await client.create(draft)
        } catch {
            // Another demo was faster; its trip is as good.
            guard case .refused(let refusal) = error, refusal.known == .slugTaken else {
                throw CommandFailure(error)
            }
        }
        await client.close()
    }
}
