import CommandLineKit
import LocalSystem
import TripModel
import TripProtocol

/// The client program.
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
                if !command.handlesInterruption { Interruption.endsProcess(asJSON: asJSON(words)) }
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

    /// The first argument that is not valid UTF-8, made printable. Swift repairs such arguments, so that the
    /// stored text would differ from the typed one.
    private static func unreadableWord() -> String? {
        let arguments = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        for case let argument? in arguments.dropFirst() where String(validatingCString: argument) == nil {
            return String(cString: argument)
        }
        return nil
    }

    /// Prints the error and exits. If the reader of a pipe has closed it, nothing is printed.
    private static func end(_ failure: CommandFailure, asJSON: Bool) -> Never {
        if let signal = failure.signal, failure.message.isEmpty { ProcessExit.now(bySignal: signal) }
        if StandardStream.output.failure?.isBrokenPipe == true { ProcessExit.now(0) }
        if asJSON {
            StandardStream.error.write(failure.json)
        } else if !failure.message.isEmpty {
            // The message may quote text of a file, an option or the daemon.
            let message = TextRule.visible(failure.message, keepingNewlines: true)
            StandardStream.error.print("itinerary-client: \(message)")
        }
        if let signal = failure.signal { ProcessExit.now(bySignal: signal) }
        checkOutput(asJSON: asJSON)
        ProcessExit.now(failure.exitCode.rawValue)
    }

    /// Checks that the output was written. A pipe whose reader has closed it is not an error.
    private static func checkOutput(asJSON: Bool) {
        guard let failure = StandardStream.output.failure, !failure.isBrokenPipe else { return }
        let error = CommandFailure(
            "the output could not be written: \(failure)", exitCode: .ioFailed)
        if asJSON {
            StandardStream.error.write(error.json)
        } else {
            StandardStream.error.print("itinerary-client: \(error.message)")
        }
        ProcessExit.now(ExitCode.ioFailed.rawValue)
    }
}
