#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A failed system call.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The name of the call, such as `open`.
    package let call: String
    /// The path that it was given, if any.
    package let path: String?
    /// The error number, such as `ENOENT`.
    package let code: Int32

    package init(call: String, path: String? = nil, code: Int32) {
        self.call = call
        self.path = path
        self.code = code
    }

    /// True if a connection failed because no process listens at the path.
    package var isNobodyListening: Bool { code == ENOENT || code == ENOTDIR || code == ECONNREFUSED }

    /// True if the disk, the quota or the file size limit is exhausted.
    package var isOutOfRoom: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

    /// The error for a file or directory that another program has renamed, replaced or changed.
    package static func changedByOthers(_ path: String) -> SystemError {
        SystemError(call: "open", path: path, code: ESTALE)
    }

    /// For example "open /x/y: No such file or directory".
    package var description: String {
        if code == ESTALE, let path { return "\(path) was renamed, replaced or changed by another program" }
        // The C library's buffer belongs to the thread; only texts of unknown numbers ever shared one.
        let reason = String(cString: strerror(code))
        return path.map { "\(call) \($0): \(reason)" } ?? "\(call): \(reason)"
    }
}

/// Runs a call that reports failure by −1 and `errno`, and repeats it while a signal interrupts it.
@inline(__always)
@discardableResult
func systemCall<Result: SignedInteger>(
    _ name: String, _ path: String? = nil, _ body: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = body()
        if result != -1 { return result }
        let code = errno
        if code != EINTR { throw SystemError(call: name, path: path, code: code) }
    }
}

/// Runs a call that returns its error number, 0 for success.
func checkedCall(_ name: String, _ path: String? = nil, _ body: () -> Int32) throws(SystemError) {
    let code = body()
    if code != 0 { throw SystemError(call: name, path: path, code: code) }
}

extension SystemError {
    /// True if there is no reader.
    package var isBrokenPipe: Bool { code == EPIPE }

    /// True if the terminal is gone.
    package var isLostTerminal: Bool { code == EIO || code == ENXIO }
}
