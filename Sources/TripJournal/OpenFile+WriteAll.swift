import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension OpenFile {
    /// Appends all bytes with as many calls as needed; after a failure some of them may be in the file.
    func writeAll(_ bytes: [UInt8]) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let taken = try write(rest)
            // A write of zero bytes without an error could repeat forever.
            if taken == 0 { throw SystemError(call: "write", code: EIO) }
            rest = rest.dropFirst(taken)
        }
    }
}

extension SystemError {
    /// True if a write failed for lack of space, so that it may succeed later.
    var isLackOfRoom: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

    /// True if an open failed for lack of resources, so that it may succeed later.
    var isLackOfResources: Bool { code == EMFILE || code == ENFILE || code == ENOMEM || isLackOfRoom }

    /// True if a rename that failed with it may have taken effect; according to POSIX, only EIO.
    var leavesRenameOpen: Bool { code == EIO }
}
