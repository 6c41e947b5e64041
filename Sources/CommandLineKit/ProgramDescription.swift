/// The description of a program and its commands: the source of parsing, help, completions and the manual.
package struct ProgramDescription: Sendable {
    /// Commands that the help lists together.
    package struct Group: Sendable {
        /// The heading.
        package let title: String
        /// The commands, in the order of the help.
        package let commands: [CommandRow]

        package init(_ title: String, _ commands: [CommandRow]) {
            self.title = title
            self.commands = commands
        }
    }

    /// A name and its explanation.
    package typealias Entry = (name: String, meaning: String)

    /// The name of the executable.
    package let name: String
    /// The program and protocol versions, as `--version` prints them.
    package let version: String
    /// The section of the manual.
    package let section: Int
    /// One line, without a full stop.
    package let summary: String
    /// Sentences for the help and the manual.
    package let details: [String]
    /// All commands.
    package let groups: [Group]
    /// The options that every command takes.
    package let options: [OptionRow]
    /// The exit codes that the program uses.
    package let exits: [ExitCode]
    /// The environment variables that the program reads.
    package let environment: [Entry]
    /// The files that the program reads or writes.
    package let files: [Entry]
    /// Other pages of the manual, such as `itineraryd(8)`.
    package let seeAlso: [String]

    package init(
        name: String, version: String, section: Int, summary: String, details: [String], groups: [Group],
        options: [OptionRow], exits: [ExitCode], environment: [Entry], files: [Entry], seeAlso: [String]
    ) {
        self.name = name
        self.version = version
        self.section = section
        self.summary = summary
        self.details = details
        self.groups = groups
        self.options = options
        self.exits = exits
        self.environment = environment
        self.files = files
        self.seeAlso = seeAlso
    }

    /// All commands, in the order of the help.
    package var commands: [CommandRow] { groups.flatMap(\.commands) }

    /// The command with a name.
    ///
    /// - Throws: `UsageError` with the nearest existing name.
    package func command(named name: String) throws(UsageError) -> CommandRow {
        if let row = commands.first(where: { $0.name == name }) { return row }
        let question = NearestSpelling.question(for: name, among: commands.map(\.name))
        let help = question.isEmpty ? "; \(self.name) --help lists all commands" : question
        throw UsageError("there is no command \(UsageError.shown(name))\(help)")
    }
}
