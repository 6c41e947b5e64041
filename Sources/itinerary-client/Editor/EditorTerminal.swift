import LocalSystem
import TerminalCore

/// The terminal as the editor uses it: raw, on the alternate screen, drawn by differences, given back as it was.
struct EditorTerminal {
    private let device = TerminalDevice(descriptor: 0)
    /// What is drawn goes here, and never waits: a terminal that does not read stops nobody.
    let output = OutputStream(beside: 1)
    /// Whether the background may be asked for: a Linux console would print the question.
    private let asksBackground: Bool
    /// Whether the mouse is reported; what is selected with it otherwise is for the terminal.
    private var capturesMouse = false
    private var renderer: FrameRenderer
    /// What the screen shows; nil where that is not known.
    private var shown: Frame?
    private var isEntered = false

    /// - Throws: `CommandFailure` where there is no terminal to draw on.
    init(environment: ProcessEnvironment) throws(CommandFailure) {
        guard TerminalDevice.isTerminal(0), TerminalDevice.isTerminal(1) else {
            throw CommandFailure(
                "the editor needs a terminal; with --plain it needs none",
                exitCode: CommandFailure.usage)
        }
        if environment.nonEmpty("TERM") == "dumb" {
            throw CommandFailure(
                "a dumb terminal cannot show the editor; with --plain it works anywhere",
                exitCode: CommandFailure.usage)
        }
        asksBackground = environment.nonEmpty("TERM") != "linux"
        renderer = FrameRenderer(colorDepth: Self.colorDepth(environment))
    }

    private static func colorDepth(_ environment: ProcessEnvironment) -> ColorDepth {
        if environment.nonEmpty("NO_COLOR") != nil { return .none }
        switch environment.nonEmpty("COLORTERM") {
        case "truecolor"?, "24bit"?: return .trueColor
        default: break
        }
        return environment.nonEmpty("TERM")?.contains("256color") == true ? .indexed256 : .ansi16
    }

    var colorDepth: ColorDepth { renderer.colorDepth }

    /// Of more columns or rows than anybody sees at once only these are used: every cell is kept twice.
    private static let largest = 1000

    /// How long a terminal that does not read is waited for before it is left.
    private static let lastPatience: Int32 = 200

    /// Its size; where it does not tell, as a serial line, what the environment says or the usual one.
    var size: TerminalDevice.Size {
        if let size = device.size {
            return TerminalDevice.Size(
                columns: min(size.columns, Self.largest), rows: min(size.rows, Self.largest))
        }
        let environment = ProcessEnvironment.current
        func number(_ name: String, _ usual: Int) -> Int {
            environment.nonEmpty(name).flatMap { Int($0) }.map { min(max($0, 1), Self.largest) } ?? usual
        }
        return TerminalDevice.Size(columns: number("COLUMNS", 80), rows: number("LINES", 24))
    }

    mutating func enter() throws(CommandFailure) {
        do throws(SystemError) { try device.enterRawMode(farewell: TerminalSequences.leave) } catch {
            throw CommandFailure("\(error)", exitCode: CommandFailure.unavailable)
        }
        isEntered = true
        shown = nil
        output.write(
            TerminalSequences.enter + (capturesMouse ? TerminalSequences.enableMouse : [])
                + TerminalSequences.querySynchronizedUpdate
                + (asksBackground ? TerminalSequences.queryBackgroundColor : []))
    }

    /// Has the mouse reported, or leaves it to the terminal.
    mutating func captureMouse(_ captures: Bool) {
        guard captures != capturesMouse else { return }
        capturesMouse = captures
        if isEntered {
            output.write(
                captures ? TerminalSequences.enableMouse : TerminalSequences.disableMouse)
        }
    }

    mutating func leave() {
        guard isEntered else { return }
        isEntered = false
        // A frame that is cut in two would take the farewell for a part of itself.
        output.finish(milliseconds: Self.lastPatience)
        output.write(TerminalSequences.leave)
        output.finish(milliseconds: Self.lastPatience)
        device.restore()
    }

    /// Draws what differs, with one write, or none.
    mutating func draw(_ frame: Frame) {
        // While it does not take the frame before, none is drawn; the newest is when it does.
        guard isEntered, !output.isStuck else { return }
        let bytes = renderer.bytes(for: frame, over: shown)
        shown = frame
        if !bytes.isEmpty { output.write(bytes) }
    }

    /// Draws everything at the next time: something else may have drawn here.
    mutating func forgetScreen() { shown = nil }

    func ringBell() { if !output.isStuck { output.write(TerminalSequences.bell) } }

    /// Takes note of what the terminal says of itself.
    mutating func learn(_ reply: TerminalReply) {
        if case .modeReport(mode: 2026, let setting) = reply, setting == .set || setting == .reset {
            renderer.synchronizesUpdates = true
        }
    }
}
