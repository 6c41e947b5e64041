import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension OpenFile {
    /// Appends all bytes, with as many calls as that takes; on a failure some of them may be in the file.
    func writeAll(_ bytes: [UInt8]) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let taken = try write(rest)
            // No file takes nothing without saying why; asking again might go on for ever.
            if taken == 0 { throw SystemError(call: "write", code: EIO) }
            rest = rest.dropFirst(taken)
        }
    }
}

extension SystemError {
    /// Whether a write failed because there is no room, so that it may succeed later.
    var isLackOfRoom: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

    /// Whether an open failed because something other than the file is short, so that it may succeed later.
    var isLackOfResources: Bool { code == EMFILE || code == ENFILE || code == ENOMEM || isLackOfRoom }

    /// A file is not what it was when it was last looked at.
    package static func changedByOthers(_ path: String) -> SystemError {
        SystemError(call: "open", path: path, code: ESTALE)
    }

    /// Whether a rename that failed with it may have been done all the same; POSIX says so of this one alone.
    var leavesRenameOpen: Bool { code == EIO }
}
