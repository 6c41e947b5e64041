import JSONLine

/// Encodes commits as journal lines, each chained to the previous one by its checksum.
///
/// It belongs to the serializer of a trip's commits. The bytes may be written later by another thread, in the
/// same order.
package struct JournalEncoder: Equatable, Sendable {
    /// The position after the last record. To return to a position, create a new encoder from its checkpoint.
    package private(set) var checkpoint: JournalCheckpoint

    /// An encoder for the first record of a journal with this header.
    package init(header: JournalHeader) {
        self.init(resuming: JournalCheckpoint(version: 0, checksum: header.checksum))
    }

    /// An encoder that continues at a position in a journal.
    package init(resuming checkpoint: JournalCheckpoint) {
        self.checkpoint = checkpoint
    }

    /// Encodes the next commit.
    ///
    /// - Throws: if the payload exceeds the format's limit; the encoder is unchanged then.
    package mutating func encode(
        version: Int, payload: [UInt8]
    ) throws(JournalPayloadTooLarge) -> EncodedRecords {
        var records = EncodedRecords(bytes: [], count: 0, base: checkpoint, end: checkpoint)
        records.bytes.reserveCapacity(payload.count + Self.prefixBytes)
        try encode(version: version, payload: payload, behind: &records)
        return records
    }

    /// Encodes the next commit directly after the previous one.
    ///
    /// - Parameters:
    ///   - version: above the last one.
    ///   - payload: at least one byte, and no newline.
    ///   - records: the last records of this encoder.
    /// - Throws: if the payload exceeds the format's limit; everything is unchanged then.
    package mutating func encode(
        version: Int, payload: [UInt8], behind records: inout EncodedRecords
    ) throws(JournalPayloadTooLarge) {
        precondition(records.end == checkpoint, "the records are consecutive")
        precondition(version > checkpoint.version, "versions ascend")
        precondition(version < 2 * JournalFormat.maximumVersion, "a version is below 2^52")
        let maximum = JournalFormat.maximumPayload
        if payload.count > maximum { throw JournalPayloadTooLarge(count: payload.count, maximum: maximum) }
        precondition(
            !payload.isEmpty && !ByteScan.hasNewline(payload), "a payload is one line, without its newline")

        let start = records.bytes.count
        records.bytes.appendDecimal(payload.count)
        records.bytes.append(.space)
        records.bytes.appendDecimal(version)
        records.bytes.append(.space)
        var checksum = CRC32C(continuing: checkpoint.checksum)
        records.bytes.withUnsafeBytes { checksum.update(UnsafeRawBufferPointer(rebasing: $0[start...])) }
        checksum.update(payload)
        records.bytes.appendChecksum(checksum.value)
        records.bytes.append(.space)
        records.bytes.append(contentsOf: payload)
        records.bytes.append(.newline)
        records.count += 1
        checkpoint = JournalCheckpoint(version: version, checksum: checksum.value)
        records.end = checkpoint
    }

    /// The usual maximum of a line's bytes besides its payload.
    private static let prefixBytes = 40
}
