import ItineraryUI
import TerminalCore

/// The editor drawn on a terminal, told by keys and the mouse.
struct ScreenFace: EditorFace {
    /// How long a lone Esc is waited on for the rest of a sequence.
    private static let escapePatience = Duration.milliseconds(30)
    /// After so long a silence in a paste, whose end may have been lost, Ctrl-C ends it.
    private static let pastePatience = Duration.seconds(2)

    private var terminal: EditorTerminal
    private var decoder = InputDecoder()
    private var editor: EditorState
    private let userName: String
    private let options: EditorOptions

    init(_ terminal: EditorTerminal, userName: String, _ options: EditorOptions) {
        self.terminal = terminal
        self.userName = userName
        self.options = options
        editor = EditorState(userName: userName, options: options)
    }

    mutating func begin() {
        decoder = InputDecoder()
        editor = EditorState(userName: userName, options: options)
        terminal.captureMouse(options.takesMouse)
    }

    mutating func enter() throws(CommandFailure) { try terminal.enter() }
    mutating func leave() { terminal.leave() }
    mutating func ringBell() { terminal.ringBell() }
    mutating func captureMouse(_ captures: Bool) { terminal.captureMouse(captures) }
    mutating func show() { terminal.draw(editor.frame()) }

    var takesInput: Bool { true }
    var inputPatience: Duration? {
        if decoder.isPasting { return Self.pastePatience }
        return decoder.isWaitingForMore ? Self.escapePatience : nil
    }

    mutating func typed(_ bytes: ArraySlice<UInt8>, now: Duration) -> [EditorEffect] {
        take(decoder.feed(bytes), now)
    }

    mutating func inputPaused(now: Duration) -> [EditorEffect] { take(decoder.timeout(), now) }

    mutating func inputEnded(now: Duration) -> [EditorEffect] { [.quit] }

    /// Ctrl-C or `q`.
    func isImpatient(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.contains { $0 == 3 || $0 == UInt8(ascii: "q") }
    }

    private mutating func take(_ events: [InputEvent], _ now: Duration) -> [EditorEffect] {
        var effects: [EditorEffect] = []
        for event in events where !effects.contains(.quit) {
            if case .reply(let reply) = event { terminal.learn(reply) }
            effects += editor.handle(.input(event), now: now)
        }
        return effects
    }

    mutating func resized(now: Duration) -> [EditorEffect] {
        guard let size = terminal.size else { return [] }
        terminal.forgetScreen()
        return handle(.resized(columns: size.columns, rows: size.rows), now: now)
    }

    mutating func handle(_ event: EditorEvent, now: Duration) -> [EditorEffect] {
        editor.handle(event, now: now)
    }

    mutating func announced(_ sentence: String, by user: String, now: Duration) -> [EditorEffect] {
        handle(.announced(sentence), now: now)
    }
}
