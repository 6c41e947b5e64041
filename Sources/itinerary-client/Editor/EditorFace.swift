import ItineraryUI
import LocalSystem

/// The user interface of an editor: a screen or lines. A value that the session drives.
protocol EditorFace: Sendable {
    /// Prepares for another trip, or for none. Input that was not processed is kept for it.
    mutating func beginNext()
    /// Takes over the terminal, if necessary.
    mutating func enter() throws(CommandFailure)
    /// Shows remaining output and restores the terminal.
    mutating func leave()
    /// The output stream.
    var output: OutputStream { get }
    /// Whether to read more input now; otherwise it stays in the system's buffer.
    var takesInput: Bool { get }
    /// The time after which `inputPaused` is to be called, if the input so far may be incomplete.
    var inputTimeout: Duration? { get }
    /// Adds typed bytes, to be processed by `next`.
    mutating func typed(_ bytes: ArraySlice<UInt8>)
    /// Handles a pause in the input.
    mutating func inputPaused()
    /// Handles the end of the input; earlier input is still processed.
    mutating func inputEnded()
    /// Whether the end of the input means that the window was closed.
    var isWindow: Bool { get }
    /// Processes the next key or line; returns nil if there is none. The session shows its effects before the
    /// next call.
    mutating func next(now: Duration) -> [EditorEffect]?
    /// Whether bytes typed while changes are being delivered ask to quit without waiting.
    func isUrgent(_ bytes: ArraySlice<UInt8>) -> Bool
    /// Handles a new size of the terminal, or a screen overwritten by another program.
    mutating func resized(now: Duration) -> [EditorEffect]
    /// Handles any other event.
    mutating func handle(_ event: EditorEvent, now: Duration) -> [EditorEffect]
    /// Shows the changes of one loop iteration.
    mutating func show()
    mutating func ringBell()
    mutating func captureMouse(_ captures: Bool)
    /// The unread reports of changes that failed, or whose outcome is unknown, a sentence each.
    var notDone: [String] { get }
    /// The unread reports, each with its trip.
    var notDoneByTrip: [String] { get }
    /// The unread reports, and reports of changes that are still being sent.
    var unconfirmedByTrip: [String] { get }
    /// The number of requests that failed and that no user sees.
    var deniedCount: Int { get }
    /// Whether a user can answer unforeseen questions.
    var answersQuestions: Bool { get }
    /// Whether everything is printed at once, and so counts as read.
    var saysAtOnce: Bool { get }
}
