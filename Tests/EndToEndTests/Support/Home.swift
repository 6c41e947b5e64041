import LocalSystem
import TestSupport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Something that runs until it is ended.
protocol Ending: AnyObject {
    /// Kills it and waits until it is gone.
    func end()
}

/// A user's home with nothing in it yet, for programs that know no other place. A test says when
/// it ends.
final class Home {
    private let directory: TemporaryDirectory
    let environment: [String: String]
    /// The default places, as the programs find them.
    private let defaults: DefaultPaths
    private var programs: [any Ending] = []

    init() throws {
        directory = try TemporaryDirectory()
        let path = directory.path
        var variables = ProcessEnvironment.current.variables.filter { Self.isPassedOn($0.key) }
        variables["HOME"] = path
        variables["XDG_RUNTIME_DIR"] = path + "/run"
        variables["XDG_STATE_HOME"] = path + "/state"
        variables["TERM"] = "xterm-256color"
        environment = variables
        defaults = DefaultPaths(environment: variables, userID: CurrentUser.id, home: path)
        mkdir(path + "/run", 0o700)
    }

    /// What the tools that watch over a test run need; nothing of the user's own.
    private static func isPassedOn(_ name: String) -> Bool {
        name == "PATH" || name == "LD_LIBRARY_PATH" || name.hasPrefix("LLVM_PROFILE")
            || name.hasSuffix("SAN_OPTIONS")
    }

    /// Ends everything that runs here; the files go with this object.
    func end() {
        // The clients first: an editor would start another daemon in place of the one that goes.
        for program in programs { program.end() }
        for process in daemons { kill(process, SIGKILL) }
    }

    /// The daemons that clients have started here, those included that have come no further than their start.
    private var daemons: [Int32] {
        #if os(Linux)
        let processes = ((try? RealFileSystem().list("/proc")) ?? []).compactMap { Int32($0) }
        return processes.filter { commandLine(of: $0).contains(path + "/") }
        #else
        return [servingProcess].compactMap { $0 }
        #endif
    }

