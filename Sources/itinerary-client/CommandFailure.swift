import LocalSystem
import TripClient

/// Why a command did not do what it was asked, and the exit code that says so (sysexits.h).
struct CommandFailure: Error {
    static let usage: Int32 = 64
    static let badData: Int32 = 65
    static let noInput: Int32 = 66
    static let unavailable: Int32 = 69
    static let refused: Int32 = 1

    let message: String
    let exitCode: Int32

    init(_ message: String, exitCode: Int32) {
        self.message = message
        self.exitCode = exitCode
    }

    init(_ error: Arguments.UsageError) {
        self.init(error.description, exitCode: Self.usage)
    }

    init(_ error: ClientError) {
        switch error {
        case .refused, .notMade, .tripDeleted: self.init(error.description, exitCode: Self.refused)
        case .noDaemon, .unreachable, .closed, .mayBeMade, .garbled, .otherUser, .cancelled:
            self.init(error.description, exitCode: Self.unavailable)
        }
    }
}

/// Runs what can fail at the daemon, for a command that can fail.
func asking<Value: Sendable>(
    _ body: () async throws(ClientError) -> Value
) async throws(CommandFailure) -> Value {
    do throws(ClientError) { return try await body() } catch { throw CommandFailure(error) }
}

/// Runs what can fail at the command line, for a command that can fail.
func parsing<Value>(
    _ body: () throws(Arguments.UsageError) -> Value
) throws(CommandFailure) -> Value {
    do throws(Arguments.UsageError) { return try body() } catch { throw CommandFailure(error) }
}
