/// Everything that can happen to the plain editor.
package enum PlainEvent: Sendable {
    /// The user typed a line; its newline is not part of it.
    case line(String)
    /// A line came that is longer than any command; it is dropped.
    case overlongLine
    /// No more lines come.
    ///
    /// - Parameter isCutOff: whether the last one had no end, and so may not be what was meant.
    case end(isCutOff: Bool)
    /// What happens to every editor: answers, newer states, people, the connection. Keys, the mouse and sizes mean
    /// nothing here.
    case editor(EditorEvent)
}

/// What an event led to: lines to print, in order, and what is to be done.
package struct PlainOutput: Equatable, Sendable {
    /// One sentence each, without newline; nothing in them steers a terminal.
    package var lines: [String] = []
    /// As for the drawn editor; there is no bell.
    package var effects: [EditorEffect] = []
}
