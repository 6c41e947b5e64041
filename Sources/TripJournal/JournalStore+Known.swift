import LocalSystem
import TripModel

extension JournalStore {
    /// Returns damage if a journal cannot be the one that had reached a known position; nil if it may be.
    ///
    /// An older copy of the same history ends before the position. A foreign file has a different checksum there, or a
    /// different epoch. A repair also gives a new epoch, but keeps a copy of the cut file with the old epoch.
    func contradiction(
        of contents: JournalContents, in bytes: [UInt8], to place: JournalPlace
    ) throws(SystemError) -> JournalDamage? {
        let trip = contents.header.tripID
        guard contents.header.epoch == place.epoch else {
            if try hasCopy(place.epoch, of: trip) { return nil }
            return JournalDamage(offset: 0, reason: .otherHistory(known: place.epoch))
        }
        let (known, found) = (place.checkpoint.version, contents.checkpoint.version)
        if known > found {
            return JournalDamage(offset: contents.end, reason: .older(known: known, found: found))
        }
        if known == found {
            let isSame = place.checkpoint == contents.checkpoint
            return isSame ? nil : JournalDamage(offset: contents.end, reason: .otherRecord(known))
        }
        // Records before the first one in the file cannot be compared.
        guard let first = contents.entries.first, first.version <= known else { return nil }
        let next = contents.entries.partitioningIndex { $0.version >= known }
        let entry = contents.entries[next]
        guard entry.version == known, contents.checksum(of: entry, in: bytes) == place.checkpoint.checksum
        else {
            return JournalDamage(offset: entry.offset, reason: .otherRecord(known))
        }
        return nil
    }

    /// True if a copy of the trip's journal with this epoch exists.
    private func hasCopy(_ epoch: String, of trip: TripID) throws(SystemError) -> Bool {
        let directory = directory(of: trip)
        for name in try fileSystem.list(directory) where name.hasPrefix("journal.") && name.contains("-") {
            let head = try OpenFile(directory + "/" + name, .read, in: fileSystem).read(
                at: 0, count: JournalFormat.maximumHeaderLength)
            if JournalScanner.epoch(of: head) == epoch { return true }
        }
        return false
    }
}

extension JournalContents {
    /// The running checksum after a record, from its line.
    fileprivate func checksum(of entry: Entry, in bytes: [UInt8]) -> UInt32? {
        bytes.withUnsafeBufferPointer { bytes in
            // Eight digits and a blank precede the payload.
            var cursor = JournalCursor(bytes: bytes, position: entry.payload.lowerBound - 9)
            return cursor.checksum()
        }
    }
}

extension JournalScanner {
    /// The epoch in the header of a journal's first bytes; nil if the header is bad.
    static func epoch(of head: [UInt8]) -> String? {
        head.withUnsafeBufferPointer { bytes in
            var cursor = JournalCursor(bytes: bytes, position: 0)
            guard case .header(let header, _) = cursor.header() else { return nil }
            return header.epoch
        }
    }
}
