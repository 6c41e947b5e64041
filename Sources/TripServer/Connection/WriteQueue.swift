import LocalSystem
import TripProtocol

/// The bytes that wait for a socket: whole lines, of which the first may be partially written.
struct WriteQueue {
    private var pieces: [[UInt8]] = []
    private var start = 0
    /// The written bytes of the first piece.
    private var offset = 0
    private(set) var byteCount = 0
    /// The shared owner of each piece; nil for bytes of this connection alone.
    private var owners: [SharedBytes?] = []
    private var sharedByteCount = 0
    /// The bytes written since the queue was created.
    private(set) var writtenCount = 0
    /// True if the first queued line is partially written.
    private var isLineBegun = false

    var isEmpty: Bool { byteCount == 0 }
    /// The bytes that wait for this connection alone.
    var ownBytes: Int { max(0, byteCount - sharedByteCount) }
    /// True if shared bytes are queued.
    var holdsShared: Bool { sharedByteCount > 0 }
    /// The queued shared bytes.
    var shared: [SharedBytes] { sharedByteCount == 0 ? [] : owners[start...].compactMap(\.self) }

    mutating func append(_ bytes: [UInt8]) { append(bytes, of: nil) }

    mutating func append(_ shared: SharedBytes) { append(shared.bytes, of: shared) }

    /// Appends a line with the encoded bytes between its head and its tail.
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

    /// Drops all lines but a partially written one, which must be finished because the client would read the
    /// next line as its rest.
    mutating func dropWholeLines() {
        guard isLineBegun, start < pieces.count else {
            let (isLineBegun, writtenCount) = (isLineBegun, writtenCount)
            self = WriteQueue()
            self.isLineBegun = isLineBegun
            self.writtenCount = writtenCount
            return
        }
        // A line may consist of several pieces; the newline ends it.
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

    /// Writes until the socket accepts no more.
    mutating func write(
        to channel: borrowing some ByteChannel & ~Copyable
    ) throws(SystemError) -> WriteResult {
        var total = 0
        while start < pieces.count {
            // The slice is released before the pieces change, to avoid a copy of all of them.
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

/// Encoded bytes that are sent to several connections: stored once, and counted once.
final class SharedBytes: Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// Counts the connections that hold each `SharedBytes`.
struct SharedBytesCount {
    private var holders: [ObjectIdentifier: Int] = [:]
    /// The total size, each object counted once.
    private(set) var byteCount = 0

    /// Updates the objects that a connection holds.
    mutating func replace(_ old: [SharedBytes], with new: [SharedBytes]) {
        for shared in new {
            if holders.updateValue(
                holders[ObjectIdentifier(shared), default: 0] + 1, forKey: ObjectIdentifier(shared))
                == nil
            {
                byteCount += shared.bytes.count
            }
        }
        for shared in old {
            guard let count = holders[ObjectIdentifier(shared)] else {
                preconditionFailure("only held bytes are released")
            }
            holders[ObjectIdentifier(shared)] = count == 1 ? nil : count - 1
            if count == 1 { byteCount -= shared.bytes.count }
        }
    }
}
