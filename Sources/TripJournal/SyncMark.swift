/// The line that the writer puts before each of its writes: how much of the file was known to be on the disk then.
///
/// It bounds what a power cut may have torn: what a mark vouches for was synced, so if it is bad now it has been
/// damaged since, and must not be cut. Marks stand outside the chain of records, whose encoder knows nothing of writes.
enum SyncMark {
    /// Bytes of a mark, at most.
    static let maximumBytes = JournalFormat.markWord.count + 32

    /// The mark's line: all bytes before `end` are synced. `seed` is the checksum of the journal's header.
    static func append(end: Int, seed: UInt32, to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(contentsOf: JournalFormat.markWord)
        bytes.append(.space)
        bytes.appendDecimal(end)
        bytes.append(.space)
        var checksum = CRC32C(continuing: seed)
        bytes[start...].withUnsafeBytes { checksum.update($0) }
        bytes.appendChecksum(checksum.value)
        bytes.append(.newline)
    }
}
