import CommandLineKit
import LocalSystem
import TripJournal
import TripServer

/// `serve`: runs the daemon.
enum ServeCommand {
    private static let durability = OptionRow.value(
        "--durability", "WHEN",
        "sync (default): confirm a change when the disk has it; relaxed: when it is written, sync within 100 ms",
        .oneOf(["sync", "relaxed"]))
    private static let compactAt = OptionRow.value(
        "--compact-at", "BYTES", "the size at which a journal is compacted (4194304)")
    private static let allowGroup = OptionRow.value(
        "--allow-group", "NAME",
        "let the accounts of a group connect, with the permissions of the access file")
    private static let logFile = OptionRow.value(
        "--log", "FILE", "log to FILE instead of standard error; rotated to FILE.1 at 1 MiB", .file)

    static let row = CommandRow(
        name: "serve", summary: "run the daemon",
        forms: [
            "[--socket PATH] [--data DIR] [--durability sync|relaxed] [--compact-at BYTES] "
                + "[--allow-group NAME] [--log FILE] [--log-level LEVEL] [--log-format FORM]"
        ],
        options: [DaemonProgram.socket, DaemonProgram.data, durability, compactAt, allowGroup, logFile]
            + DaemonLog.options,
        examples: [
            .init("serve", "for your own account"),
            .init(
                "serve --socket /srv/trips/run/sock --allow-group family", "for the accounts of a group"),
        ],
        details: [
            "SIGTERM and SIGINT shut the daemon down cleanly. SIGHUP reloads the access file, see",
            "itineraryd-access(5).",
        ],
        exits: [
            .unavailable: "a daemon is running already, or the socket cannot be created",
            .badConfiguration: "the access file is invalid, or a directory is on a network disk",
        ])

    static func run(_ command: ParsedCommand) throws(UsageError) {
        let log = try DaemonLog(command)
        serve(try options(command), log, command.value(logFile).map { LogFile(path: $0) })
    }

    private static func options(_ command: ParsedCommand) throws(UsageError) -> DaemonOptions {
        let environment = ProcessEnvironment.current
        let socket = command.value(DaemonProgram.socket) ?? environment.nonEmpty("ITINERARYD_SOCKET")
        let data = command.value(DaemonProgram.data)
        var durability = Durability.sync
        if let text = command.value(Self.durability) {
            guard let known = Durability(rawValue: text) else {
                throw UsageError("--durability is sync or relaxed, not \(UsageError.shown(text))")
            }
            durability = known
        }
        var compactAt: Int?
        if let text = command.value(Self.compactAt) {
            compactAt = Int(text)
            guard let bytes = compactAt, bytes > 0 else {
                throw UsageError("--compact-at takes a number of bytes, not \(UsageError.shown(text))")
            }
        }
        let allowedGroup = command.value(allowGroup)
        if allowedGroup != nil, socket == nil {
            throw UsageError(
                "--allow-group needs --socket PATH, in a directory that the group can reach, such as /srv/trips/itineraryd.sock"
            )
        }
        let home = CurrentUser.home(environment: environment.variables)
        let defaults = DefaultPaths(
            environment: environment.variables, userID: CurrentUser.id, home: home ?? "/")
        var options = DaemonOptions(
            socket: socket ?? defaults.socket(), socketIsDefault: socket == nil,
            dataDirectory: try DataPlace.chosen(by: command), dataIsDefault: data == nil,
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
                        return form.text(of: .warning("the log file is not renewed: \(error)"))
                    }
                }
            }
            do throws(SystemError) {
                log = try LogWriter(StandardStream.error.rawValue, renewal: renewal)
            } catch {
                throw DaemonFailure(.ioFailed, "\(error)")
            }
            if let excess { log.write(excess) }
            // A reader that does not read the log must not delay the exit.
            defer { log.close(within: .seconds(1)) }
            ProcessSetting.makeFilesPrivate()
            FreedMemory.limit()
            let daemon = try Daemon(options) { line in
                if let text = form.text(of: line) { log.write(text) }
            }
            // The file system of the current directory can then be unmounted.
            ProcessSetting.leaveDirectory()
            try daemon.run()
        } catch {
            StandardStream.error.print(form.failure("\(error)"))
            ProcessExit.now(error.kind.rawValue)
        }
    }
}
