import ItineraryUI
import LocalSystem

/// What the user sees of an editor and tells it: the screen, or lines. A value that the session drives.
protocol EditorFace: Sendable {
    /// Another trip is opened in place of the one before, or there is none any more. Input that has not been looked at is
    /// kept for it.
    mutating func beginNext()
    /// Takes the terminal over, if it has to.
    mutating func enter() throws(CommandFailure)
    /// Shows what is left to be shown, and gives the terminal back.
    mutating func leave()
    /// Where it is shown.
    var output: OutputStream { get }
    /// Whether more input is wanted now; what is typed meanwhile waits in the system.
    var takesInput: Bool { get }
    /// How long to wait until `inputPaused` where the input so far may be the beginning of something.
    var inputPatience: Duration? { get }
    /// The user typed something, which `next` looks at.
    mutating func typed(_ bytes: ArraySlice<UInt8>)
    /// No more came for a moment.
    mutating func inputPaused()
    /// No more will come, and what has come is still to be looked at.
    mutating func inputEnded()
    /// Whether the end of the input is the end of the window.
    var isWindow: Bool { get }
    /// Looks at the next key or line and tells what it leads to; nil where there is none to look at now. What one leads
    /// to is shown before the next is looked at.
    mutating func next(now: Duration) -> [EditorEffect]?
    /// Whether bytes typed while changes are still being delivered ask not to wait for that.
    func isImpatient(_ bytes: ArraySlice<UInt8>) -> Bool
    /// The terminal has another size, or something else was shown in it.
    mutating func resized(now: Duration) -> [EditorEffect]
    /// Something else happened.
    mutating func handle(_ event: EditorEvent, now: Duration) -> [EditorEffect]
    /// Shows what has changed; once for everything that happens in a round.
    mutating func show()
    mutating func ringBell()
    mutating func captureMouse(_ captures: Bool)
    /// What was not done, or perhaps not, and has not been read, a sentence each.
    var notDone: [String] { get }
    /// The same, each with the trip that it was for.
    var notDoneByTrip: [String] { get }
    /// How much was asked for and not done, where nobody is there to see it.
    var deniedCount: Int { get }
    /// Whether a person is there to answer questions that nobody foresaw.
    var answersQuestions: Bool { get }
    /// Whether everything is printed as it comes, so that it has been read.
    var saysAtOnce: Bool { get }
}
