import LocalSystem

/// Why a trip's files were not made or deleted.
package enum JournalStoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is something of that trip's name already.
    case exists
    /// There is no such trip.
    case missing
    /// It failed, and everything is as it was before.
    case unchanged(SystemError)
    /// It failed when it could no longer be taken back: only a restart shows what became of it.
    case outcomeUnknown(SystemError)
    /// What the request rests on was not kept, which the journal's sink was told before; nothing was done.
    case superseded
    /// The writer was closed before.
    case closed

    /// One sentence for a person.
    package var description: String {
        switch self {
        case .exists: "the trip has files already"
        case .missing: "the trip has no files"
        case .unchanged(let error): error.description
        case .outcomeUnknown(let error): "\(error); what became of it is known after a restart"
        case .superseded: "the changes before it could not be stored"
        case .closed: "the journals are closed"
        }
    }
}
