import LocalSystem
import TerminalCore

/// The editor's terminal: in raw mode, on the alternate screen, drawn by differences, and restored at the
/// end.
struct EditorTerminal {
    private let device = TerminalDevice(descriptor: 0)
    /// Non-blocking output: a terminal that does not read blocks nothing.
    let output = OutputStream(beside: 1)
    /// Whether to query the background colour; a Linux console would print the query.
    private let asksBackground: Bool
    /// Whether the mouse is reported; otherwise the terminal uses it for selecting text.
    private var capturesMouse = false
    private var renderer: FrameRenderer
    /// The frame on the screen; nil if unknown.
    private var shown: Frame?
    private var isEntered = false

    /// - Throws: `CommandFailure` if there is no terminal.
    init(environment: ProcessEnvironment) throws(CommandFailure) {
        guard TerminalDevice.isTerminal(0), TerminalDevice.isTerminal(1) else {
            throw CommandFailure(
                "the editor needs a terminal; with --plain it needs none",
                exitCode: .usage)
        }
        if environment.nonEmpty("TERM") == "dumb" {
            throw CommandFailure(
                "a dumb terminal cannot show the editor; with --plain it works anywhere",
                exitCode: .usage)
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

    /// The maximum number of columns and rows, because every cell is stored twice.
    private static let largest = 1000

    /// How long to wait at the end for a terminal that does not read.
    private static let exitTimeout: Int32 = 200

    /// The terminal's size. If it is unknown, as on a serial line, that of the environment, or the usual one.
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
            throw CommandFailure("\(error)", exitCode: .unavailable)
        }
        isEntered = true
        shown = nil
        output.write(
            TerminalSequences.enter + (capturesMouse ? TerminalSequences.enableMouse : [])
                + TerminalSequences.querySynchronizedUpdate
                + (asksBackground ? TerminalSequences.queryBackgroundColor : []))
    }

    /// Enables or disables mouse reports.
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
        // The output must not end in the middle of a frame, or the sequences after it would become part of
        // it.
        output.finish(milliseconds: Self.exitTimeout)
        output.write(TerminalSequences.leave)
        output.finish(milliseconds: Self.exitTimeout)
        device.restore()
    }

    /// Draws the difference to the shown frame, with at most one write.
    mutating func draw(_ frame: Frame) {
        // While the previous frame is not written, none is drawn; later the newest one is.
        guard isEntered, !output.isStuck else { return }
        let bytes = renderer.bytes(for: frame, over: shown)
        shown = frame
        if !bytes.isEmpty { output.write(bytes) }
    }

    /// Forces a full redraw, because another program may have drawn on the screen.
    mutating func forgetScreen() { shown = nil }

    func ringBell() { if !output.isStuck { output.write(TerminalSequences.bell) } }

    /// Stores a response of the terminal.
    mutating func learn(_ reply: TerminalReply) {
        if case .modeReport(mode: 2026, let setting) = reply, setting == .set || setting == .reset {
            renderer.synchronizesUpdates = true
        }
    }
}
