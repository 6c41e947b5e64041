import LocalSystem
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A program in its own terminal, and its user.
final class Terminal: Ending {
    /// The settings that a program may change and must restore.
    struct Settings: Equatable {
        let input: tcflag_t
        let output: tcflag_t
        let control: tcflag_t
        let local: tcflag_t
    }

    enum Key: String {
        case up = "\u{1B}[A"
        case down = "\u{1B}[B"
        case home = "\u{1B}[H"
        case escape = "\u{1B}"
        case space = " "
        case enter = "\r"
        case interrupt = "\u{3}"
    }

    private let device: PseudoTerminal
    private let child: ChildProcess
    private(set) var screen: Screen
    private var isAtEnd = false
    /// The settings before the program started.
    let settingsBefore: Settings

    init(
        _ executable: String, _ arguments: [String], environment: [String: String], columns: Int = 100,
        rows: Int = 40
    ) throws {
        device = try PseudoTerminal(columns: columns, rows: rows)
        screen = Screen(columns: columns, rows: rows)
        settingsBefore = try Self.settings(of: device.controller)
        var plan = ChildProcess.Plan(executable, arguments)
        plan.environment = environment
        plan.isInNewSession = true
        let terminal = ChildProcess.Stream.terminal(path: device.path)
        (plan.input, plan.output, plan.error) = (terminal, terminal, terminal)
        child = try ChildProcess(plan)
    }

    func end() {
        child.kill(SIGKILL)
        _ = try? child.wait()
    }

    // MARK: The user

    func press(_ keys: Key...) throws {
        for key in keys { try type(key.rawValue) }
    }

    func type(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty, case .wrote(let count) = try device.controller.write(Array(rest)) {
            rest = rest.dropFirst(count)
        }
    }

    /// Waits until the screen shows a text.
    func wait(for text: String) throws { try wait(for: "“\(text)”") { $0.text.contains(text) } }

    /// Waits until the screen no longer shows a text.
    func wait(without text: String) throws { try wait(for: "no “\(text)”") { !$0.text.contains(text) } }

    /// Waits until the screen meets a condition, which is checked between frames only.
    func wait(for what: String, until condition: (Screen) -> Bool) throws {
        let timeout = Deadline()
        while screen.isUpdating || !condition(screen) {
            try readMore(timeout, what)
            if isAtEnd { throw Deadline.Exhausted(description: "it ended before \(what):\n\(screen.text)") }
        }
    }

    func resize(columns: Int, rows: Int) throws {
        screen = screen.resized(columns: columns, rows: rows)
        try device.resize(columns: columns, rows: rows)
    }

    /// Closes the window: the program loses its terminal.
    func closeWindow() throws {
        let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
        try #require(nowhere >= 0)
        defer { close(nowhere) }
        try #require(dup2(nowhere, device.controller.rawValue) >= 0)
        try #require(fcntl(device.controller.rawValue, F_SETFD, FD_CLOEXEC) == 0)
    }

    // MARK: The program

    func send(_ signal: Int32) { child.kill(signal) }

    /// Waits until it has ended and its whole output is on the screen.
    func finish() throws -> ChildProcess.ExitStatus {
        let timeout = Deadline()
        while !isAtEnd { try readMore(timeout, "the program's end") }
        return try child.wait()
    }

    var settings: Settings { get throws { try Self.settings(of: device.controller) } }

    /// Sets the terminal as a shell would.
    func set(_ settings: Settings) throws {
        var all = termios()
        try #require(tcgetattr(device.controller.rawValue, &all) == 0)
        (all.c_iflag, all.c_oflag, all.c_cflag, all.c_lflag) = (
            settings.input, settings.output, settings.control, settings.local
        )
        try #require(tcsetattr(device.controller.rawValue, TCSANOW, &all) == 0)
    }

    /// The terminal no longer reports its size, like a serial line; the screen has the default size.
    func forgetSize() throws {
        screen = screen.resized(columns: 80, rows: 24)
        try device.resize(columns: 0, rows: 0)
    }

    /// Another program overwrites the whole screen.
    func clear() { screen.write(Array("\u{1B}[2J".utf8)) }

    private static func settings(of controller: borrowing Descriptor) throws -> Settings {
        var settings = termios()
        try #require(tcgetattr(controller.rawValue, &settings) == 0)
        return Settings(
            input: settings.c_iflag, output: settings.c_oflag, control: settings.c_cflag,
            local: settings.c_lflag)
    }

    private func readMore(_ timeout: Deadline, _ what: String) throws {
        try timeout.waitToRead([device.controller.rawValue], for: "\(what):\n\(screen.text)")
        var buffer = [UInt8](repeating: 0, count: 65_536)
        do throws(SystemError) {
            guard case .bytes(let count) = try device.controller.read(into: &buffer) else {
                isAtEnd = true
                return
            }
            screen.write(buffer[..<count])
        } catch {
            // On Linux the output ends so after the last program has closed the terminal.
            if error.code != EIO { throw error }
            isAtEnd = true
            return
        }
        for question in screen.takeQuestions() where question == "?2026$" {
            // Then frames come between two marks, so that no half frame is checked.
            try type("\u{1B}[?2026;2$y")
        }
    }
}
