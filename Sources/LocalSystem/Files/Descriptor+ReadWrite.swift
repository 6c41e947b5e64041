#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The result of a read.
package enum ReadResult: Equatable, Sendable {
    /// The number of bytes, at least one.
    case bytes(Int)
    /// Nothing to read now: wait until readable.
    case wouldBlock
    /// The other end has closed, cleanly or not.
    case end
}

/// The result of a write.
package enum WriteResult: Equatable, Sendable {
    /// The number of written bytes, possibly fewer than requested.
    case wrote(Int)
    /// Nothing was written: wait until writable.
    case wouldBlock
    /// The other end has closed and accepts no more bytes.
    case closed
}

extension Descriptor {
    /// Maximum number of pieces per gathering write, far below the system's IOV_MAX.
    package static let maximumPieces = 64

    /// Reads up to `buffer.count` bytes, which must not be 0, into `buffer`.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> ReadResult {
        try readOnce(into: buffer).get()
    }

    /// Reads up to `buffer.count` bytes into `buffer`, whose size does not change.
    package func read(into buffer: inout [UInt8]) throws(SystemError) -> ReadResult {
        try buffer.withUnsafeMutableBytes { readOnce(into: $0) }.get()
    }

    private func readOnce(into buffer: UnsafeMutableRawBufferPointer) -> Result<ReadResult, SystemError> {
        precondition(!buffer.isEmpty, "a read into an empty buffer would look like the end")
        while true {
            let count = systemRead(rawValue, buffer)
            if count > 0 { return .success(.bytes(count)) }
            if count == 0 { return .success(.end) }
            let code = errno
            switch code {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return .success(.wouldBlock)
            case ECONNRESET: return .success(.end)
            default: return .failure(SystemError(call: "read", code: code))
            }
        }
    }

    /// Waits until data or the end can be read; false after the timeout. Blocks.
    ///
    /// - Parameter timeout: the timeout in milliseconds.
    package func isReadable(within timeout: Int32) -> Bool {
        var state = pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0)
        while true {
            let count = systemPoll(&state, 1, timeout)
            if count >= 0 || errno != EINTR { return count > 0 }
        }
    }

    /// Writes once; the caller must handle a partial write.
    package func write(_ bytes: [UInt8]) throws(SystemError) -> WriteResult {
        try write(gathering: [bytes])
    }

    /// Writes the pieces in order with one call, without joining them first; at most `maximumPieces` of them,
    /// without the first `offset` bytes of the first one.
    package func write(
        gathering pieces: ArraySlice<[UInt8]>, skipping offset: Int = 0
    ) throws(SystemError) -> WriteResult {
        while true {
            let code: Int32
            switch writeOnce(pieces, offset) {
            case .success(let count): return .wrote(count)
            case .failure(let failure): code = failure.code
            }
            switch code {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return .wouldBlock
            case EPIPE, ECONNRESET: return .closed
            default: throw SystemError(call: "write", code: code)
            }
        }
    }

    private func writeOnce(_ pieces: ArraySlice<[UInt8]>, _ offset: Int) -> Result<Int, SystemError> {
        if pieces.count == 1 {
            // The usual case, without a message header and a vector for the kernel to read.
            return pieces[pieces.startIndex].withUnsafeBytes { send(.init(rebasing: $0.dropFirst(offset))) }
        }
        return withUnsafeTemporaryAllocation(
            of: iovec.self, capacity: min(pieces.count, Self.maximumPieces)
        ) { vectors in
            Self.gather(pieces, skipping: offset, into: vectors, filled: 0) { send($0) }
        }
    }

    private func send(_ bytes: UnsafeRawBufferPointer) -> Result<Int, SystemError> {
        switch kind {
        case .other: sent(systemWrite(rawValue, bytes))
        case .socket: sent(systemSend(rawValue, bytes, Self.sendFlags))
        }
    }

    private func send(_ vectors: UnsafeMutableBufferPointer<iovec>) -> Result<Int, SystemError> {
        switch kind {
        case .other:
            return sent(writev(rawValue, vectors.baseAddress, Int32(vectors.count)))
        case .socket:
            var message = msghdr()
            message.msg_iov = vectors.baseAddress
            message.msg_iovlen = .init(vectors.count)
            return sent(sendmsg(rawValue, &message, Self.sendFlags))
        }
    }

    private func sent(_ count: Int) -> Result<Int, SystemError> {
        count >= 0 ? .success(count) : .failure(SystemError(call: "write", code: errno))
    }

    #if canImport(Darwin)
    private static let sendFlags: Int32 = 0  // SO_NOSIGPIPE was set when the socket was made
    #else
    private static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif

    /// Nests one closure per array, so that no pointer outlives its array.
    private static func gather<Value>(
        _ pieces: ArraySlice<[UInt8]>, skipping offset: Int, into vectors: UnsafeMutableBufferPointer<iovec>,
        filled: Int, _ body: (UnsafeMutableBufferPointer<iovec>) -> Value
    ) -> Value {
        guard filled < vectors.count, let first = pieces.first else { return body(vectors) }
        return first.withUnsafeBytes { bytes in
            let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(offset))
            let base = UnsafeMutableRawPointer(mutating: rest.baseAddress)
            vectors.initializeElement(at: filled, to: iovec(iov_base: base, iov_len: rest.count))
            return gather(pieces.dropFirst(), skipping: 0, into: vectors, filled: filled + 1, body)
        }
    }
}

// The C functions under names that the methods above do not hide.

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ flags: Int32) -> Int {
    send(descriptor, bytes.baseAddress, bytes.count, flags)
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}
