import LocalSystem
import TripJournal
import TripModel
import TripProtocol
import TripServer

/// The daemon's program: arguments in, `Daemon` out.
@main
struct Itineraryd {
    static func main() async {
        // Before anything is opened: with a closed standard error, the log would go into the first file that is.
        StandardStream.occupy()
        var arguments = Arguments(Array(CommandLine.arguments.dropFirst()))
        if arguments.flag("--help", "-h") {
            let name = arguments.word()
            let help = name == "dial-stdio" ? Usage.dialStdio : name.flatMap { Maintenance.commands[$0] }
            return StandardStream.output.print(help ?? Usage.general)
        }
        if arguments.flag("--version") {
            return StandardStream.output.print(
                "itineraryd \(ProtocolVersion.program), protocol \(ProtocolVersion.current)")
        }
        do throws(Arguments.UsageError) {
            let command = try arguments.word(named: "a command (serve)")
            if Maintenance.commands[command] != nil {
                ProcessExit.now(try Maintenance.run(command, &arguments))
            }
            switch command {
            case "serve":
                let log = try DaemonLog(&arguments)
                let file = try arguments.option("--log").map { LogFile(path: $0) }
                serve(try options(&arguments), log, file)
            case "dial-stdio": try await DialStdio(&arguments).run()
            default:
                let names = ["serve", "dial-stdio"] + Maintenance.commands.keys
                let question = NearestSpelling.question(for: command, among: names)
                throw .init("there is no command \(command)\(question)")
            }
        } catch {
            StandardStream.error.print(
                "itineraryd: \(TextRule.visible("\(error)")); itineraryd --help tells more")
            ProcessExit.now(64)
        }
    }

    private static func options(
        _ arguments: inout Arguments
    ) throws(Arguments.UsageError) -> DaemonOptions {
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
        var compactAt: Int?
        if let text = try arguments.option("--compact-at") {
            compactAt = Int(text)
            guard let bytes = compactAt, bytes > 0 else {
                throw .init("--compact-at takes a number of bytes, not \(text)")
            }
        }
        let allowedGroup = try arguments.option("--allow-group")
        if allowedGroup != nil, socket == nil {
            throw .init(
                "--allow-group needs --socket PATH, in a directory that the group can reach, such as /srv/trips/itineraryd.sock"
            )
        }
        try arguments.finish()
        let home = CurrentUser.home(environment: environment.variables)
        if home == nil, data == nil {
            throw .init("there is no home directory to keep trips in; name a place with --data")
        }
        let defaults = DefaultPaths(
            environment: environment.variables, userID: CurrentUser.id, home: home ?? "/")
        var options = DaemonOptions(
            socket: socket ?? defaults.socket(), socketIsDefault: socket == nil,
            dataDirectory: data ?? defaults.dataDirectory, dataIsDefault: data == nil,
            durability: durability)
        if let compactAt { options.compactAt = compactAt }
        options.allowedGroup = allowedGroup
        return options
    }

    private static func serve(_ options: DaemonOptions, _ form: DaemonLog, _ file: LogFile?) {
        do throws(DaemonFailure) {
            let log: LogWriter
            var excess: String?
            if let file {
                do throws(LogFileError) { excess = form.text(ofExcess: try file.replace(.error)) } catch {
                    throw DaemonFailure(.unavailable, "\(error)")
                }
            }
            let renewal = file.map { file in
                LogWriter.Renewal(every: file.maximumBytes) {
                    do throws(LogFileError) { return form.text(ofExcess: try file.replace(.error)) } catch {
                        return form.text(of: .warning("the log goes on as it is: \(error)"))
                    }
                }
            }
            do throws(SystemError) {
                log = try LogWriter(StandardStream.error.rawValue, renewal: renewal)
            } catch {
                throw DaemonFailure(.ioFailed, "\(error)")
            }
            if let excess { log.write(excess) }
            // Whoever does not read what the daemon says keeps it neither from serving nor from ending.
            defer { log.close(within: .seconds(1)) }
            ProcessSetting.makeFilesPrivate()
            let daemon = try Daemon(options) { line in
                if let text = form.text(of: line) { log.write(text) }
            }
            // A directory that somebody works in cannot be unmounted.
            ProcessSetting.leaveDirectory()
            try daemon.run()
        } catch {
            StandardStream.error.print(form.failure("\(error)"))
            ProcessExit.now(error.kind.rawValue)
        }
    }
}
