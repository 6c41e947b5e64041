import CommandLineKit
import JSONLine
import LocalSystem
import TripClient
import TripProtocol

/// The reason why a command failed, and its exit code.
struct CommandFailure: Error {
    private(set) var message: String
    private(set) var exitCode: ExitCode
    /// The daemon's error, whose code, reason and data are included in the JSON.
    private(set) var refusal: RemoteError?
    /// The machine-readable reason if the daemon gave none; nil for that of the exit code.
    private var ownReason: String?

    init(_ message: String, exitCode: ExitCode, reason: String? = nil) {
        self.message = message
        self.exitCode = exitCode
        ownReason = reason
    }

    /// Whether the change was sent and its outcome is unknown.
    private(set) var mayBeDone = false

    /// The same failure with an unknown outcome.
    var leftOpen: CommandFailure {
        var copy = self
        copy.mayBeDone = true
        return copy
    }

    /// Whether no daemon could be reached.
    var isUnreachable: Bool { exitCode == .unavailable }

    /// The machine-readable reason, if more specific than that of the exit code.
    var reason: String? { refusal?.reason ?? ownReason }

    /// An invalid command line.
    static func usage(_ message: String) -> CommandFailure { CommandFailure(message, exitCode: .usage) }

    /// The signal that ended the command. The process then kills itself with it.
    var signal: Int32?

    init(_ error: ClientError) {
        switch error {
        case .refused(let refusal):
            self.init(error.description, exitCode: Self.exitCode(of: refusal))
            self.refusal = refusal
            mayBeDone = refusal.known == .outcomeUnknown
        case .notMade, .inUse: self.init(error.description, exitCode: .refused)
        case .tripDeleted: self.init(error.description, exitCode: .noInput)
        case .otherUser: self.init(error.description, exitCode: .notAllowed)
        case .garbled: self.init(error.description, exitCode: .otherProtocol)
        case .noDaemon, .unreachable, .closed, .clientClosed, .outcomeUnknown, .cancelled:
            self.init(error.description, exitCode: .unavailable)
        }
        if case .outcomeUnknown = error { mayBeDone = true }
    }

    /// The same failure with another message.
    func saying(_ message: String) -> CommandFailure {
        var copy = self
        copy.message = message
        return copy
    }

    /// The same failure with another exit code.
    func exiting(_ code: ExitCode) -> CommandFailure {
        var copy = self
        copy.exitCode = code
        return copy
    }

    /// The failure as a line of JSON: `{"error":{"code","reason","message","data"?}}`.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("error")
        writer.beginObject()
        writer.member("code", refusal?.code ?? Int(exitCode.rawValue))
        writer.member("reason", reason ?? exitCode.reason)
        writer.member("message", message)
        if let data = refusal?.data {
            writer.key("data")
            writer.raw(data)
        }
        writer.endObject()
        writer.endObject()
        writer.endLine()
        return writer.take()
    }
}

extension CommandFailure {
    /// The exit code for an error of the daemon.
    private static func exitCode(of error: RemoteError) -> ExitCode {
        switch error.known {
        case .tripNotFound?, .itemNotFound?, .dragNotFound?: .noInput
        case .versionConflict?, .itemHeld?, .alreadyDragging?, .anchorMoved?, .leaseExpired?, .duplicateID?,
            .sequenceReuse?, .sequenceTooOld?:
            .conflict
        case .storageFull?, .storageFailed?, .outcomeUnknown?, .tripCorrupt?: .ioFailed
        case .unsupportedProtocol?, .methodNotFound?, .notInitialized?, .parseError?, .invalidRequest?:
            .otherProtocol
        case .readOnly?, .accessDenied?: .notAllowed
        case .internalError?: .defect
        case .shuttingDown?: .unavailable
        default: .refused
        }
    }
}

/// Rethrows a `ClientError` as a `CommandFailure`.
func asking<Value: Sendable>(
    _ body: @autoclosure () async throws(ClientError) -> Value
) async throws(CommandFailure) -> Value {
    do throws(ClientError) { return try await body() } catch { throw CommandFailure(error) }
}

extension ClientError {
    /// Whether the daemon may or may not have made the change.
    var leavesOutcomeOpen: Bool {
        if case .refused(let refusal) = self { return refusal.known == .outcomeUnknown }
        return leavesRequestOpen
    }

    /// The reason why the daemon's answer is missing, without the uncertainty.
    var reason: String {
        if case .outcomeUnknown(let reason) = self { reason } else { description }
    }
}
