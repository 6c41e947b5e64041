import LocalSystem
import TripClient
import TripProtocol

/// `connect [TRIP]`: opens the editor.
enum ConnectCommand {
    static let view = OptionRow.flag("--view", "only look: nothing can be changed")

    static let row = CommandRow(
        name: "connect", summary: "open a trip in the editor", forms: ["[TRIP] [--view]"],
        words: [WordRow("TRIP", .trip, isRequired: false)], options: [view] + EditorArguments.options,
        examples: [
            .init("connect", "the only trip, or a choice of them"),
            .init("connect \"World Cup\"", "a trip by its name"),
            .init("connect japan --view", "without changing anything"),
            .init("connect japan --host ssh://ann@example.org", "a trip of another machine"),
        ],
        details: [
            "? shows all keys in the editor, q leaves it. Its settings are in",
            "$XDG_CONFIG_HOME/itineraryd/editor.conf; it heeds NO_COLOR. With --plain it draws nothing: it reads",
            "commands, a line each, and answers in sentences.",
        ],
        endsItself: true, run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let caller = invocation.caller
        let options = try EditorArguments(invocation)
        // Where there is nothing to draw on, nothing is asked or started either.
        let face = try options.face(userName: caller.userName)
        let trip: TripReference
        if let name = invocation.words.first {
            trip = try await reference(TripName(name), caller)
        } else {
            trip = try await onlyTrip(caller)
        }
        try await EditorSession.open(
            trip, caller, as: face, role: invocation.has(view) ? .viewer : .editor)
    }

    private static func reference(_ name: TripName, _ caller: Caller) async throws(CommandFailure)
        -> TripReference
    {
        let (client, _) = try await asking { () async throws(ClientError) in
            try await caller.connect(role: .viewer)
        }
        let id = try await name.trip(client)
        await client.close()
        return .id(id)
    }

    /// The trip that is meant where none is named: the only one.
    static func onlyTrip(_ caller: Caller) async throws(CommandFailure) -> TripReference {
        let (client, _) = try await asking { () async throws(ClientError) in
            try await caller.connect(role: .viewer)
        }
        let trips = try await asking { () async throws(ClientError) in try await client.trips() }
        await client.close()
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
