import LocalSystem
import TripClient
import TripProtocol

/// Why a command did not do what it was asked, and the exit code that says so (sysexits.h).
struct CommandFailure: Error {
    static let usage: Int32 = 64
    static let badData: Int32 = 65
    static let noInput: Int32 = 66
    static let unavailable: Int32 = 69
    static let defect: Int32 = 70
    static let ioFailed: Int32 = 74
    static let conflict: Int32 = 75
    static let otherProtocol: Int32 = 76
    static let notAllowed: Int32 = 77
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

    /// The signal that ended it, which the process then dies of.
    var signal: Int32?

    init(_ error: ClientError) {
        switch error {
        case .refused(let refusal): self.init(error.description, exitCode: Self.exitCode(of: refusal))
        case .notMade: self.init(error.description, exitCode: Self.refused)
        case .tripDeleted: self.init(error.description, exitCode: Self.noInput)
        case .otherUser: self.init(error.description, exitCode: Self.notAllowed)
        case .noDaemon, .unreachable, .closed, .mayBeMade, .garbled, .cancelled:
            self.init(error.description, exitCode: Self.unavailable)
        }
    }
}

extension CommandFailure {
    /// The exit code for what the daemon refuses.
    private static func exitCode(of error: RemoteError) -> Int32 {
        switch error.known {
        case .tripNotFound?, .itemNotFound?, .dragNotFound?: noInput
        case .versionConflict?, .itemHeld?, .alreadyDragging?, .anchorMoved?, .leaseExpired?, .undoConflict?,
            .duplicateID?, .slugTaken?, .sequenceReuse?, .sequenceTooOld?:
            conflict
        case .storageFull?, .storageFailed?, .outcomeUnknown?, .tripCorrupt?: ioFailed
        case .unsupportedProtocol?, .methodNotFound?, .notInitialized?, .parseError?, .invalidRequest?:
            otherProtocol
        case .readOnly?: notAllowed
        case .internalError?: defect
        case .shuttingDown?: unavailable
        default: refused
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
