import LocalSystem
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite(.timeLimit(.minutes(10))) struct TerminalTests {
    @Test func `raw mode is set, and the old mode is restored exactly`() throws {
        let pseudo = try PseudoTerminal()
        let terminal = try pseudo.openTerminal()
        let number = terminal.rawValue
        #expect(TerminalDevice.isTerminal(number))
        let before = flags(number)
        let device = TerminalDevice(descriptor: number)
        device.restore()
        #expect(flags(number) == before)
        for _ in 0..<2 { try device.enterRawMode() }
        #expect(flags(number).local & tcflag_t(ICANON | ECHO | ISIG) == 0)
        // A single key arrives without a newline, Ctrl-C as a byte.
        try pseudo.controller.send("\u{3}")
        #expect(try terminal.receive() == "\u{3}")
        for _ in 0..<2 { device.restore() }
        #expect(flags(number) == before)
        try device.enterRawMode()
        #expect(flags(number) != before)
        device.restore()
        #expect(flags(number) == before)
    }

    @Test func `the size is the current size of the terminal`() throws {
        let pseudo = try PseudoTerminal(columns: 100, rows: 30)
        let terminal = try pseudo.openTerminal()
        let device = TerminalDevice(descriptor: terminal.rawValue)
        #expect(device.size == TerminalDevice.Size(columns: 100, rows: 30))
        try pseudo.resize(columns: 20, rows: 5)
        #expect(device.size == TerminalDevice.Size(columns: 20, rows: 5))
        try pseudo.resize(columns: 0, rows: 0)
        #expect(device.size == nil)
    }

    @Test func `a descriptor that is not a terminal throws`() throws {
        let pipe = try Pipe()
        let number = pipe.reading.rawValue
        #expect(!TerminalDevice.isTerminal(number))
        let device = TerminalDevice(descriptor: number)
        #expect(device.size == nil)
        #expect(throws: SystemError(call: "tcgetattr", code: ENOTTY)) { try device.enterRawMode() }
        device.restore()
    }

    @Test func `a child leads its session on the terminal and gets SIGWINCH`() throws {
        let pseudo = try PseudoTerminal(columns: 80, rows: 24)
        let script = "trap 'stty size; exit 0' WINCH; stty size </dev/tty; while :; do read line; done"
        var plan = ChildProcess.Plan("/bin/sh", ["-c", script])
        plan.environment = ["PATH": "/usr/bin:/bin"]
        plan.isInNewSession = true
        let terminal = ChildProcess.Stream.terminal(path: pseudo.path)
        (plan.input, plan.output, plan.error) = (terminal, terminal, terminal)
        let child = try ChildProcess(plan)
        #expect(try pseudo.controller.receive() == "24 80\r\n")
        try pseudo.resize(columns: 60, rows: 20)
        // The shell runs its trap when its reading is interrupted or gets a line.
        try pseudo.controller.send("\n")
        #expect(try child.wait() == .exited(0))
    }

    private struct Flags: Equatable {
        let input: tcflag_t
        let output: tcflag_t
        let control: tcflag_t
        let local: tcflag_t
    }

    private func flags(_ descriptor: Int32) -> Flags {
        var settings = termios()
        #expect(tcgetattr(descriptor, &settings) == 0)
        return Flags(
            input: settings.c_iflag, output: settings.c_oflag, control: settings.c_cflag,
            local: settings.c_lflag)
    }
}
