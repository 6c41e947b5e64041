import LocalSystem

/// Bytes on their way into a socket: whole lines, the first perhaps begun.
struct WriteQueue {
    private var pieces: [[UInt8]] = []
    private var start = 0
    /// Bytes of the first piece that are written.
    private var offset = 0
    private(set) var byteCount = 0
    /// Which of the pieces are held by others, too: a snapshot is one for all who are told it.
    private var isShared: [Bool] = []
    private var sharedBytes = 0
    /// Bytes that were written since the queue was made.
    private(set) var writtenCount = 0
    /// Some of the first line is written, if only pieces before the first of those that wait.
    private var isLineBegun = false

    var isEmpty: Bool { byteCount == 0 }
    /// Bytes that wait for this connection alone.
    var ownBytes: Int { max(0, byteCount - sharedBytes) }

    /// - Parameter shared: whether others hold the same bytes.
    mutating func append(_ bytes: [UInt8], shared: Bool = false) {
        guard !bytes.isEmpty else { return }
        pieces.append(bytes)
        isShared.append(shared)
        byteCount += bytes.count
        if shared { sharedBytes += bytes.count }
    }

    /// Drops every line that has not been begun; a begun one must end, or the next line would be read as its rest.
    mutating func dropWholeLines() {
        guard isLineBegun, start < pieces.count else {
            let (isLineBegun, writtenCount) = (isLineBegun, writtenCount)
            self = WriteQueue()
            self.isLineBegun = isLineBegun
            self.writtenCount = writtenCount
            return
        }
        // A line may be several pieces; the newline ends it.
        var kept: [[UInt8]] = []
        for piece in pieces[start...] {
            kept.append(piece)
            if piece.last == UInt8(ascii: "\n") { break }
        }
        isShared = Array(isShared[start..<start + kept.count])
        sharedBytes = zip(kept, isShared).reduce(0) { $0 + ($1.1 ? $1.0.count : 0) }
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
        writtenCount += count
        var rest = count + offset
        while start < pieces.count, rest >= pieces[start].count {
            rest -= pieces[start].count
            isLineBegun = pieces[start].last != UInt8(ascii: "\n")
            if isShared[start] { sharedBytes -= pieces[start].count }
            pieces[start] = []
            start += 1
        }
        offset = rest
        if rest > 0 { isLineBegun = true }
        if start == pieces.count {
            pieces.removeAll(keepingCapacity: pieces.count <= 64)
            isShared.removeAll(keepingCapacity: isShared.count <= 64)
            start = 0
        }
    }
}
