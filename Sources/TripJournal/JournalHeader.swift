import TripModel

/// The first line of a journal.
package struct JournalHeader: Hashable, Sendable {
    /// The trip.
    package let tripID: TripID
    /// The epoch of its history: 1…64 of `a-z`, `0-9` and `-`.
    package let epoch: String
    /// The file's format. The header's checksum covers it and seeds all others.
    package let format: Int
    /// The oldest format whose readers understand the file; also covered by the checksum.
    let lowestReader: Int

    /// A header of the current format; traps if `epoch` is invalid.
    package init(tripID: TripID, epoch: String) {
        self.init(
            tripID: tripID, epoch: epoch, format: JournalFormat.current,
            lowestReader: JournalFormat.lowestReader)
    }

    /// A header of any format; traps if `epoch` is invalid.
    package init(tripID: TripID, epoch: String, format: Int, lowestReader: Int) {
        precondition(JournalFormat.isEpoch(epoch), "an epoch is 1…64 of a-z, 0-9 and -")
        self.tripID = tripID
        self.epoch = epoch
        self.format = format
        self.lowestReader = lowestReader
    }

    /// The header of the same history in the current format.
    package var renewed: JournalHeader { JournalHeader(tripID: tripID, epoch: epoch) }

    /// The line's text up to the blank before the checksum, which covers it.
    private var covered: [UInt8] {
        var text = JournalFormat.magic
        text.append(.space)
        text.appendDecimal(format)
        text.append(.space)
        text.appendDecimal(lowestReader)
        text.append(.space)
        text.append(contentsOf: tripID.description.utf8)
        text.append(.space)
        text.append(contentsOf: epoch.utf8)
        text.append(.space)
        return text
    }

    /// The checksum that the first record continues.
    package var checksum: UInt32 {
        var checksum = CRC32C()
        checksum.update(covered)
        return checksum.value
    }

    /// The header's line with its newline.
    package func encoded() -> [UInt8] {
        var line = covered
        line.appendChecksum(checksum)
        line.append(.newline)
        return line
    }
}
