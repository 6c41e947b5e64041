/// Cuts what is typed into lines, blank ones too, and holds no more than one line and what came last.
package struct TypedLines: Sendable {
    /// A line, or the news that one was too long.
    package enum Line: Equatable, Sendable {
        case text(String)
        case overlong
    }

    /// The most bytes of a line: the longest note, and a command around it.
    package static let limit = 20 * 1024

    private var buffer: [UInt8] = []
    private var start = 0
    /// Up to here there is no newline.
    private var searched = 0
    /// Whether the rest of an overlong line is still to come.
    private var isSkipping = false

    /// Makes an empty one.
    package init() {}

    /// Bytes that are not given out yet.
    package var pendingByteCount: Int { buffer.count - start }

    /// Drops the lines that have not been given out; the beginning of the next one stays.
    ///
    /// - Returns: how many.
    package mutating func drop() -> Int {
        var count = 0
        while next() != nil { count += 1 }
        return count
    }

    /// Takes the next bytes.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        if start > 0 {
            buffer.removeSubrange(..<start)
            searched -= start
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next whole line; nil when more bytes are needed. What is no UTF-8 is replaced by U+FFFD.
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
