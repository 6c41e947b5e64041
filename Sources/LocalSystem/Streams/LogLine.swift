/// A log line of a daemon.
package struct LogLine: Equatable, Sendable {
    /// The severity of a line, in ascending order.
    package enum Level: String, CaseIterable, Sendable {
        /// A normal event.
        case info
        /// A problem that does not stop the daemon.
        case warning
        /// The reason why the daemon ends.
        case error
    }

    /// The severity.
    package let level: Level
    /// The text, which may contain names and paths of others unchanged.
    package let message: String

    /// A normal event.
    package static func info(_ message: String) -> LogLine { LogLine(level: .info, message: message) }

    /// A problem that does not stop the daemon.
    package static func warning(_ message: String) -> LogLine { LogLine(level: .warning, message: message) }

    /// The reason why the daemon ends.
    package static func error(_ message: String) -> LogLine { LogLine(level: .error, message: message) }
}
