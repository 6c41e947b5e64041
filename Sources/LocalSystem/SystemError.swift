#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A system call that failed: which one, on what, and why.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The name of the call, such as `open`.
    package let call: String
    /// The path that it was given, if any.
    package let path: String?
    /// The error number, such as `ENOENT`.
    package let code: Int32

    /// An error of the call `call` with error number `code`.
    package init(call: String, path: String? = nil, code: Int32) {
        self.call = call
        self.path = path
        self.code = code
    }

    /// Whether a connection failed because nobody listens at the path.
    package var isNobodyListening: Bool { code == ENOENT || code == ECONNREFUSED }

    /// Whether there is no room on the disk, or none left for this user or in this file.
    package var isOutOfRoom: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

    /// Such as "open /x/y: No such file or directory".
    package var description: String {
        // The C library's buffer belongs to the thread; only texts of unknown numbers ever shared one.
        let reason = String(cString: strerror(code))
        return path.map { "\(call) \($0): \(reason)" } ?? "\(call): \(reason)"
    }
}

/// Runs a call that tells failure by −1 and `errno`, again as long as a signal interrupts it.
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

/// Runs a call that returns its error number itself, 0 for success.
func checkedCall(_ name: String, _ path: String? = nil, _ body: () -> Int32) throws(SystemError) {
    let code = body()
    if code != 0 { throw SystemError(call: name, path: path, code: code) }
}

extension SystemError {
    /// Whether nobody reads what was written.
    package var isBrokenPipe: Bool { code == EPIPE }

    /// Whether the terminal is there no more.
    package var isLostTerminal: Bool { code == EIO || code == ENXIO }
}
