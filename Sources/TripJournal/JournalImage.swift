/// The bytes of a whole new journal, and the position after them.
package struct JournalImage: Equatable, Sendable {
    /// The first line.
    package let header: JournalHeader
    /// The content.
    package private(set) var bytes: [UInt8]
    /// The position at which an encoder continues.
    package private(set) var checkpoint: JournalCheckpoint
    /// Byte offset after the header and the snapshot.
    package let baseEnd: Int

    /// A journal with the same content under another header, with a new checksum chain.
    package init(_ header: JournalHeader, snapshot: JournalSnapshot?, records: [JournalRecord]) {
        self.header = header
        var encoder = JournalEncoder(header: header)
        var bytes: [UInt8]
        if let snapshot {
            bytes = snapshot.encoded(under: header, chain: header.checksum)
            encoder = JournalEncoder(
                resuming: JournalCheckpoint(version: snapshot.version, checksum: header.checksum))
        } else {
            bytes = header.encoded()
        }
        baseEnd = bytes.count
        for record in records {
            do throws(JournalPayloadTooLarge) {
                bytes += try encoder.encode(version: record.version, payload: record.payload).bytes
            } catch {
                preconditionFailure("a record that was read is within the limits that it is written with")
            }
        }
        self.bytes = bytes
        checkpoint = encoder.checkpoint
    }

    /// A journal that begins with the state at a position; later records continue its checksum chain.
    package init(
        _ header: JournalHeader, compacted snapshot: JournalSnapshot, at checkpoint: JournalCheckpoint
    ) {
        precondition(snapshot.version == checkpoint.version, "the snapshot is of this place")
        self.header = header
        bytes = snapshot.encoded(under: header, chain: checkpoint.checksum)
        self.checkpoint = checkpoint
        baseEnd = bytes.count
    }

    /// Appends a sync mark for all of a valid journal's bytes, unless it ends with one.
    package static func sealing(_ bytes: [UInt8], _ header: JournalHeader) -> [UInt8] {
        let last = bytes.dropLast().lastIndex(of: .newline).map { $0 + 1 } ?? 0
        var mark: [UInt8] = []
        SyncMark.append(end: last, seed: header.checksum, to: &mark)
        if bytes[last...].elementsEqual(mark) { return bytes }
        mark = []
        SyncMark.append(end: bytes.count, seed: header.checksum, to: &mark)
        return bytes + mark
    }

    /// Appends a sync mark for all bytes. The file gets its name only when all of it is synced.
    package mutating func seal() {
        SyncMark.append(end: bytes.count, seed: header.checksum, to: &bytes)
    }
}
