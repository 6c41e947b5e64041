import ItineraryUI
import LocalSystem
import TerminalCore

/// The editor drawn on a terminal, told by keys and the mouse.
struct ScreenFace: EditorFace {
    /// How long a lone Esc is waited on for the rest of a sequence.
    private static let escapePatience = Duration.milliseconds(30)
    /// So many keys are kept for a trip that is about to come; the terminal keeps the rest.
    private static let mostKept = 1_000
    /// After so long a silence in a paste, whose end may have been lost, Ctrl-C ends it.
    private static let pastePatience = Duration.seconds(2)

    private var terminal: EditorTerminal
    private var decoder = InputDecoder()
    /// Events that have not been looked at.
    private var input: [InputEvent] = []
    private var editor: EditorState
    private var hasEnded = false
    private let userName: String
    private let options: EditorOptions

    init(_ terminal: EditorTerminal, userName: String, _ options: EditorOptions) {
        self.terminal = terminal
        self.userName = userName
        self.options = options
        editor = EditorState(userName: userName, options: options)
    }

    mutating func begin() {
        let old = editor
        editor = EditorState(userName: userName, options: options)
        editor.goOn(after: old)
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
    var takesInput: Bool { !editor.awaitsTrip || input.count < Self.mostKept }
    var inputPatience: Duration? {
        if decoder.isPasting { return Self.pastePatience }
        return decoder.isWaitingForMore ? Self.escapePatience : nil
    }

    mutating func typed(_ bytes: ArraySlice<UInt8>) { input += decoder.feed(bytes) }
    mutating func inputPaused() { input += decoder.timeout() }
    mutating func inputEnded() { hasEnded = true }

    mutating func next(now: Duration) -> [EditorEffect]? {
        guard !input.isEmpty else {
            defer { hasEnded = false }
            return hasEnded ? [.quit] : nil
        }
        // What is typed while a trip is about to come is for that one.
        guard let index = editor.awaitsTrip ? input.firstIndex { $0.isForProgram } : 0 else { return nil }
        let event = input.remove(at: index)
        if case .reply(let reply) = event { terminal.learn(reply) }
        return editor.handle(.input(event), now: now)
    }

    /// Ctrl-C or `q`.
    func isImpatient(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.contains { $0 == 3 || $0 == UInt8(ascii: "q") }
    }

    var notDone: [String] { editor.notDoneSentences }
    var saysAtOnce: Bool { false }
    var deniedCount: Int { 0 }
    var answersQuestions: Bool { true }

    mutating func resized(now: Duration) -> [EditorEffect] {
        let size = terminal.size
        terminal.forgetScreen()
        return handle(.resized(columns: size.columns, rows: size.rows), now: now)
    }

    mutating func handle(_ event: EditorEvent, now: Duration) -> [EditorEffect] {
        let wasOpening = editor.opensTrip
        let effects = editor.handle(event, now: now)
        // It does not come: what was typed for it is for nothing else.
        if wasOpening, !editor.opensTrip { input.removeAll { !$0.isForProgram } }
        return effects
    }
}

extension InputEvent {
    /// Whether it is looked at whatever is on the screen: the terminal's own word, and Ctrl-C.
    fileprivate var isForProgram: Bool {
        switch self {
        case .reply, .key(.character("c"), .control): true
        case .key, .mouse, .paste, .focus: false
        }
    }
}
