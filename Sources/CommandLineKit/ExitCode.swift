/// The exit codes of both programs; those from 64 on follow `sysexits.h`.
package enum ExitCode: Int32, CaseIterable, Sendable {
    case done = 0
    case refused = 1
    case unchecked = 2
    case usage = 64
    case badData = 65
    case noInput = 66
    case unavailable = 69
    case defect = 70
    case ioFailed = 74
    case conflict = 75
    case otherProtocol = 76
    case notAllowed = 77
    case badConfiguration = 78
    case interrupted = 130

    /// The situation in which a program exits with it.
    package var meaning: String {
        switch self {
        case .done: "success, or nothing to do"
        case .refused: "refused by a rule or a limit; check found problems; import skipped entries"
        case .unchecked: "itineraryd check could not read the data directory"
        case .usage: "invalid command line"
        case .badData: "invalid data in a file"
        case .noInput: "no such file, trip or item, or several match"
        case .unavailable: "no daemon, lost connection, or timeout; itineraryd: already running"
        case .defect: "internal error (please report it)"
        case .ioFailed: "the disk failed or is full, a journal is damaged, or the output could not be written"
        case .conflict: "someone else changed it first; try again"
        case .otherProtocol: "client and daemon have incompatible versions"
        case .notAllowed: "permission denied"
        case .badConfiguration: "itineraryd serve: the access file or a directory is not usable"
        case .interrupted: "interrupted"
        }
    }

    /// The machine-readable reason in a JSON error if the daemon gave none.
    package var reason: String {
        switch self {
        case .done: "done"
        case .refused: "refused"
        case .unchecked: "unchecked"
        case .usage: "usage"
        case .badData: "bad_data"
        case .noInput: "not_found"
        case .unavailable: "unavailable"
        case .defect: "internal_error"
        case .ioFailed: "io_failed"
        case .conflict: "conflict"
        case .otherProtocol: "unsupported_protocol"
        case .notAllowed: "not_allowed"
        case .badConfiguration: "bad_configuration"
        case .interrupted: "interrupted"
        }
    }
}
