/// Something that a daemon says to whoever runs it.
package struct LogLine: Equatable, Sendable {
    /// How much a line matters; the last one the most.
    package enum Level: String, CaseIterable, Sendable {
        /// What happens.
        case info
        /// What is wrong while the daemon goes on.
        case warning
        /// Why the daemon ends.
        case error
    }

    /// How much it matters.
    package let level: Level
    /// What is said, which may hold others' names and paths as they are.
    package let message: String

    /// What happens.
    package static func info(_ message: String) -> LogLine { LogLine(level: .info, message: message) }

    /// What is wrong while the daemon goes on.
    package static func warning(_ message: String) -> LogLine { LogLine(level: .warning, message: message) }

    /// Why the daemon ends.
    package static func error(_ message: String) -> LogLine { LogLine(level: .error, message: message) }
}
