import LocalSystem
import TripProtocol

/// Bytes on their way into a socket: whole lines, the first perhaps begun.
struct WriteQueue {
    private var pieces: [[UInt8]] = []
    private var start = 0
    /// Bytes of the first piece that are written.
    private var offset = 0
    private(set) var byteCount = 0
    /// What the pieces are of that others may hold, too: a snapshot is one for all who are told it.
    private var owners: [SharedBytes?] = []
    private var sharedByteCount = 0
    /// Bytes that were written since the queue was made.
    private(set) var writtenCount = 0
    /// Some of the first line is written, if only pieces before the first of those that wait.
    private var isLineBegun = false

    var isEmpty: Bool { byteCount == 0 }
    /// Bytes that wait for this connection alone.
    var ownBytes: Int { max(0, byteCount - sharedByteCount) }
    /// Whether something waits that others may hold, too.
    var holdsShared: Bool { sharedByteCount > 0 }
    /// What waits and may be held by others, too.
    var shared: [SharedBytes] { sharedByteCount == 0 ? [] : owners[start...].compactMap(\.self) }

    mutating func append(_ bytes: [UInt8]) { append(bytes, of: nil) }

    mutating func append(_ shared: SharedBytes) { append(shared.bytes, of: shared) }

    /// Appends a line, the encoded bytes between its parts.
    mutating func append(_ line: SplitLine, around shared: SharedBytes) {
        append(line.head)
        append(shared)
        append(line.tail)
    }

    private mutating func append(_ bytes: [UInt8], of owner: SharedBytes?) {
        guard !bytes.isEmpty else { return }
        pieces.append(bytes)
        owners.append(owner)
        byteCount += bytes.count
        if owner != nil { sharedByteCount += bytes.count }
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
        owners = Array(owners[start..<start + kept.count])
        sharedByteCount = owners.reduce(0) { $0 + ($1?.bytes.count ?? 0) }
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
            // The slice is gone when the pieces change: else all of them would be copied for it.
            let result = try channel.write(
                gathering: pieces[start..<min(pieces.count, start + Descriptor.maximumPieces)],
                skipping: offset)
            switch result {
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
            if owners[start] != nil {
                sharedByteCount -= pieces[start].count
                owners[start] = nil
            }
            pieces[start] = []
            start += 1
        }
        offset = rest
        if rest > 0 { isLineBegun = true }
        if start == pieces.count {
            pieces.removeAll(keepingCapacity: pieces.count <= 64)
            owners.removeAll(keepingCapacity: owners.count <= 64)
            start = 0
        }
    }
}
