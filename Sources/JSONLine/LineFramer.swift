/// Cuts a stream of bytes into lines, and holds no more than the longest line allowed and what was appended last.
///
/// A newline ends a line; one carriage return before it is dropped. Lines that are empty or only spaces and tabs are
/// swallowed. What was cut does not depend on how the stream was divided into appends. Call `next()` until it
/// gives nil after every append.
package struct LineFramer: Sendable {
    private let limit: Int

    /// Bytes of lines not yet given out; those before `lineStart` are done with.
    private var buffer: [UInt8] = []
    private var lineStart = 0

    /// Up to here `buffer` has been searched for a newline.
    private var searched = 0

    /// Whether the rest of a line that was too long is still to be dropped. Nothing is held then but what came with
    /// its end.
    private var isSkipping = false

    /// What an empty framer may keep reserved between lines, in bytes: enough for common lines, little for a
    /// connection that once sent a huge one.
    private static let keptCapacity = 16 * 1024

    /// - Parameter limit: the most bytes a line may have, not counting its newline and the carriage return before.
    package init(limit: Int) {
        precondition(limit > 0, "a line needs room for a byte")
        self.limit = limit
    }

    /// Bytes held and not yet given out.
    package var pendingByteCount: Int { buffer.count - lineStart }

    /// Takes the next bytes of the stream.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        bytes.withMemoryRebound(to: UInt8.self) { append($0) }
    }

    /// Takes the next bytes of the stream.
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

    /// The next line, or the news that one is too long, told once and as soon as it is certain.
    /// - Returns: nil when more bytes are needed.
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

    /// nil for a blank line.
    private func frame(of range: Range<Int>) -> LineFrame? {
        var line = buffer[range]
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        if line.count > limit { return .tooLong }
        let isBlank = line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return isBlank ? nil : .line(Array(line))
    }

    /// One byte over the limit may still turn out to be the carriage return before the newline.
    private var isUnfinishedLineTooLong: Bool {
        pendingByteCount > limit + 1 || pendingByteCount == limit + 1 && buffer.last != UInt8(ascii: "\r")
    }

    /// Moves the unfinished line to the front. This happens only when there is no whole line left, so what is moved
    /// came since the last time, and the sum of all moves is no more than the stream.
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
