/// An event for the plain editor.
package enum PlainEvent: Sendable {
    /// A typed line, without its newline.
    case line(String)
    /// A line longer than any command, which is dropped.
    case overlongLine
    /// The end of the input.
    ///
    /// - Parameter isCutOff: whether the last line had no newline, and so may be incomplete.
    case end(isCutOff: Bool)
    /// An event of every editor: answers, newer states, presence, the connection. Keys, the mouse and sizes
    /// are ignored.
    case editor(EditorEvent)
}

/// The output of an event: lines to print, in order, and effects.
package struct PlainOutput: Equatable, Sendable {
    /// One sentence each, without newline and control characters.
    package var lines: [String] = []
    /// The effects, like those of the full-screen editor but without the bell.
    package var effects: [EditorEffect] = []
}
