import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A connected stream socket with blocking calls of the C library.
struct BlockingSocket: ~Copyable, Sendable {
    private let descriptor: Descriptor

    /// Takes ownership of a connected socket.
    init(_ descriptor: consuming Descriptor) throws(BenchFailure) {
        let number = descriptor.release()
        self.descriptor = Descriptor(owning: number, kind: .socket)
        try setBlocking()
    }

    /// Connects to the listener at `path`.
    init(connectingTo path: String) throws(UnixSocketError) {
        let connected = try UnixSocket.connect(path: path)
        do throws(SystemError) { try connected.setNonBlocking(false) } catch { throw .system(error) }
        descriptor = connected
    }

    /// For `poll`; must not be closed.
    var rawValue: Int32 { descriptor.rawValue }

    /// Ends the connection in both directions; a reader finds the end.
    func shutDown() { _ = shutdown(rawValue, Int32(SHUT_RDWR)) }

    private func setBlocking() throws(BenchFailure) {
        try failing { () throws(SystemError) in try descriptor.setNonBlocking(false) }
    }

    /// Writes all bytes; blocks.
    func write(_ bytes: [UInt8]) throws(BenchFailure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                systemWrite(rawValue, UnsafeRawBufferPointer(rebasing: bytes[written...]))
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw .system(SystemError(call: "write", code: errno))
            }
            written += count
        }
    }

    /// Blocks until there are bytes, and reads them into `buffer` from `offset` on. Returns their number.
    ///
    /// - Throws: `disconnected` at the end.
    func read(into buffer: inout [UInt8], at offset: Int) throws(BenchFailure) -> Int {
        while true {
            let count = buffer.withUnsafeMutableBytes { buffer in
                systemRead(rawValue, UnsafeMutableRawBufferPointer(rebasing: buffer[offset...]))
            }
            if count > 0 { return count }
            if count == 0 { throw .disconnected }
            switch errno {
            case EINTR: continue
            case ECONNRESET: throw .disconnected
            case let code: throw .system(SystemError(call: "read", code: code))
            }
        }
    }

    /// Reads exactly `count` bytes.
    func read(exactly count: Int, into buffer: inout [UInt8]) throws(BenchFailure) {
        var filled = 0
        while filled < count { filled += try read(into: &buffer, at: filled) }
    }
}

// The C functions under names that the methods above do not hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}
