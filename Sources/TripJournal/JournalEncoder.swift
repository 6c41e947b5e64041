/// Turns commits into journal lines, each chained to the one before.
///
/// A value of whoever serializes a trip's commits; the bytes may be written by somebody else later, in the same order.
package struct JournalEncoder: Equatable, Sendable {
    /// The place after the last record; to go back to it, keep it and make a new encoder from it.
    package private(set) var checkpoint: JournalCheckpoint

    /// An encoder for the first record of a journal with this header.
    package init(header: JournalHeader) {
        self.init(resuming: JournalCheckpoint(version: 0, checksum: header.checksum))
    }

    /// An encoder that goes on from a place in a journal.
    package init(resuming checkpoint: JournalCheckpoint) {
        self.checkpoint = checkpoint
    }

    /// Encodes the next commit; throws, and stays where it was, when the payload is over the format's limit.
    ///
    /// `version` is above the last one. The payload has at least one byte and no newline.
    package mutating func encode(
        version: Int, payload: [UInt8]
    ) throws(JournalPayloadTooLarge) -> EncodedRecord {
        precondition(version > checkpoint.version, "versions rise strictly")
        precondition(version < 2 * JournalFormat.maximumVersion, "no trip is changed 2^52 times")
        let maximum = JournalFormat.maximumPayload
        if payload.count > maximum { throw JournalPayloadTooLarge(count: payload.count, maximum: maximum) }
        precondition(
            !payload.isEmpty && !payload.hasNewline, "a payload is one line, without its newline")

        var line: [UInt8] = []
        line.reserveCapacity(payload.count + 40)
        line.appendDecimal(payload.count)
        line.append(.space)
        line.appendDecimal(version)
        line.append(.space)
        var checksum = CRC32C(continuing: checkpoint.checksum)
        checksum.update(line)
        checksum.update(payload)
        line.appendChecksum(checksum.value)
        line.append(.space)
        line.append(contentsOf: payload)
        line.append(.newline)
        let base = checkpoint
        checkpoint = JournalCheckpoint(version: version, checksum: checksum.value)
        return EncodedRecord(bytes: line, base: base, end: checkpoint)
    }
}

extension [UInt8] {
    /// Whether one of them is a newline. Every byte is looked at, several at a time: there hardly ever is one.
    fileprivate var hasNewline: Bool { reduce(0 as UInt8) { $0 | ($1 == .newline ? 1 : 0) } != 0 }
}