    private func commandLine(of process: Int32) -> String {
        let number = open("/proc/\(process)/cmdline", O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return "" }
        let file = Descriptor(owning: number)
        var buffer = [UInt8](repeating: 0, count: 4096)
        guard case .bytes(let count)? = try? file.read(into: &buffer) else { return "" }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    var path: String { directory.path }
    var socket: String { defaults.socket() }
    var dataDirectory: String { defaults.dataDirectory }

    /// The process that listens at the default socket, whoever started it.
    var servingProcess: Int32? {
        guard let connection = try? UnixSocket.connect(path: socket) else { return nil }
        return try? UnixSocket.peerCredentials(of: connection).processID
    }

    /// Kills the daemon that listens at the default socket, and waits until nobody does.
    func crashServing() throws {
        guard let process = servingProcess else { return }
        let connection = try LineClient(path: socket)
        kill(process, SIGKILL)
        _ = try connection.linesToEnd()
    }

    // MARK: Programs

    /// Starts `itineraryd` and does not wait.
    func startDaemon(_ arguments: [String]) throws -> Program { try start(Programs.daemon, arguments) }

    /// A daemon that serves at the default places, unless other ones are named.
    func serve(_ arguments: String...) throws -> Program {
        let daemon = try startDaemon(["serve"] + arguments)
        try daemon.waitForLine(with: "serving at", of: .errors)
        return daemon
    }

    /// A daemon at the default places whose standard error is a full pipe that nobody reads.
    func serveUnheard() throws -> Program {
        let daemon = try start(
            "/bin/sh",
            [
                "-c",
                "mkfifo '\(path)/pipe' && exec 3<>'\(path)/pipe' && head -c 65536 /dev/zero >&3 && "
                    + "exec '\(Programs.daemon)' serve 2>&3",
            ])
        let patience = Patience()
        while servingProcess == nil { try patience.check(for: "a daemon at the socket") }
        return daemon
    }

    /// Starts `itineraryd` as systemd does, with something that it is to listen on and a socket for its words.
    func startActivated(on input: Program.Input, telling notes: String) throws -> Program {
        try start(
            "/bin/sh",
            [
                "-c",
                "exec 3<&0 0</dev/null; export LISTEN_PID=$$ LISTEN_FDS=1 WATCHDOG_USEC=200000 "
                    + "NOTIFY_SOCKET='\(notes)'; exec '\(Programs.daemon)' serve",
            ], input)
    }

    /// A daemon at the default places that may have so many descriptors open.
    func serve(descriptors: Int) throws -> Program {
        let daemon = try start(
            "/bin/sh", ["-c", "ulimit -n \(descriptors); exec '\(Programs.daemon)' serve"])
        try daemon.waitForLine(with: "serving at", of: .errors)
        return daemon
    }

    /// Starts `itinerary-client` and does not wait.
    func startClient(_ arguments: [String], input: Program.Input = .nothing) throws -> Program {
        try start(Programs.client, arguments, input)
    }

    /// Runs `itinerary-client` to its end.
    func client(_ arguments: String...) throws -> Program.Outcome { try startClient(arguments).finish() }

    /// Starts `itinerary-client` in a terminal.
    func openTerminal(_ arguments: [String], columns: Int = 100, rows: Int = 40) throws -> Terminal {
        let terminal = try Terminal(
            Programs.client, arguments, environment: environment, columns: columns, rows: rows)
        programs.append(terminal)
        return terminal
    }

    /// A terminal with a shell that controls jobs and works off a line, in which `$CLIENT` is `itinerary-client`.
    func openShell(_ line: String) throws -> Terminal {
        let line = line.replacing("$CLIENT", with: "'\(Programs.client)'")
        let terminal = try Terminal("/bin/sh", ["-c", "set -m; " + line], environment: environment)
        programs.append(terminal)
        return terminal
    }

    /// Runs a line of the shell, in which `$CLIENT` is `itinerary-client`, to its end.
    func shell(_ line: String) throws -> Program.Outcome { try startShell(line).finish() }

    /// Starts such a line and does not wait.
    ///
    /// - Parameter typing: whether the test types on its standard input.
    func startShell(_ line: String, typing: Bool = false) throws -> Program {
        try start(
            "/bin/sh", ["-c", line.replacing("$CLIENT", with: "'\(Programs.client)'")],
            typing ? .typed : .nothing)
    }

    private func start(
        _ executable: String, _ arguments: [String], _ input: Program.Input = .nothing
    ) throws -> Program {
        let program = try Program(executable, arguments, environment: environment, input: input)
        programs.append(program)
        return program
    }

    /// A connection to the daemon at the default socket, after its hello.
    func connect(as user: String, clientID: String? = nil) throws -> LineClient {
        let connection = try LineClient(path: socket)
        try connection.hello(user, clientID: clientID)
        return connection
    }

    // MARK: Files

    /// Writes a file of the user's and returns its path.
    func write(_ text: String, to name: String) throws -> String {
        let place = path + "/" + name
        let file = Descriptor(owning: open(place, O_WRONLY | O_CREAT | O_TRUNC, 0o600))
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty, case .wrote(let count) = try file.write(Array(rest)) {
            rest = rest.dropFirst(count)
        }
        return place
    }

    func read(_ path: String) throws -> String {
        String(decoding: try OpenFile(path, .read, in: RealFileSystem()).readAll(), as: UTF8.self)
    }

    /// Every file and directory below a directory, itself included, by its path.
    func everything(below path: String) throws -> [String: FileStatus] {
        guard let status = try FileStatus.ofPath(path) else { return [:] }
        var found = [path: status]
        if status.kind == .directory {
            for name in try RealFileSystem().list(path) {
                found.merge(try everything(below: path + "/" + name)) { old, _ in old }
            }
        }
        return found
    }
}
