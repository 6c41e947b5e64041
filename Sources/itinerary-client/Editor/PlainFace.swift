import ItineraryUI
import LocalSystem
import TripModel

/// The plain editor (`--plain`): lines on standard input, sentences on standard output. Neither must be a
/// terminal, and the settings of a terminal are not changed.
struct PlainFace: EditorFace {
    private var lines = TypedLines()
    private var editor: PlainEditor
    private let hasPrompt = TerminalDevice.isTerminal(0) && TerminalDevice.isTerminal(1)
    private var isPromptShown = false
    private var hasEnded = false
    private var hasLeft = false
    /// The number of failed changes in earlier trips.
    private var deniedBefore = 0
    /// The lines to print at the end of this loop iteration.
    private var said: [String] = []
    let output = OutputStream(beside: 1)
    /// The maximum size of unwritten output.
    private static let backlogLimit = 4 << 20
    /// How long to wait at the end for a reader that does not read.
    private static let exitTimeout: Int32 = 2_000

    init(userName: String, _ options: EditorOptions) {
        editor = PlainEditor(userName: userName, options: options)
    }

    mutating func beginNext() {
        deniedBefore += editor.deniedCount
        editor = PlainEditor(after: editor)
    }

    mutating func enter() { hasLeft = false }
    mutating func ringBell() {}
    mutating func captureMouse(_ captures: Bool) {}

    mutating func leave() {
        hasLeft = true
        show()
        if isPromptShown { output.write([UInt8(ascii: "\n")]) }
        isPromptShown = false
        output.finish(milliseconds: Self.exitTimeout)
    }

    /// While an answer is pending, one line is read ahead; while the output is blocked, none.
    var takesInput: Bool { !output.isStuck && lines.pendingByteCount <= TypedLines.limit }
    var inputTimeout: Duration? { nil }
    func isUrgent(_ bytes: ArraySlice<UInt8>) -> Bool { false }

    mutating func typed(_ bytes: ArraySlice<UInt8>) {
        lines.append(bytes)
        // The terminal has echoed the end of the line.
        if bytes.last == UInt8(ascii: "\n") { isPromptShown = false }
    }

    mutating func inputPaused() {}
    mutating func inputEnded() { hasEnded = true }
    var isWindow: Bool { false }

    /// Processes a line after the previous one was answered.
    mutating func next(now: Duration) -> [EditorEffect]? {
        guard !editor.isBusy, !hasLeft, !output.isStuck else { return nil }
        switch lines.next() {
        case .text(let line)?: return pass(.line(line), now)
        case .overlong?: return pass(.overlongLine, now)
        case nil: return hasEnded ? pass(.end(isCutOff: lines.pendingByteCount > 0), now) : nil
        }
    }

    mutating func resized(now: Duration) -> [EditorEffect] { [] }

    mutating func handle(_ event: EditorEvent, now: Duration) -> [EditorEffect] {
        let awaited = editor.opensOther ? editor.awaited : nil
        let effects = pass(.editor(event), now)
        if case .failed(let kind, _) = event, kind == awaited {
            // The trip did not open, so the lines typed for it are dropped.
            let count = lines.drop()
            if count > 0 {
                deniedBefore += count
                said.append(
                    "\(counted(count, "line")) typed for it \(count == 1 ? "was" : "were") ignored."
                )
            }
        }
        return effects
    }

    var notDone: [String] { editor.notDoneSentences }
    var notDoneByTrip: [String] { editor.notDoneByTrip }
    var unconfirmedByTrip: [String] { editor.unconfirmedByTrip }
    var saysAtOnce: Bool { true }
    var deniedCount: Int { hasPrompt ? 0 : deniedBefore + editor.deniedCount }
    var answersQuestions: Bool { hasPrompt }

    private mutating func pass(_ event: PlainEvent, _ now: Duration) -> [EditorEffect] {
        let new = editor.handle(event, now: now)
        said += new.lines
        if new.effects.contains(.quit) { hasLeft = true }
        return new.effects
    }

    mutating func show() {
        var text = ""
        if !said.isEmpty {
            // An unrequested message begins on a new line.
            if isPromptShown { text = "\n" }
            isPromptShown = false
            for line in said { text += line + "\n" }
            said = []
        }
        if hasPrompt, !isPromptShown, !editor.isBusy, !hasLeft {
            text += "> "
            isPromptShown = true
        }
        if !text.isEmpty, output.waitingCount < Self.backlogLimit { output.write(Array(text.utf8)) }
    }
}
