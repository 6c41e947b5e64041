import CommandLineKit
import TripProtocol

/// The command table of the daemon's program.
enum DaemonProgram {
    static let socket = OptionRow.value(
        "--socket", "PATH", "the socket (ITINERARYD_SOCKET; else itineraryd.sock in the runtime directory)",
        .file)
    static let data = OptionRow.value(
        "--data", "DIR", "the directory of the trips (itineraryd in the state directory)", .file)
    static let owner = OptionRow.value(
        "--owner", "NAME", "the account whose daemon to use (ITINERARYD_OWNER)")
    static let out = OptionRow.value("--out", "FILE", "the new file to write", .file)
    private static let trip = WordRow("TRIP", .trip)

    static let description = ProgramDescription(
        name: "itineraryd", version: ProtocolVersion.program, section: 8,
        summary: "keep trips that several people edit at the same time",
        details: [
            "itineraryd is the daemon of itinerary-client, which starts it when it is needed.",
            "A TRIP is a slug or an id. SIGTERM and SIGINT shut the daemon down cleanly;",
            "SIGHUP reloads the access file, see itineraryd-access(5).",
            "",
            "itineraryd help COMMAND explains a command.",
        ],
        groups: [
            .init("The daemon", [ServeCommand.row, DialStdio.row]),
            .init(
                "Maintenance",
                [
                    Maintenance.backup, Maintenance.check, Maintenance.export, Maintenance.restore,
                    Maintenance.salvage, Maintenance.compact,
                ]),
            .init("Documentation", [help, manual]),
        ],
        options: [CommandLineParser.help, CommandLineParser.version],
        exits: [
            .done, .refused, .unchecked, .usage, .badData, .noInput, .unavailable, .defect, .ioFailed,
            .otherProtocol, .notAllowed, .badConfiguration,
        ],
        environment: [
            ("ITINERARYD_SOCKET", "the socket, as --socket"),
            ("ITINERARYD_OWNER", "dial-stdio: the account whose daemon to use"),
            ("XDG_RUNTIME_DIR", "the runtime directory, which has the socket (/tmp/itineraryd-UID)"),
            ("XDG_STATE_HOME", "the state directory, which has the trips (~/.local/state)"),
        ],
        files: [
            (
                "$XDG_RUNTIME_DIR/itineraryd/itineraryd.sock",
                "the socket; if XDG_RUNTIME_DIR is not usable, /tmp/itineraryd-UID/itineraryd.sock"
            ),
            ("itineraryd.sock.log, .log.1", "beside the socket: the log of a daemon that a client started"),
            ("itineraryd.sock.serve", "beside the socket: the options that the daemon was started with"),
            (
                "$XDG_STATE_HOME/itineraryd",
                "the data directory; on macOS ~/Library/Application Support/itineraryd"
            ),
            (
                "trips/",
                "in the data directory: one directory with a journal per trip, also per deleted trip for 30 days"
            ),
            ("access", "in the data directory: the permissions of other accounts, see itineraryd-access(5)"),
            ("catalogue", "in the data directory: a list of the trips, rebuilt if it is missing"),
            ("lineage", "in the data directory: whether data may be unsynced (durability relaxed)"),
            ("lock", "in the data directory: held while a daemon runs; names its process and socket"),
        ],
        seeAlso: [
            "itinerary-client(1)", "itineraryd-access(5)", "itinerary-daemon(7)", "itinerary-backup(7)",
        ])

    private static let help = CommandRow(
        name: "help", summary: "explain a command", forms: ["[COMMAND]"],
        words: [WordRow("COMMAND", .command, isRequired: false)],
        examples: [.init("help restore", "the restore command")])
    private static let list = OptionRow.flag("--list", "list the pages instead")
    private static let manual = CommandRow(
        name: "man", summary: "print a page of the manual", forms: ["[COMMAND]"],
        words: [WordRow("COMMAND", .command, isRequired: false)], options: [list],
        examples: [.init("man | man -l -", "the page of the daemon")])

    /// The text that `help` or `man` prints.
    static func documentation(_ command: ParsedCommand) throws(UsageError) -> String {
        if command.has(list) { return description.commands.map(\.name).joined(separator: "\n") }
        let row = try command.words.first.map { name throws(UsageError) in
            try description.command(named: name)
        }
        if command.row.name == help.name {
            return row.map { HelpText.text(of: $0, in: description) } ?? HelpText.general(of: description)
        }
        return row.map { ManualPage.page(of: $0, in: description) } ?? ManualPage.general(of: description)
    }
}
