import LocalSystem
import TripClient
import TripProtocol

/// The client's program: one command a run.
@main
struct ItineraryClient {
    static let usage = """
        itinerary-client \(ProtocolVersion.program): edits trips that itineraryd keeps.

        usage: itinerary-client COMMAND [--socket PATH] [--user NAME]

          connect [TRIP]                 open the editor; starts the daemon where none runs
          demo                           make the trip world-cup-2026, if it is not there, and open it
          list                           the trips
          show TRIP                      a trip's days, items and problems
          add TRIP TITLE [PLACE]         a custom item; at the end of day 1 unless a place is given
          add TRIP --from CITY --to CITY [PLACE]
                                         travel; at its first valid place unless one is given
          add [TRIP] - [PLACE]           a custom item for each line of standard input
          move TRIP ITEM PLACE           an item elsewhere
          remove TRIP ITEM               an item away
          watch TRIP [--json]            every change, a line each
          import FILE [TRIP] [--strict] [--dry-run] [--json] [--name NAME] [--source NAME] [--prune]
                             [--city NAME] [--cities FILE.csv] [--as games|custom] [--format F]
                                         the entries of a .ics, .csv or .json; into a new trip named like
                                         the file unless one is given
          export TRIP [--format F] [-o FILE]
                                         a trip as ics, csv, json, md, txt, html or gpx

          PLACE   --day N, with --after ITEM, --before ITEM, --at start or --at end (the default)
          ITEM    an id, the beginning of one that is long enough, or a title
          TRIP    an id or a slug, as list shows them

          --socket PATH   the daemon's socket; else ITINERARYD_SOCKET, else the default
          --user NAME     who you are for the others; else your account's name
          --no-start      start no daemon
          --timeout SECONDS
                          how long the daemon may take to answer (10)
          --help, --version

        The editor also takes --view, with which nothing is changed, --ascii, --no-mouse, --reduce-motion, --feedback visual|bell|both|off and
        --config FILE, and heeds NO_COLOR. Its file is $XDG_CONFIG_HOME/itineraryd/editor.conf.
        With --plain it draws nothing: it reads commands, a line each, and answers in sentences, on a
        terminal or without one; its help tells the commands.
        """

    static func main() async {
        StandardStream.occupy()
        Signals.ignoreBrokenPipe()
        var arguments = Arguments(Array(CommandLine.arguments.dropFirst()))
        if arguments.flag("--help", "-h") {
            StandardStream.output.print(usage)
            return finish()
        }
        if arguments.flag("--version") {
            StandardStream.output.print(
                "itinerary-client \(ProtocolVersion.program), protocol \(ProtocolVersion.current)")
            return finish()
        }
        do throws(CommandFailure) {
            try await Command.run(&arguments)
        } catch {
            if !error.message.isEmpty { StandardStream.error.print("itinerary-client: \(error.message)") }
            if error.exitCode == CommandFailure.usage {
                StandardStream.error.print("itinerary-client --help tells the commands")
            }
            if let signal = error.signal { ProcessExit.now(bySignal: signal) }
            ProcessExit.now(error.exitCode)
        }
        finish()
    }

    /// The end of what went well, if its output arrived: a pipe that nobody reads any more is nobody's loss.
    private static func finish() {
        guard let failure = StandardStream.output.failure, !failure.isBrokenPipe else { return }
        StandardStream.error.print("itinerary-client: the output could not be written: \(failure)")
        ProcessExit.now(CommandFailure.ioFailed)
    }
}
