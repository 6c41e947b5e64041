import CommandLineKit
import LocalSystem

/// `completions bash|zsh|fish`
enum CompletionsCommand {
    private static let shells = Completions.Shell.allCases.map(\.rawValue)

    static let command = Command(
        name: "completions", summary: "print a shell completion script",
        forms: [shells.joined(separator: "|")], words: [WordRow("SHELL", .oneOf(shells))],
        examples: [
            .init(
                "completions bash > ~/.local/share/bash-completion/completions/itinerary-client", "for bash"),
            .init("completions zsh > ~/.zfunc/_itinerary-client", "for zsh, with ~/.zfunc in fpath"),
            .init("completions fish > ~/.config/fish/completions/itinerary-client.fish", "for fish"),
        ], startsDaemon: false, run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let name = invocation.words[0]
        guard let shell = Completions.Shell(rawValue: name) else {
            let question = NearestSpelling.question(for: name, among: shells)
            throw .usage(
                "there are completions for bash, zsh and fish, not for \(PlainText.visible(name))\(question)")
        }
        StandardStream.output.print(Completions.script(for: shell))
    }
}
