/// What the program's exit codes mean; those from 64 on are of sysexits.h.
enum ExitCode: Int32, CaseIterable, Sendable {
    case done = 0
    case refused = 1
    case usage = 64
    case badData = 65
    case noInput = 66
    case unavailable = 69
    case defect = 70
    case ioFailed = 74
    case conflict = 75
    case otherProtocol = 76
    case notAllowed = 77
    case interrupted = 130

    /// When it is given.
    var meaning: String {
        switch self {
        case .done: "done, or there was nothing to do"
        case .refused: "refused by a rule or a limit; check found problems; import skipped entries"
        case .usage: "the command line makes no sense"
        case .badData: "bad data in a file"
        case .noInput: "no such file, trip or item; a directory"
        case .unavailable: "no daemon, the connection was lost, no answer or no input in time"
        case .defect: "a defect of this program or of the daemon"
        case .ioFailed: "the disk failed or is full, or the output could not be written"
        case .conflict: "somebody else was first; try again"
        case .otherProtocol: "client and daemon do not speak the same protocol"
        case .notAllowed: "not allowed"
        case .interrupted: "interrupted"
        }
    }

    /// Its name in an error's JSON, where the daemon has given none.
    var reason: String {
        switch self {
        case .done: "done"
        case .refused: "refused"
        case .usage: "usage"
        case .badData: "bad_data"
        case .noInput: "not_found"
        case .unavailable: "unavailable"
        case .defect: "internal_error"
        case .ioFailed: "io_failed"
        case .conflict: "conflict"
        case .otherProtocol: "unsupported_protocol"
        case .notAllowed: "not_allowed"
        case .interrupted: "interrupted"
        }
    }
}
