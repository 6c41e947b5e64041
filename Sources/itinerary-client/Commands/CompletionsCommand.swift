import CommandLineKit
import LocalSystem

/// `completions bash|zsh|fish`
enum CompletionsCommand {
    private static let words = OptionRow.value(
        "--words", "KIND", "print the words that may follow, for a script",
        .oneOf(CompletionWords.Kind.allCases.map(\.rawValue)))
    private static let shells = Completions.Shell.allCases.map(\.rawValue)

    static let command = Command(
        name: "completions", summary: "print a shell completion script",
        forms: [shells.joined(separator: "|"), "--words KIND -- WORD…"],
        words: [WordRow("SHELL", .oneOf(shells)), WordRow("WORD", .text, isRequired: false, repeats: true)],
        options: [words],
        examples: [
            .init(
                "completions bash > ~/.local/share/bash-completion/completions/itinerary-client", "for bash"),
            .init("completions zsh > ~/.zfunc/_itinerary-client", "for zsh, with ~/.zfunc in fpath"),
            .init("completions fish > ~/.config/fish/completions/itinerary-client.fish", "for fish"),
        ],
        details: [
            "The scripts call --words, which prints the trips, items, fields, days or zones that may",
            "follow the words of a command line. It does not start a daemon.",
        ], startsDaemon: false, run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        if let name = invocation.value(words) {
            guard let kind = CompletionWords.Kind(rawValue: name) else {
                throw .usage("--words has no kind \(PlainText.visible(name))")
            }
            let lines = await CompletionWords(invocation.words).lines(kind, invocation.caller)
            for line in lines { StandardStream.output.print(line) }
            return
        }
        let name = invocation.words[0]
        guard invocation.words.count == 1 else {
            throw .usage(
                "unexpected word \(PlainText.visible(invocation.words[1])) after \(PlainText.visible(name))")
        }
        guard let shell = Completions.Shell(rawValue: name) else {
            let question = NearestSpelling.question(for: name, among: shells)
            throw .usage(
                "there are completions for bash, zsh and fish, not for \(PlainText.visible(name))\(question)")
        }
        StandardStream.output.print(Completions.script(for: shell))
    }
}
