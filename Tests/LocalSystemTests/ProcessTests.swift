import LocalSystem
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite(.timeLimit(.minutes(10))) struct ProcessTests {
    /// Runs a shell script; returns its output and its end.
    private func run(
        _ script: String, _ change: (inout ChildProcess.Plan) -> Void = { _ in }
    ) throws -> (output: String, status: ChildProcess.ExitStatus) {
        let pipe = try Pipe()
        let (reading, writing) = pipe.release()
        let reader = Descriptor(owning: reading)
        var plan = ChildProcess.Plan("/bin/sh", ["-c", script])
        plan.output = .descriptor(writing)
        plan.environment = ["PATH": "/usr/bin:/bin"]
        change(&plan)
        let child = try ChildProcess(plan)
        close(writing)
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case .bytes(let count) = try reader.read(into: &buffer) { output += buffer[..<count] }
        return (String(decoding: output, as: UTF8.self), try child.wait())
    }

    @Test func `arguments, environment, directory and streams reach the child`() throws {
        let result = try run("echo \"$0|$1|$VALUE|$(pwd)\"; cat; echo problem >&2; exit 7") { plan in
            plan.arguments += ["zero", "one two"]
            plan.environment["VALUE"] = "a=b"
            plan.directory = "/"
            plan.input = .null
            plan.error = plan.output
        }
        #expect(result.output == "zero|one two|a=b|/\nproblem\n")
        #expect(result.status == .exited(7))
    }

    @Test func `a log is appended to, and only its owner can read it`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/log"
        for _ in 0..<2 { _ = try run("echo line >&2") { $0.error = .log(path: path) } }
        let log = try OpenFile(path, .read, in: RealFileSystem()).readAll()
        #expect(String(decoding: log, as: UTF8.self) == "line\nline\n")
        #expect(try FileStatus.ofPath(path)?.mode == 0o600)
    }

    @Test func `a symbolic link in the log's place is not followed`() throws {
        let directory = try TemporaryDirectory()
        let (path, target) = (directory.path + "/log", directory.path + "/target")
        _ = try run("echo mine >&2") { $0.error = .log(path: target) }
        try #require(symlink(target, path) == 0)
        #expect(throws: SystemError(call: "open", path: path, code: ELOOP)) {
            _ = try run("echo line >&2") { $0.error = .log(path: path) }
        }
        let text = try OpenFile(target, .read, in: RealFileSystem()).readAll()
        #expect(String(decoding: text, as: UTF8.self) == "mine\n")
    }

    @Test func `a child can have its own session`() throws {
        let script = "ps -o sid= -p $$; echo $$"
        let own = try run(script) { $0.isInNewSession = true }.output.split(separator: "\n")
        try #require(own.count == 2)
        #expect(own[0].filter { $0 != " " } == own[1])
        let shared = try run(script).output.split(separator: "\n")
        #expect(shared[0].filter { $0 != " " } == "\(getsid(0))")
    }

    #if !canImport(Darwin)
    @Test func `a child inherits no other descriptor`() throws {
        let leaky = fcntl(0, F_DUPFD, 100)
        defer { close(leaky) }
        let result = try run("ls /proc/$$/fd") { $0.input = .null }
        let open = Set(result.output.split(separator: "\n").compactMap { Int($0) })
        #expect(!open.contains(Int(leaky)))
        // The shell uses numbers from 10 on for its own descriptors.
        #expect(open.filter { $0 < 10 }.sorted() == [0, 1, 2])
    }
    #endif

    @Test func `a child can be polled, killed and waited for any number of times`() throws {
        var plan = ChildProcess.Plan("/bin/sh", ["-c", "read line"])
        let pipe = try Pipe()
        plan.input = .descriptor(pipe.reading.rawValue)
        let child = try ChildProcess(plan)
        #expect(try child.poll() == nil)
        child.kill(SIGKILL)
        #expect(try child.wait() == .signalled(SIGKILL))
        #expect(try child.wait() == .signalled(SIGKILL))
        #expect(try child.poll() == .signalled(SIGKILL))
        child.kill(SIGKILL)
        withExtendedLifetime(pipe) {}
    }

    @Test func `a child starts with default signals`() async {
        await #expect(processExitsWith: .success) {
            Signals.ignoreBrokenPipe()
            let child = try ChildProcess(ChildProcess.Plan("/bin/sh", ["-c", "kill -PIPE $$"]))
            exit(try child.wait() == .signalled(SIGPIPE) ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test func `a program that cannot be executed throws, without a child process`() {
        #expect(throws: SystemError(call: "posix_spawn", path: "/nowhere/sh", code: ENOENT)) {
            _ = try ChildProcess(ChildProcess.Plan("/nowhere/sh"))
        }
    }

    @Test func `the executable's path is absolute and exists`() throws {
        let path = try #require(ExecutablePath.current)
        #expect(path.hasPrefix("/"))
        #expect(try FileStatus.ofPath(path)?.kind == .regular)
    }

    @Test func `clocks agree with the system clocks`() {
        let seconds = Int64(time(nil))
        #expect(WallClock.nowMilliseconds >= seconds * 1000)
        #expect(WallClock.nowMilliseconds < (seconds + 600) * 1000)
        let first = MonotonicClock.nowNanoseconds
        #expect(MonotonicClock.nowNanoseconds >= first)
    }
}
