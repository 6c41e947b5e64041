import CommandLineKit
import LocalSystem
import TripClient
import TripProtocol

/// `connect [TRIP]`: opens the editor. Without an existing trip it opens the list of trips, where one can be
/// created.
enum ConnectCommand {
    static let command = Command(
        name: "connect", summary: "open a trip in the editor", forms: ["[TRIP] [--view]"],
        words: [WordRow("TRIP", .trip, isRequired: false)], options: EditorArguments.options,
        examples: [
            .init("connect", "the only trip, or the list of trips"),
            .init("connect \"World Cup\"", "a trip by its name"),
            .init("connect japan --view", "read-only"),
            .init("connect japan --host ssh://ann@example.org", "a trip on another machine"),
        ],
        details: [
            "In the editor, ? shows all keys and q leaves. With --plain the editor reads commands,",
            "one per line, and answers in sentences. Settings: itinerary-client help editor.conf.",
        ],
        handlesInterruption: true, run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let caller = invocation.caller
        let options = try EditorArguments(invocation)
        // Without a terminal the command fails before it asks a question or starts a daemon.
        let face = try options.face(userName: caller.userName)
        let name = invocation.words.first
        let notice = face.isWindow ? sayOpening(name) : nil
        let start: EditorSession.Start
        do throws(CommandFailure) {
            start =
                if let name {
                    try await self.start(name, caller, asks: face.answersQuestions)
                } else {
                    try await self.start(caller)
                }
        } catch {
            notice?.cancel()
            throw error
        }
        notice?.cancel()
        // The notice must be finished before the editor takes over the screen.
        await notice?.value
        try await EditorSession.open(start, caller, as: face, role: options.role)
    }

    /// How long the daemon may take before a notice is printed.
    private static let noticeDelay = Duration.milliseconds(300)

    /// Prints a notice if opening takes long. The caller cancels the task.
    private static func sayOpening(_ name: String?) -> Task<Void, Never> {
        Task {
            do { try await Task.sleep(for: noticeDelay) } catch { return }
            StandardStream.error.print(
                "Opening \(name.map(PlainText.visible) ?? "the trips")… Ctrl-C leaves.")
        }
    }

    /// The trip with a name. If there is none and the user can be asked, the editor offers to create it.
    private static func start(
        _ name: String, _ caller: Caller, asks: Bool
    ) async throws(CommandFailure) -> EditorSession.Start {
        let (client, _) = try await asking(await caller.connect(role: .viewer))
        do throws(CommandFailure) {
            let id = try await TripName(name).trip(client)
            await client.close()
            return .trip(.id(id))
        } catch {
            await client.close()
            guard asks, error.reason == ErrorReason.tripNotFound.rawValue else { throw error }
            return .lobby(.missing(name))
        }
    }

    /// The only trip, or the list of trips, where one can be created.
    private static func start(_ caller: Caller) async throws(CommandFailure) -> EditorSession.Start {
        let trips = try await trips(caller)
        return trips.count == 1 ? .trip(.id(trips[0].header.id)) : .lobby(.unnamed)
    }

    private static func trips(_ caller: Caller) async throws(CommandFailure) -> [TripSummary] {
        let (client, _) = try await asking(await caller.connect(role: .viewer))
        let trips = try await asking(await client.trips())
        await client.close()
        return trips
    }

    /// The only trip, used if none is named.
    static func onlyTrip(_ caller: Caller) async throws(CommandFailure) -> TripReference {
        let trips = try await trips(caller)
        guard let first = trips.first else {
            throw CommandFailure(
                "there are no trips yet; try: itinerary-client create NAME", exitCode: .noInput)
        }
        guard trips.count == 1 else {
            let names = trips.map(\.header.slug).joined(separator: ", ")
            throw CommandFailure(
                "which trip? there are \(names)", exitCode: .noInput, reason: "ambiguous")
        }
        return .id(first.header.id)
    }
}
