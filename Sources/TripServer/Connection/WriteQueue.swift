import LocalSystem

/// Bytes on their way into a socket: whole lines, the first perhaps begun.
struct WriteQueue {
    private var pieces: [[UInt8]] = []
    private var start = 0
    /// Bytes of the first piece that are written.
    private var offset = 0
    private(set) var byteCount = 0
    /// Some of the first line is written, if only pieces before the first of those that wait.
    private var isLineBegun = false

    var isEmpty: Bool { byteCount == 0 }

    mutating func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        pieces.append(bytes)
        byteCount += bytes.count
    }

    /// Drops every line that has not been begun; a begun one must end, or the next line would be read as its rest.
    mutating func dropWholeLines() {
        guard isLineBegun, start < pieces.count else {
            let isLineBegun = isLineBegun
            self = WriteQueue()
            self.isLineBegun = isLineBegun
            return
        }
        // A line may be several pieces; the newline ends it.
        var kept: [[UInt8]] = []
        for piece in pieces[start...] {
            kept.append(piece)
            if piece.last == UInt8(ascii: "\n") { break }
        }
        pieces = kept
        start = 0
        byteCount = kept.reduce(0) { $0 + $1.count } - offset
    }

    /// Writes what the socket takes.
    mutating func write(
        to channel: borrowing some ByteChannel & ~Copyable
    ) throws(SystemError) -> WriteResult {
        var total = 0
        while start < pieces.count {
            let batch = pieces[start..<min(pieces.count, start + Descriptor.maximumPieces)]
            switch try channel.write(gathering: batch, skipping: offset) {
            case .wrote(let count):
                total += count
                consume(count)
            case .wouldBlock: return .wouldBlock
            case .closed: return .closed
            }
        }
        return .wrote(total)
    }

    private mutating func consume(_ count: Int) {
        byteCount -= count
        var rest = count + offset
        while start < pieces.count, rest >= pieces[start].count {
            rest -= pieces[start].count
            isLineBegun = pieces[start].last != UInt8(ascii: "\n")
            pieces[start] = []
            start += 1
        }
        offset = rest
        if rest > 0 { isLineBegun = true }
        if start == pieces.count {
            pieces.removeAll(keepingCapacity: pieces.count <= 64)
            start = 0
        }
    }
}
