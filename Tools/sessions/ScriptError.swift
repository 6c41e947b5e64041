/// A line of a session's file that makes no sense.
package struct ScriptError: Error, CustomStringConvertible {
    /// Counted from 1.
    package let line: Int
    package let reason: String

    package var description: String { "line \(line): \(reason)" }
}
