import CommandLineKit
import Handbook
import TripProtocol

/// All commands, grouped as in the help.
enum CommandTable {
    private static let groups: [(title: String, commands: [Command])] = [
        (
            "Plan a trip",
            [
                ConnectCommand.command, DemoCommand.command, CreateCommand.command, AddCommand.command,
                EditCommand.command, MoveCommand.command, RemoveCommand.command, ShiftCommand.command,
                SwapCommand.command, RepeatCommand.command, TodoCommand.command,
                UndoCommand.command, RedoCommand.command, CopyCommand.command, DeleteCommand.command,
                RestoreCommand.command,
            ]
        ),
        (
            "Look at trips",
            [
                ListCommand.command, ShowCommand.command, TodayCommand.command, NextCommand.command,
                SearchCommand.command, CheckCommand.command, CostsCommand.command, LogCommand.command,
                WatchCommand.command,
            ]
        ),
        ("Files", [ImportCommand.command, ExportCommand.command]),
        (
            "The daemon",
            [StatusCommand.command, StopCommand.command, PingCommand.command]
        ),
        (
            "Programs and documentation",
            [
                AssistantCommand.command, CallCommand.command, SchemaCommand.command,
                CompletionsCommand.command, ManualCommand.command, HelpCommand.command,
            ]
        ),
    ]

    private static let byName = Dictionary(
        uniqueKeysWithValues: groups.flatMap(\.commands).map { ($0.row.name, $0) })

    /// The code of a command of `program`.
    static func command(of row: CommandRow) -> Command {
        guard let command = byName[row.name] else { preconditionFailure("\(row.name) is in the table") }
        return command
    }

    static let program = ProgramDescription(
        name: "itinerary-client", version: ProtocolVersion.program, section: 1,
        summary: "plan trips together, live, in the terminal",
        details: [
            "Name a TRIP by slug, name or id, and an ITEM by title or id. The first letters",
            "are enough, and case does not matter. Options may stand anywhere; words after --",
            "are never options. Without a command, itinerary-client opens the editor.",
            "",
            "itinerary-client help COMMAND explains a command, with examples.",
            "itinerary-client help CHAPTER shows a chapter of the handbook:",
            "  " + Chapter.allCases.prefix(5).map(\.rawValue).joined(separator: ", ") + ",",
            "  " + Chapter.allCases.dropFirst(5).map(\.rawValue).joined(separator: ", ") + ".",
        ],
        groups: groups.map { ProgramDescription.Group($0.title, $0.commands.map(\.row)) },
        options: GlobalOptions.all,
        exits: ExitCode.allCases.filter { $0 != .unchecked && $0 != .badConfiguration },
        environment: Environment.client, files: Environment.clientFiles,
        seeAlso: ["itineraryd(8)"] + Chapter.allCases.map(\.page))
}
