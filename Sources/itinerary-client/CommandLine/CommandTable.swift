import LocalSystem

/// All commands, in the order in which help lists them.
enum CommandTable {
    static let all: [CommandRow] = [
        ConnectCommand.row, DemoCommand.row, CreateCommand.row, ListCommand.row, ShowCommand.row,
        CheckCommand.row, LogCommand.row, WatchCommand.row, AddCommand.row, EditCommand.row, MoveCommand.row,
        RemoveCommand.row, ShiftCommand.row, UndoCommand.row, RedoCommand.row, DeleteCommand.row,
        ImportCommand.row, ExportCommand.row, StatusCommand.row, PingCommand.row, CallCommand.row,
        SchemaCommand.row, AssistantCommand.row, CompletionsCommand.row, ManualCommand.row, HelpCommand.row,
    ]

    /// The command of a name.
    ///
    /// - Throws: `CommandFailure` with the name that is probably meant.
    static func row(named name: String) throws(CommandFailure) -> CommandRow {
        if let row = all.first(where: { $0.name == name }) { return row }
        let question = NearestSpelling.question(for: name, among: all.map(\.name))
        let help = question.isEmpty ? "; itinerary-client --help lists them" : question
        throw .usage("there is no command \(PlainText.visible(name))\(help)")
    }
}
