/// Splits typed input into lines, including blank ones; buffers at most one line and the last input.
package struct TypedLines: Sendable {
    /// A line, or a note that one was too long.
    package enum Line: Equatable, Sendable {
        case text(String)
        case overlong
    }

    /// The maximum length of a line in bytes: the longest note with a command.
    package static let limit = 20 * 1024

    private var buffer: [UInt8] = []
    private var start = 0
    /// The index up to which the bytes were searched: they contain no newline.
    private var searched = 0
    /// Whether the rest of an overlong line is being skipped.
    private var isSkipping = false

    package init() {}

    /// The number of bytes that were not returned yet.
    package var pendingByteCount: Int { buffer.count - start }

    /// Drops the buffered lines; an incomplete one stays.
    ///
    /// - Returns: the number of dropped lines.
    package mutating func drop() -> Int {
        var count = 0
        while next() != nil { count += 1 }
        return count
    }

    /// Adds input.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        if start > 0 {
            buffer.removeSubrange(..<start)
            searched -= start
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next complete line; nil if more input is needed. Invalid UTF-8 is replaced by U+FFFD.
    package mutating func next() -> Line? {
        while let newline = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
            var line = buffer[start..<newline]
            start = newline + 1
            searched = start
            if isSkipping {
                isSkipping = false
                continue
            }
            if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
            return line.count > Self.limit ? .overlong : .text(String(decoding: line, as: UTF8.self))
        }
        searched = buffer.count
        guard pendingByteCount > Self.limit else { return nil }
        buffer = []
        start = 0
        searched = 0
        defer { isSkipping = true }
        return isSkipping ? nil : .overlong
    }
}
