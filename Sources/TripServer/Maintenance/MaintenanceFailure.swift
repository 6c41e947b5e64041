import LocalSystem
import TripJournal

/// Why a command that looks after the trips' files could not do what it was asked.
package enum MaintenanceFailure: Error, CustomStringConvertible {
    /// There is no such trip, file or version, or it cannot be used for this.
    case refused(String)
    /// The directory cannot be had, or not now.
    case unavailable(String)
    /// The system failed.
    case system(SystemError)

    /// One sentence for a person.
    package var description: String {
        switch self {
        case .refused(let message), .unavailable(let message): message
        case .system(let error): error.description
        }
    }

    /// The exit code that says so (sysexits.h, and 1 for what was refused).
    package var exitCode: Int32 {
        switch self {
        case .refused: 1
        case .unavailable: 69
        case .system: 74
        }
    }
}
