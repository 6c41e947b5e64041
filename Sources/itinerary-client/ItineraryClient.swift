import LocalSystem
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
            switch try CommandLineParser.request(words) {
            case .help(let row?): StandardStream.output.print(HelpText.text(of: row))
            case .help(nil): StandardStream.output.print(HelpText.general)
            case .version:
                StandardStream.output.print(
                    "itinerary-client \(ProtocolVersion.program), protocol \(ProtocolVersion.current)")
            case .run(let invocation):
                if !invocation.row.endsItself { Interruption.endsProcess() }
                try await invocation.row.run(invocation)
            }
        } catch {
            end(error, asJSON: words.prefix { $0 != "--" }.contains(GlobalOptions.json.name))
        }
        checkOutput()
    }

    /// Says why it failed, and ends. Whoever closed the pipe that they read from wants to hear no more.
    private static func end(_ failure: CommandFailure, asJSON: Bool) -> Never {
        if let signal = failure.signal, failure.message.isEmpty { ProcessExit.now(bySignal: signal) }
        if StandardStream.output.failure?.isBrokenPipe == true { ProcessExit.now(0) }
        if asJSON {
            StandardStream.error.write(failure.json)
        } else if !failure.message.isEmpty {
            StandardStream.error.print("itinerary-client: \(failure.message)")
        }
        if let signal = failure.signal { ProcessExit.now(bySignal: signal) }
        checkOutput()
        ProcessExit.now(failure.exitCode)
    }

    /// Makes sure that the output arrived: a pipe that nobody reads any more is nobody's loss.
    private static func checkOutput() {
        guard let failure = StandardStream.output.failure, !failure.isBrokenPipe else { return }
        StandardStream.error.print("itinerary-client: the output could not be written: \(failure)")
        ProcessExit.now(CommandFailure.ioFailed)
    }
}
