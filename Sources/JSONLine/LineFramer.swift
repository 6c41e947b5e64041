/// Splits a byte stream into lines. It holds at most the longest allowed line and the last appended bytes.
///
/// A newline ends a line; one carriage return before it is dropped. Blank lines, which contain only spaces
/// and tabs, are dropped. The result does not depend on how the stream was divided into appends. After every
/// append, `next()` must be called until it returns nil.
package struct LineFramer: Sendable {
    private let limit: Int

    /// The bytes of pending lines; those before `lineStart` are consumed.
    private var buffer: [UInt8] = []
    private var lineStart = 0

    /// `buffer` has been searched for a newline up to here.
    private var searched = 0

    /// True while the rest of a line that was too long is dropped.
    private var isSkipping = false

    /// The maximum capacity of an empty buffer: enough for common lines, and little for a connection that
    /// once sent a huge one.
    private static let keptCapacity = 16 * 1024

    /// - Parameter limit: the maximum bytes of a line, without its newline and the carriage return before.
    package init(limit: Int) {
        precondition(limit > 0, "a line needs room for a byte")
        self.limit = limit
    }

    /// The number of pending bytes.
    package var pendingByteCount: Int { buffer.count - lineStart }

    /// Appends bytes of the stream.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        bytes.withMemoryRebound(to: UInt8.self) { append($0) }
    }

    /// Appends bytes of the stream.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        if bytes.withContiguousStorageIfAvailable({ append($0) }) == nil {
            Array(bytes).withUnsafeBufferPointer { append($0) }
        }
    }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard isSkipping else {
            buffer.append(contentsOf: bytes)
            return
        }
        guard let newline = ByteScan.firstNewline(in: bytes, from: 0) else { return }
        isSkipping = false
        buffer.append(contentsOf: bytes[(newline + 1)...])
    }

    /// The next line, or `tooLong` once per line as soon as it is certain.
    ///
    /// - Returns: nil if more bytes are needed.
    package mutating func next() -> LineFrame? {
        while let newline = buffer.withUnsafeBufferPointer({ ByteScan.firstNewline(in: $0, from: searched) })
        {
            let line = lineStart..<newline
            lineStart = newline + 1
            searched = lineStart
            if let frame = frame(of: line) { return frame }
        }
        searched = buffer.count
        if isUnfinishedLineTooLong {
            isSkipping = true
            lineStart = buffer.count
            discardFinished()
            return .tooLong
        }
        discardFinished()
        return nil
    }

    /// Nil for a blank line.
    private func frame(of range: Range<Int>) -> LineFrame? {
        var line = buffer[range]
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        if line.count > limit { return .tooLong }
        let isBlank = line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return isBlank ? nil : .line(Array(line))
    }

    /// One byte over the limit may still be the carriage return before the newline.
    private var isUnfinishedLineTooLong: Bool {
        pendingByteCount > limit + 1 || pendingByteCount == limit + 1 && buffer.last != UInt8(ascii: "\r")
    }

    /// Moves the unfinished line to the front. This happens only when no whole line is left, so the total of
    /// all moves is at most the length of the stream.
    private mutating func discardFinished() {
        guard lineStart > 0 else { return }
        if lineStart == buffer.count, buffer.capacity > Self.keptCapacity {
            buffer = []
        } else {
            buffer.removeSubrange(..<lineStart)
        }
        searched -= lineStart
        lineStart = 0
    }
}

/// The result of framing.
package enum LineFrame: Sendable, Equatable {
    /// A line that is not blank, without its newline.
    case line([UInt8])
    /// A line longer than the limit; its content is dropped.
    case tooLong
}
