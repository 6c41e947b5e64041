import LocalSystem
import TripJournal

/// The reason why a maintenance command failed.
package enum MaintenanceFailure: Error, CustomStringConvertible {
    /// The trip, file or version does not exist or is not usable.
    case refused(String)
    /// The directory is not available.
    case unavailable(String)
    /// A system call failed.
    case system(SystemError)

    /// One sentence for the user.
    package var description: String {
        switch self {
        case .refused(let message), .unavailable(let message): message
        case .system(let error): error.description
        }
    }

    /// The exit code (sysexits.h, or 1 for `refused`).
    package var exitCode: Int32 {
        switch self {
        case .refused: 1
        case .unavailable: 69
        case .system: 74
        }
    }
}
