import CommandLineKit
import LocalSystem
import TripModel
import TripProtocol

/// The client's program: one command a run.
@main
struct ItineraryClient {
    static func main() async {
        StandardStream.occupy()
        Signals.ignoreBrokenPipe()
        Signals.ignoreFileSizeLimit()
        let words = Array(CommandLine.arguments.dropFirst())
        do throws(CommandFailure) {
            if let word = unreadableWord() {
                throw .usage("\(PlainText.visible(word)) is not UTF-8; it looks like Latin-1")
            }
            switch try request(words) {
            case .help(let row?):
                StandardStream.output.print(HelpText.text(of: row, in: CommandTable.program))
            case .help(nil): StandardStream.output.print(HelpText.general(of: CommandTable.program))
            case .version:
                StandardStream.output.print(
                    "itinerary-client \(ProtocolVersion.program), protocol \(ProtocolVersion.current)")
            case .run(let parsed):
                let command = CommandTable.command(of: parsed.row)
                if !command.handlesInterruption { Interruption.endsProcess() }
                try await command.run(try Invocation(parsed, startsDaemon: command.startsDaemon))
            }
        } catch {
            end(error, asJSON: asJSON(words))
        }
        checkOutput(asJSON: asJSON(words))
    }

    /// Parses the command line; on a terminal, an empty one opens the editor.
    private static func request(_ words: [String]) throws(CommandFailure) -> CommandLineRequest {
        let opensEditor = words.isEmpty && TerminalDevice.isTerminal(0) && TerminalDevice.isTerminal(1)
        do throws(UsageError) {
            return try CommandLineParser.request(
                opensEditor ? [ConnectCommand.command.row.name] : words, for: CommandTable.program)
        } catch { throw .usage(error.description) }
    }

    private static func asJSON(_ words: [String]) -> Bool {
        words.prefix { $0 != "--" }.contains(GlobalOptions.json.name)
    }

    /// The first word of the command line that is no text, as far as it can be shown: the words that Swift hands out are
    /// repaired, and something else would be stored than what was typed.
    private static func unreadableWord() -> String? {
        let arguments = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        for case let argument? in arguments.dropFirst() where String(validatingCString: argument) == nil {
            return String(cString: argument)
        }
        return nil
    }

    /// Says why it failed, and ends. Whoever closed the pipe that they read from wants to hear no more.
    private static func end(_ failure: CommandFailure, asJSON: Bool) -> Never {
        if let signal = failure.signal, failure.message.isEmpty { ProcessExit.now(bySignal: signal) }
        if StandardStream.output.failure?.isBrokenPipe == true { ProcessExit.now(0) }
        if asJSON {
            StandardStream.error.write(failure.json)
        } else if !failure.message.isEmpty {
            // It may repeat what a file, an option or a daemon said that is not to be trusted.
            let message = TextRule.visible(failure.message, keepingNewlines: true)
            StandardStream.error.print("itinerary-client: \(message)")
        }
        if let signal = failure.signal { ProcessExit.now(bySignal: signal) }
        checkOutput(asJSON: asJSON)
        ProcessExit.now(failure.exitCode)
    }

    /// Makes sure that the output arrived: a pipe that nobody reads any more is nobody's loss.
    private static func checkOutput(asJSON: Bool) {
        guard let failure = StandardStream.output.failure, !failure.isBrokenPipe else { return }
        let error = CommandFailure(
            "the output could not be written: \(failure)", exitCode: CommandFailure.ioFailed)
        if asJSON {
            StandardStream.error.write(error.json)
        } else {
            StandardStream.error.print("itinerary-client: \(error.message)")
        }
        ProcessExit.now(CommandFailure.ioFailed)
    }
}
