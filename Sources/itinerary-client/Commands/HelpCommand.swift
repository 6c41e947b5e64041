import CommandLineKit
import Handbook
import LocalSystem

/// `help [COMMAND|CHAPTER]`
enum HelpCommand {
    static let command = Command(
        name: "help", summary: "explain a command, or show a chapter of the handbook",
        forms: ["[COMMAND|CHAPTER]"], words: [WordRow("COMMAND", .command, isRequired: false)],
        examples: [
            .init("help add", "the add command"), .init("help editor | less", "a chapter of the handbook"),
        ],
        details: ["Chapters: " + Chapter.allCases.map(\.rawValue).joined(separator: ", ") + "."],
        startsDaemon: false, run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let text =
            switch try Topic(invocation.words.first) {
            case nil: HelpText.general(of: CommandTable.program)
            case .chapter(let chapter)?: chapter.text
            case .command(let row)?: HelpText.text(of: row, in: CommandTable.program)
            }
        StandardStream.output.print(text)
    }
}

/// `man [COMMAND|CHAPTER]`
enum ManualCommand {
    private static let list = OptionRow.flag("--list", "list the pages instead")

    static let command = Command(
        name: "man", summary: "print a page of the manual", forms: ["[COMMAND|CHAPTER]"],
        words: [WordRow("COMMAND", .command, isRequired: false)], options: [list],
        examples: [
            .init("man | man -l -", "the page of the program"),
            .init("man import | man -l -", "the page of a command"),
            .init("man sharing | man -l -", "a chapter of the handbook"),
        ], startsDaemon: false, run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        if invocation.has(list) {
            return StandardStream.output.print(Topic.names.joined(separator: "\n"))
        }
        let text =
            switch try Topic(invocation.words.first) {
            case nil: ManualPage.general(of: CommandTable.program)
            case .chapter(let chapter)?:
                ManualPage.page(
                    named: chapter.pageName, section: chapter.section, markdown: chapter.text,
                    of: CommandTable.program)
            case .command(let row)?: ManualPage.page(of: row, in: CommandTable.program)
            }
        StandardStream.output.print(text)
    }
}

/// The subject of `help` and `man`.
private enum Topic {
    case chapter(Chapter)
    case command(CommandRow)

    static var names: [String] {
        CommandTable.program.commands.map(\.name) + Chapter.allCases.map(\.rawValue)
    }

    /// Nil for no word: the program itself.
    init?(_ word: String?) throws(CommandFailure) {
        guard let word else { return nil }
        if let chapter = Chapter(rawValue: word) {
            self = .chapter(chapter)
            return
        }
        let program = CommandTable.program
        guard let row = program.commands.first(where: { $0.name == word }) else {
            let question = NearestSpelling.question(for: word, among: Self.names)
            throw .usage(
                "there is no command or chapter \(PlainText.visible(word))"
                    + (question.isEmpty ? "; itinerary-client help lists them" : question))
        }
        self = .command(row)
    }
}
