import CommandLineKit
import LocalSystem
import TripClient
import TripProtocol

/// `connect [TRIP]`: opens the editor; without a trip that is there, the list of them, where one can be made.
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
        // Where there is nothing to draw on, nothing is asked or started either.
        let face = try options.face(userName: caller.userName)
        let start =
            if let name = invocation.words.first {
                try await start(name, caller, asks: face.answersQuestions)
            } else {
                try await start(caller)
            }
        try await EditorSession.open(start, caller, as: face, role: options.role)
    }

    /// The trip of a name; where there is none, and somebody can be asked, what offers to make it.
    private static func start(
        _ name: String, _ caller: Caller, asks: Bool
    ) async throws(CommandFailure) -> EditorSession.Start {
        let (client, _) = try await asking { () async throws(ClientError) in
            try await caller.connect(role: .viewer)
        }
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

    /// What is opened where no trip is named: the only one, else the list of them, which can make one.
    private static func start(_ caller: Caller) async throws(CommandFailure) -> EditorSession.Start {
        let trips = try await trips(caller)
        return trips.count == 1 ? .trip(.id(trips[0].header.id)) : .lobby(.unnamed)
    }

    private static func trips(_ caller: Caller) async throws(CommandFailure) -> [TripSummary] {
        let (client, _) = try await asking { () async throws(ClientError) in
            try await caller.connect(role: .viewer)
        }
        let trips = try await asking { () async throws(ClientError) in try await client.trips() }
        await client.close()
        return trips
    }

    /// The trip that is meant where none is named: the only one.
    static func onlyTrip(_ caller: Caller) async throws(CommandFailure) -> TripReference {
        let trips = try await trips(caller)
        guard let first = trips.first else {
            throw CommandFailure(
                "there are no trips yet; try: itinerary-client create NAME", exitCode: CommandFailure.noInput)
        }
        guard trips.count == 1 else {
            let names = trips.map(\.header.slug).joined(separator: ", ")
            throw CommandFailure(
                "which trip? there are \(names)", exitCode: CommandFailure.noInput, reason: "ambiguous")
        }
        return .id(first.header.id)
    }
}
