#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Splits a socket's input into lines, and scans each byte once.
struct LineReader {
    /// The read bytes; a line from `next` is a range of them, valid until the next `fill`.
    private(set) var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    /// The start of the first unread line.
    private var start = 0
    /// There is no newline before this index.
    private var searched = 0
    private var end = 0

    /// Reads once, and blocks until there is input. Returns the number of bytes.
    @discardableResult
    mutating func fill(from socket: borrowing BlockingSocket) throws(BenchFailure) -> Int {
        if start == end { (start, searched, end) = (0, 0, 0) }
        if end == bytes.count {
            if start > bytes.count / 2 {
                bytes.replaceSubrange(0..<end - start, with: bytes[start..<end])
                (start, searched, end) = (0, searched - start, end - start)
            } else {
                bytes.append(contentsOf: repeatElement(0, count: bytes.count))
            }
        }
        let count = try socket.read(into: &bytes, at: end)
        end += count
        return count
    }

    /// The next whole line, without its newline.
    mutating func next() -> Range<Int>? {
        let found = bytes.withUnsafeBytes { bytes -> Int? in
            guard let base = bytes.baseAddress, searched < end else { return nil }
            return memchr(base + searched, 0x0A, end - searched).map { UnsafeRawPointer($0) - base }
        }
        guard let found else {
            searched = end
            return nil
        }
        defer { (start, searched) = (found + 1, found + 1) }
        return start..<found
    }
}
