/// The line before a write, which contains the synced size of the file at that time.
///
/// It limits the part that a power failure may have torn: bytes covered by a mark were synced, so a bad one
/// among them was damaged later and must not be cut. Marks are not part of the records' checksum chain,
/// because the encoder does not know the boundaries of writes.
enum SyncMark {
    /// Maximum bytes of a mark.
    static let maximumBytes = JournalFormat.markWord.count + 32

    /// Appends a mark: all bytes before `end` are synced. `seed` is the checksum of the journal's header.
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
