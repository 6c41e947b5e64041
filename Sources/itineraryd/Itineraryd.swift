import LocalSystem
import TripJournal
import TripModel
import TripProtocol
import TripServer

/// The daemon's program: arguments in, `Daemon` out.
@main
struct Itineraryd {
    static let usage = """
        itineraryd \(ProtocolVersion.program): lets several people edit one trip at the same time.

        usage: itineraryd serve [--socket PATH] [--data DIR] [--durability sync|relaxed]

          --socket PATH      where to listen; else ITINERARYD_SOCKET, else
                             $XDG_RUNTIME_DIR/itineraryd/itineraryd.sock or /tmp/itineraryd-UID/itineraryd.sock
          --data DIR         where the trips are kept; else $XDG_STATE_HOME/itineraryd or
                             ~/.local/state/itineraryd
          --durability WHEN  sync: a change is answered when the disk has it (the default);
                             relaxed: when it is written, synced within 100 ms
          --help, --version
        """

    static func main() {
        var arguments = Arguments(Array(CommandLine.arguments.dropFirst()))
        if arguments.flag("--help", "-h") { return StandardStream.output.print(usage) }
        if arguments.flag("--version") {
            return StandardStream.output.print(
                "itineraryd \(ProtocolVersion.program), protocol \(ProtocolVersion.current)")
        }
        do throws(Arguments.UsageError) {
            let options = try options(&arguments)
            serve(options)
        } catch {
            StandardStream.error.print("itineraryd: \(error)\n\n\(usage)")
            ProcessExit.now(64)
        }
    }

    private static func options(
        _ arguments: inout Arguments
    ) throws(Arguments.UsageError) -> DaemonOptions {
        let command = try arguments.word(named: "a command (serve)")
        guard command == "serve" else { throw .init("there is no command \(command); it is called serve") }
        let environment = ProcessEnvironment.current
        let socket = try arguments.option("--socket") ?? environment.nonEmpty("ITINERARYD_SOCKET")
        let data = try arguments.option("--data")
        var durability = Durability.sync
        if let text = try arguments.option("--durability") {
            guard let known = Durability(rawValue: text) else {
                throw .init("--durability is sync or relaxed, not \(text)")
            }
            durability = known
        }
        try arguments.finish()
        let home = CurrentUser.home(environment: environment.variables)
        if home == nil, data == nil {
            throw .init("there is no home directory to keep trips in; name a place with --data")
        }
        let defaults = DefaultPaths(
            environment: environment.variables, userID: CurrentUser.id, home: home ?? "/")
        return DaemonOptions(
            socket: socket ?? defaults.socket(), socketIsDefault: socket == nil,
            dataDirectory: data ?? defaults.dataDirectory, dataIsDefault: data == nil,
            durability: durability)
    }

    private static func serve(_ options: DaemonOptions) {
        do throws(DaemonFailure) {
            let daemon = try Daemon(options) { log($0) }
            try daemon.run()
        } catch {
            StandardStream.error.print("itineraryd: \(error)")
            ProcessExit.now(error.kind.rawValue)
        }
    }

    private static func log(_ message: String) {
        StandardStream.error.print(
            "\(Timestamp(milliseconds: WallClock.nowMilliseconds)) itineraryd: \(message)")
    }
}
