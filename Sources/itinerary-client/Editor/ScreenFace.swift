import ItineraryUI
import LocalSystem
import TerminalCore

/// The full-screen editor, controlled by keys and the mouse.
struct ScreenFace: EditorFace {
    /// How long to wait after a lone Esc for the rest of a sequence.
    private static let escapeTimeout = Duration.milliseconds(30)
    /// After this pause in a paste, whose end may be lost, Ctrl-C ends it.
    private static let pasteTimeout = Duration.seconds(2)

    private var terminal: EditorTerminal
    private var decoder = InputDecoder()
    /// Unprocessed input.
    private var input = TypedAhead()
    private var editor: EditorState
    private let options: EditorOptions

    init(_ terminal: EditorTerminal, userName: String, _ options: EditorOptions) {
        self.terminal = terminal
        self.options = options
        editor = EditorState(userName: userName, options: options)
        self.terminal.captureMouse(options.takesMouse)
    }

    mutating func beginNext() {
        editor = EditorState(after: editor)
        terminal.captureMouse(options.takesMouse)
    }

    mutating func enter() throws(CommandFailure) {
        try terminal.enter()
        decoder.awaitsAnswer = true
    }
    mutating func leave() { terminal.leave() }
    mutating func ringBell() { terminal.ringBell() }
    mutating func captureMouse(_ captures: Bool) { terminal.captureMouse(captures) }
    mutating func show() { terminal.draw(editor.frame()) }

    var output: OutputStream { terminal.output }
    var takesInput: Bool { input.hasRoom }
    var inputTimeout: Duration? {
        if decoder.isPasting { return Self.pasteTimeout }
        return decoder.isWaitingForMore ? Self.escapeTimeout : nil
    }

    mutating func typed(_ bytes: ArraySlice<UInt8>) { input.append(decoder.feed(bytes)) }
    mutating func inputPaused() { input.append(decoder.timeout()) }
    mutating func inputEnded() {}
    var isWindow: Bool { true }

    mutating func next(now: Duration) -> [EditorEffect]? {
        guard let event = input.next(for: editor) else { return nil }
        if case .reply(let reply) = event { terminal.learn(reply) }
        return editor.handle(.input(event), now: now)
    }

    /// Ctrl-C or `q`.
    func isUrgent(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.contains { $0 == 3 || $0 == UInt8(ascii: "q") }
    }

    var notDone: [String] { editor.notDoneSentences }
    var notDoneByTrip: [String] { editor.notDoneByTrip }
    var unconfirmedByTrip: [String] { editor.unconfirmedByTrip }
    var saysAtOnce: Bool { false }
    var deniedCount: Int { 0 }
    var answersQuestions: Bool { true }

    mutating func resized(now: Duration) -> [EditorEffect] {
        let size = terminal.size
        terminal.forgetScreen()
        return handle(.resized(columns: size.columns, rows: size.rows), now: now)
    }

    mutating func handle(_ event: EditorEvent, now: Duration) -> [EditorEffect] {
        // The requested screen did not open, so the input typed for it is dropped.
        if case .failed(let kind, let reason) = event, kind == editor.awaited, input.discard() {
            return editor.handle(.failed(kind, "\(reason) The keys typed since then were ignored."), now: now)
        }
        if case .conflict = event { _ = input.discard() }
        return editor.handle(event, now: now)
    }
}
