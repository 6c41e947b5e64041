import CSystemShim

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An open file descriptor with exactly one owner; it is closed with the owner, and never twice.
package struct Descriptor: ~Copyable, Sendable {
    /// The kind of the object, as far as writing to it differs.
    package enum Kind: Sendable {
        /// A socket: writes never raise SIGPIPE.
        case socket
        /// Anything else: a pipe without a reader raises SIGPIPE, see `Signals.ignoreBrokenPipe()`.
        case other
    }

    /// The number, for system calls and for `EventLoop.watch`; it must not be closed, nor kept beyond this value.
    package let rawValue: Int32
    let kind: Kind

    /// Takes ownership of an open descriptor.
    package init(owning rawValue: Int32, kind: Kind = .other) {
        precondition(rawValue >= 0, "a descriptor is not negative")
        self.rawValue = rawValue
        self.kind = kind
    }

    deinit {
        // Never repeated on EINTR, because the number is free by then and may already be reused. Errors of
        // earlier writes are reported by a sync.
        _ = close(rawValue)
    }

    /// Gives up ownership: the caller closes the returned descriptor.
    package consuming func release() -> Int32 {
        let number = rawValue
        discard self
        return number
    }

    /// A second descriptor, close-on-exec, for the same open file, such as standard input.
    package static func duplicate(of number: Int32, kind: Kind = .other) throws(SystemError) -> Descriptor {
        Descriptor(owning: try systemCall("fcntl") { fcntl(number, F_DUPFD_CLOEXEC, 0) }, kind: kind)
    }

    /// Sets or clears O_NONBLOCK, which affects all descriptors of the same open file.
    package func setNonBlocking(_ isOn: Bool) throws(SystemError) {
        let flags = try systemCall("fcntl") { fcntl(rawValue, F_GETFL) }
        let wanted = isOn ? flags | O_NONBLOCK : flags & ~O_NONBLOCK
        if wanted != flags { try systemCall("fcntl") { fcntl(rawValue, F_SETFL, wanted) } }
    }
}

/// The two ends of a pipe.
package struct Pipe: ~Copyable, Sendable {
    /// The read end.
    package let reading: Descriptor
    /// The write end.
    package let writing: Descriptor

    /// A new pipe, blocking and close-on-exec.
    package init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        try systemCall("pipe") { shim_pipe(&ends) }
        reading = Descriptor(owning: ends[0])
        writing = Descriptor(owning: ends[1])
    }

    /// Gives up ownership: the caller closes both ends.
    package consuming func release() -> (reading: Int32, writing: Int32) {
        (reading.release(), writing.release())
    }
}
