import LocalSystem
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

typealias Line = TestSupport.Line
typealias LineClient = TestSupport.LineClient

/// A resource that runs until `end`.
protocol Ending: AnyObject {
    /// Kills it and waits until it is gone.
    func end()
}

/// An empty home directory of a user, and the only directory that the programs know. The test ends it.
final class Home {
    private let directory: TemporaryDirectory
    let environment: [String: String]
    /// The default paths of the programs.
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

    /// Only the variables that sanitizers and coverage need.
    private static func isPassedOn(_ name: String) -> Bool {
        name == "PATH" || name == "LD_LIBRARY_PATH" || name.hasPrefix("LLVM_PROFILE")
            || name.hasSuffix("SAN_OPTIONS")
    }

    /// Ends all processes started here. Their files are deleted with this object.
    func end() {
        // The clients first: an editor would start another daemon in place of the ended one.
        for program in programs { program.end() }
        for process in daemons { kill(process, SIGKILL) }
    }

    /// The daemons that clients have started here, including those that are still starting.
    private var daemons: [Int32] {
        #if os(Linux)
        let processes = ((try? RealFileSystem().list("/proc")) ?? []).compactMap { Int32($0) }
        return processes.filter { commandLine(of: $0).contains(path + "/") }
        #else
        return [servingProcess].compactMap { $0 }
        #endif
    }

    private func commandLine(of process: Int32) -> String { systemFile("/proc/\(process)/cmdline") }

    /// The first 4,096 bytes of a file whose status has no size; empty if it cannot be read.
    private func systemFile(_ path: String) -> String {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return "" }
        let file = Descriptor(owning: number)
        var buffer = [UInt8](repeating: 0, count: 4096)
        guard case .bytes(let count)? = try? file.read(into: &buffer) else { return "" }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    var path: String { directory.path }
    var socket: String { defaults.socket() }
    var dataDirectory: String { defaults.dataDirectory }

    /// The process that listens at the default socket.
    var servingProcess: Int32? {
        guard let connection = try? UnixSocket.connect(path: socket) else { return nil }
        return try? UnixSocket.peerCredentials(of: connection).processID
    }

    /// Stops the daemon that listens at the default socket, as a user does, and waits until its process has ended: until
    /// then it holds its locks.
    func shutDown() throws {
        let process = try #require(servingProcess)
        try connect(as: "Bob").result("daemon.shutdown")
        let timeout = Deadline()
        #if os(Linux)
        // The command line of an ended process is empty, also before its parent has waited for it.
        while !commandLine(of: process).isEmpty { try timeout.check(for: "the daemon to end") }
        #else
        while servingProcess == process { try timeout.check(for: "the daemon to end") }
        #endif
    }

    /// Kills the daemon that listens at the default socket, and waits until there is none.
    func crashServing() throws {
        guard let process = servingProcess else { return }
        let connection = try LineClient(path: socket)
        kill(process, SIGKILL)
        _ = try connection.linesToEnd()
    }

    /// Stops the daemon that listens at the default socket, until SIGCONT; returns its process.
    ///
    /// The kernel stops threads one by one, and a thread that still runs may answer a request: this waits for all.
    func stopServing() throws -> Int32 {
        let process = try #require(servingProcess)
        try #require(kill(process, SIGSTOP) == 0)
        #if os(Linux)
        let timeout = Deadline()
        while try !isStopped(process) { try timeout.check(for: "every thread of the daemon to stop") }
        #endif
        return process
    }

    #if os(Linux)
    /// Whether each thread of a process is in state T, the field after the last parenthesis of `stat` (proc(5)).
    private func isStopped(_ process: Int32) throws -> Bool {
        let threads = "/proc/\(process)/task"
        return try RealFileSystem().list(threads).allSatisfy { thread in
            let stat = systemFile("\(threads)/\(thread)/stat")
            return stat.lastIndex(of: ")").map { stat[$0...].hasPrefix(") T") } ?? false
        }
    }
    #endif

    // MARK: Programs

    /// Starts `itineraryd` without waiting.
    func startDaemon(_ arguments: [String]) throws -> Program { try start(Programs.daemon, arguments) }

    /// A daemon that serves at the default paths, unless others are given.
    func serve(_ arguments: String...) throws -> Program {
        let daemon = try startDaemon(["serve"] + arguments)
        try daemon.waitForLine(with: "serving at", of: .errors)
        return daemon
    }

    /// A daemon at the default paths whose standard error is a full pipe without a reader.
    func serveUnheard() throws -> Program {
        let daemon = try start(
            "/bin/sh",
            [
                "-c",
                "mkfifo '\(path)/pipe' && exec 3<>'\(path)/pipe' && head -c 65536 /dev/zero >&3 && "
                    + "exec '\(Programs.daemon)' serve 2>&3",
            ])
        let timeout = Deadline()
        while servingProcess == nil { try timeout.check(for: "a daemon at the socket") }
        return daemon
    }

    /// Starts `itineraryd` as systemd does, with a listening socket and a socket for notifications.
    func startActivated(on input: Program.Input, notifying notes: String) throws -> Program {
        try start(
            "/bin/sh",
            [
                "-c",
                "exec 3<&0 0</dev/null; export LISTEN_PID=$$ LISTEN_FDS=1 WATCHDOG_USEC=200000 "
                    + "NOTIFY_SOCKET='\(notes)'; exec '\(Programs.daemon)' serve",
            ], input)
    }

    /// A daemon at the default paths with a limit of the shell's `ulimit`, such as `-n 30` for open descriptors.
    func serve(limit: String) throws -> Program {
        let daemon = try start("/bin/sh", ["-c", "ulimit \(limit); exec '\(Programs.daemon)' serve"])
        try daemon.waitForLine(with: "serving at", of: .errors)
        return daemon
    }

    /// Starts `itinerary-client` without waiting.
    func startClient(_ arguments: [String], input: Program.Input = .nothing) throws -> Program {
        try start(Programs.client, arguments, input)
    }

    /// Runs `itinerary-client` to its end.
    func client(_ arguments: String...) throws -> Program.Outcome { try client(arguments) }

    /// The same.
    func client(_ arguments: [String]) throws -> Program.Outcome { try startClient(arguments).finish() }

    /// Starts `itinerary-client` in a terminal.
    func openTerminal(_ arguments: [String], columns: Int = 100, rows: Int = 40) throws -> Terminal {
        let terminal = try Terminal(
            Programs.client, arguments, environment: environment, columns: columns, rows: rows)
        programs.append(terminal)
        return terminal
    }

    /// A terminal with a shell with job control that runs a line in which `$CLIENT` is `itinerary-client`.
    func openShell(_ line: String) throws -> Terminal {
        let line = line.replacing("$CLIENT", with: "'\(Programs.client)'")
        let terminal = try Terminal("/bin/sh", ["-c", "set -m; " + line], environment: environment)
        programs.append(terminal)
        return terminal
    }

    /// Runs a line of the shell, in which `$CLIENT` is `itinerary-client`, to its end.
    func shell(_ line: String) throws -> Program.Outcome { try startShell(line).finish() }

    /// Starts a line of the shell without waiting.
    ///
    /// - Parameter typing: Whether the test types on its standard input.
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
        try connection.hello(user, client: clientID)
        return connection
    }

    // MARK: Files

    /// Writes a file in the home and returns its path.
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

    /// Every file and directory below a directory and the directory itself, by path.
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
