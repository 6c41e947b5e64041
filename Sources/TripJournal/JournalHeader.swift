import TripModel

/// What the first line of a journal says.
package struct JournalHeader: Hashable, Sendable {
    /// The trip whose journal it is.
    package let tripID: TripID
    /// The unbroken history that it holds: 1…64 of `a-z`, `0-9` and `-`.
    package let epoch: String
    /// The format that it says it is of: its checksum, from which all others are continued, covers it.
    package let format: Int
    /// The oldest format whose readers understand it; the checksum covers it, too.
    let lowestReader: Int

    /// A header of the format that is written; traps if `epoch` is not a valid epoch.
    package init(tripID: TripID, epoch: String) {
        self.init(
            tripID: tripID, epoch: epoch, format: JournalFormat.current,
            lowestReader: JournalFormat.lowestReader)
    }

    /// A header of any format; traps if `epoch` is not a valid epoch.
    package init(tripID: TripID, epoch: String, format: Int, lowestReader: Int) {
        precondition(JournalFormat.isEpoch(epoch), "an epoch is 1…64 of a-z, 0-9 and -")
        self.tripID = tripID
        self.epoch = epoch
        self.format = format
        self.lowestReader = lowestReader
    }

    /// The header of the same history in a file that is written now.
    package var renewed: JournalHeader { JournalHeader(tripID: tripID, epoch: epoch) }

    /// The line's text up to the blank before the checksum, which is what the checksum covers.
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

    /// The checksum from which the first record's is continued.
    package var checksum: UInt32 {
        var checksum = CRC32C()
        checksum.update(covered)
        return checksum.value
    }

    /// The header's line, its newline included.
    package func encoded() -> [UInt8] {
        var line = covered
        line.appendChecksum(checksum)
        line.append(.newline)
        return line
    }
}
