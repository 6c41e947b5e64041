import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// The commands, by name.
enum Command {
    /// Runs the command that the first word names.
    static func run(_ arguments: inout Arguments) async throws(CommandFailure) {
        guard let name = arguments.word() else {
            throw CommandFailure("a command is missing", exitCode: CommandFailure.usage)
        }
        switch name {
        case "connect": try await ConnectCommand.run(&arguments)
        case "demo": try await DemoCommand.run(&arguments)
        case "list": try await ListCommand.run(&arguments)
        case "show": try await ShowCommand.run(&arguments)
        case "add": try await AddCommand.run(&arguments)
        case "move": try await MoveCommand.run(&arguments)
        case "remove": try await RemoveCommand.run(&arguments)
        case "watch": try await WatchCommand.run(&arguments)
        case "import": try await ImportCommand.run(&arguments)
        case "export": try await ExportCommand.run(&arguments)
        default:
            throw CommandFailure("there is no command \(name)", exitCode: CommandFailure.usage)
        }
    }

    /// The trip that the next word names.
    static func trip(_ arguments: inout Arguments) throws(CommandFailure) -> TripReference {
        TripReference(
            try parsing { () throws(Arguments.UsageError) in
                try arguments.word(named: "the trip (an id or a slug)")
            })
    }
}

/// `list`
enum ListCommand {
    static func run(_ arguments: inout Arguments) async throws(CommandFailure) {
        let caller = try Caller(&arguments, startsDaemon: true)
        try parsing { () throws(Arguments.UsageError) in try arguments.finish() }
        let trips = try await asking { () async throws(ClientError) in
            let (client, _) = try await caller.connect()
            return try await client.trips()
        }
        if trips.isEmpty {
            return StandardStream.error.print("there are no trips; try: itinerary-client demo")
        }
        let width = trips.map { $0.header.slug.count }.max() ?? 0
        for trip in trips {
            let header = trip.header
            let slug = header.slug + String(repeating: " ", count: width - header.slug.count)
            let state = trip.state == "ok" ? "" : " [\(trip.state)]"
            StandardStream.output.print(
                "\(slug)  \(header.startDate)  \(counted(header.dayCount, "day")), "
                    + "\(counted(trip.itemCount, "item"))  \(PlainText.visible(header.name))\(state)")
        }
    }

    private static func counted(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}

/// `show TRIP`
enum ShowCommand {
    static func run(_ arguments: inout Arguments) async throws(CommandFailure) {
        let caller = try Caller(&arguments, startsDaemon: true)
        let trip = try Command.trip(&arguments)
        try parsing { () throws(Arguments.UsageError) in try arguments.finish() }
        let snapshot = try await asking { () async throws(ClientError) in
            let (client, _) = try await caller.connect()
            return try await client.snapshot(of: trip)
        }
        StandardStream.output.print(PlainText.listing(of: snapshot))
    }
}

/// `add TRIP TITLE`, `add TRIP --from CITY --to CITY`, and `add [TRIP] -` for lines from standard input.
enum AddCommand {
    static func run(_ arguments: inout Arguments) async throws(CommandFailure) {
        let caller = try Caller(&arguments, startsDaemon: true)
        let place = try PlaceWords(&arguments)
        let (from, to) = try parsing { () throws(Arguments.UsageError) in
            (try arguments.option("--from"), try arguments.option("--to"))
        }
        let first = try parsing { () throws(Arguments.UsageError) in
            try arguments.word(named: "the trip (an id or a slug)")
        }
        let content: ItemContent
        switch (from, to) {
        case (let from?, let to?): content = .travel(Travel(fromCity: from, toCity: to))
        case (nil, nil):
            let second = arguments.word()
            if second == "-" || (first == "-" && second == nil) {
                try parsing { () throws(Arguments.UsageError) in try arguments.finish() }
                let trip = second == nil ? try await ConnectCommand.onlyTrip(caller) : TripReference(first)
                return try await AddLines.run(caller, trip, at: place)
            }
            guard let title = second else {
                throw CommandFailure("the title is missing", exitCode: CommandFailure.usage)
            }
            content = .custom(CustomItem(title: title))
        default:
            throw CommandFailure("travel needs --from and --to", exitCode: CommandFailure.usage)
        }
        try parsing { () throws(Arguments.UsageError) in try arguments.finish() }
        try await EditRun(caller, TripReference(first)).perform { snapshot throws(CommandFailure) in
            .add(.random(), content, to: try place.placement(in: snapshot.trip))
        }
    }
}

/// `move TRIP ITEM PLACE`
enum MoveCommand {
    static func run(_ arguments: inout Arguments) async throws(CommandFailure) {
        let caller = try Caller(&arguments, startsDaemon: true)
        let place = try PlaceWords(&arguments)
        let trip = try Command.trip(&arguments)
        let item = try parsing { () throws(Arguments.UsageError) in try arguments.word(named: "the item") }
        try parsing { () throws(Arguments.UsageError) in try arguments.finish() }
        try await EditRun(caller, trip).perform { snapshot throws(CommandFailure) in
            guard let placement = try place.placement(in: snapshot.trip) else {
                throw CommandFailure(
                    "where to? give --day N, or --after ITEM, or --before ITEM",
                    exitCode: CommandFailure.usage)
            }
            return .move(try ItemName(item).item(in: snapshot.trip).id, to: placement)
        }
    }
}

/// `remove TRIP ITEM`
enum RemoveCommand {
    static func run(_ arguments: inout Arguments) async throws(CommandFailure) {
        let caller = try Caller(&arguments, startsDaemon: true)
        let trip = try Command.trip(&arguments)
        let item = try parsing { () throws(Arguments.UsageError) in try arguments.word(named: "the item") }
        try parsing { () throws(Arguments.UsageError) in try arguments.finish() }
        try await EditRun(caller, trip).perform { snapshot throws(CommandFailure) in
            .remove(try ItemName(item).item(in: snapshot.trip).id)
        }
    }
}

/// One edit of one trip, worded against the trip as it is.
struct EditRun {
    let caller: Caller
    let trip: TripReference

    init(_ caller: Caller, _ trip: TripReference) {
        self.caller = caller
        self.trip = trip
    }

    /// Fetches the trip, makes the edit, sends it and prints the item it concerned.
    func perform(
        _ edit: (Snapshot) throws(CommandFailure) -> Edit
    ) async throws(CommandFailure) {
        let client = try await SteadyClient(caller)
        let snapshot = try await client.snapshot(of: trip)
        let edit = try edit(snapshot)
        let items: [Item]
        do throws(CommandFailure) {
            items = try await client.change(.id(snapshot.trip.header.id), [edit]).items
        } catch {
            let message = RefusalText.sentence(error.message, about: Self.title(of: edit, in: snapshot.trip))
            throw CommandFailure(message, exitCode: error.exitCode)
        }
        for item in items {
            StandardStream.output.print(
                "\(item.id)  day \(item.position.day)  \(PlainText.visible(item.content.title))")
        }
    }

    /// What the item is called that an edit is about.
    private static func title(of edit: Edit, in trip: Trip) -> String? {
        if case .add(_, let content, _) = edit { return content.title }
        return edit.item.flatMap { trip[$0]?.content.title }
    }
}
