import LocalSystem
import ScheduleFiles
import TripClient
import TripModel
import TripProtocol

/// `demo`: opens the demonstration trip, and creates it if it is missing.
enum DemoCommand {
    static let command = Command(
        name: "demo", summary: "open the demonstration trip world-cup-2026", forms: [""],
        options: EditorArguments.options,
        examples: [.init("demo", "a trip to try the editor with")], handlesInterruption: true, run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let caller = invocation.caller
        let options = try EditorArguments(invocation)
        // Without a terminal the command fails before it creates the trip.
        let face = try options.face(userName: caller.userName)
        try await makeTrip(caller)
        try await EditorSession.open(.trip(.slug(DemoTrip.slug)), caller, as: face, role: options.role)
    }

    private static func makeTrip(_ caller: Caller) async throws(CommandFailure) {
        let (client, _) = try await asking(await caller.connect())
        let trips = try await asking(await client.trips())
        if trips.contains(where: { $0.header.slug == DemoTrip.slug }) { return await client.close() }
        guard let games = schedule(), let draft = DemoTrip.draft(from: games) else {
            preconditionFailure("the schedule that is shipped can be read, and the team plays in it")
        }
        do throws(ClientError) {
            _ = try await client.create(draft)
        } catch {
            // Another `demo` was faster; its trip is the same.
            guard case .refused(let refusal) = error, refusal.known == .slugTaken else {
                throw CommandFailure(error)
            }
        }
        await client.close()
    }

    /// The games of the shipped schedule.
    private static func schedule() -> [Game]? {
        let options = ImportOptions(source: "worldcup-2026")
        guard let file = try? ScheduleFile(PackageResources.worldcup_2026_csv, .csv),
            let frame = try? file.newTripFrame(options)
        else { return nil }
        var generator = SystemRandomNumberGenerator()
        let empty = frame.emptyTrip(named: "World Cup 2026")
        guard let plan = try? ImportPlan(importing: file, into: empty, options, using: &generator) else {
            return nil
        }
        return plan.edits.compactMap { edit in
            if case .add(_, .game(let game), _) = edit { game } else { nil }
        }
    }
}
