import LocalSystem

/// The reason why a trip's files were not created or deleted.
package enum JournalStoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The trip's directory exists already.
    case exists
    /// There is no such trip.
    case missing
    /// It failed, and nothing has changed.
    case unchanged(SystemError)
    /// It failed too late to be rolled back; the outcome is known after a restart.
    case outcomeUnknown(SystemError)
    /// An earlier change, on which the request depends, has failed and was reported; nothing was done.
    case superseded
    /// The writer was closed before.
    case closed

    /// One sentence for the user.
    package var description: String {
        switch self {
        case .exists: "the trip has files already"
        case .missing: "the trip has no files"
        case .unchanged(let error): error.description
        case .outcomeUnknown(let error): "\(error); the outcome is known after a restart"
        case .superseded: "the changes before it could not be stored"
        case .closed: "the journals are closed"
        }
    }
}
