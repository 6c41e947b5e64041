/// An invalid line of a session's file.
package struct ScriptError: Error, CustomStringConvertible {
    /// The 1-based line number.
    package let line: Int
    package let reason: String

    package var description: String { "line \(line): \(reason)" }
}
