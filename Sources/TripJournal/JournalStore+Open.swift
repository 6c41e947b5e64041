import LocalSystem
import TripModel

extension JournalStore {
    /// Reads a trip's journal, and repairs a torn end; `freshEpoch` is asked for then only.
    ///
    /// What it returns is on the disk: what an earlier process had written or renamed and not synced is synced before.
    /// Throws when the system fails, which leaves the journal as it was, or repaired.
    package func open(
        _ trip: TripID, freshEpoch: () -> String
    ) throws(SystemError) -> JournalOpening {
        let path = journal(of: trip)
        if let damage = try wrongKind(of: trip) { return .quarantined(file: path, damage) }
        let bytes = try readFile(path)
        switch JournalRecovery(JournalScanner.scan(bytes), of: trip) {
        case .quarantine(let damage):
            return .quarantined(file: path, damage)
        case .refuse(let lowestReader):
            return .newerFormat(file: path, lowestReader: lowestReader)
        case .use(let contents):
            try OpenFile(path, .append, in: fileSystem).syncData()
            try fileSystem.syncDirectory(directory(of: trip))
            return .opened(
                OpenedJournal(
                    header: contents.header, records: contents.records(in: bytes),
                    checkpoint: contents.checkpoint,
                    end: contents.end, repair: nil))
        case .cutTail(let contents, let tail):
            let header = JournalHeader(tripID: trip, epoch: freshEpoch())
            precondition(header.epoch != contents.header.epoch, "a cut journal gets a new epoch")
            var records = contents.records(in: bytes)
            if PlantedBug.tornTailCutShort.isPlanted, records.count > 1 { records.removeLast() }
            return .opened(try replace(bytes, by: records, under: header, because: tail))
        }
    }

    /// What is at the trip's name instead of a directory with a journal.
    private func wrongKind(of trip: TripID) throws(SystemError) -> JournalDamage? {
        guard try fileSystem.status(directory(of: trip))?.kind == .directory else {
            return JournalDamage(offset: 0, reason: .notAFile)
        }
        switch try fileSystem.status(journal(of: trip))?.kind {
        case .regular: return nil
        case nil: return JournalDamage(offset: 0, reason: .missing)
        case .directory, .symbolicLink, .socket, .other: return JournalDamage(offset: 0, reason: .notAFile)
        }
    }

    /// Keeps a copy of the journal's bytes, then puts a new journal in its place, each step synced before the next:
    /// at every moment there is one journal, the old or the new, whole.
    private func replace(
        _ old: [UInt8], by records: [JournalRecord], under header: JournalHeader, because tail: TornTail
    ) throws(SystemError) -> OpenedJournal {
        let directory = directory(of: header.tripID)
        let path = journal(of: header.tripID)
        let draft = path + ".tmp"
        let copy = try nextCopyName(in: directory)
        if try fileSystem.status(draft) != nil { try fileSystem.unlink(draft) }
        try writeNewFile(draft, old)
        try fileSystem.rename(draft, to: copy)
        try fileSystem.syncDirectory(directory)

        var bytes = header.encoded()
        var encoder = JournalEncoder(header: header)
        for record in records {
            do throws(JournalPayloadTooLarge) {
                bytes += try encoder.encode(version: record.version, payload: record.payload).bytes
            } catch {
                preconditionFailure("a record that was read is within the limits that it is written with")
            }
        }
        try writeNewFile(draft, bytes)
        // Read back before the old file goes: a disk that lies is found out while there still are two.
        guard try readFile(draft) == bytes, case .whole = JournalScanner.scan(bytes) else {
            throw .changedByOthers(draft)
        }
        try fileSystem.rename(draft, to: path)
        try fileSystem.syncDirectory(directory)
        let repair = JournalRepair(tail: tail, droppedBytes: old.count - tail.offset, copy: copy)
        return OpenedJournal(
            header: header, records: records, checkpoint: encoder.checkpoint, end: bytes.count, repair: repair
        )
    }

    /// `journal.torn-<n>` with n above all that are there.
    private func nextCopyName(in directory: String) throws(SystemError) -> String {
        let prefix = "journal.torn-"
        let numbers = try fileSystem.list(directory).compactMap { name in
            name.hasPrefix(prefix) ? Int(name.dropFirst(prefix.count)) : nil
        }
        return directory + "/" + prefix + "\((numbers.max() ?? 0) + 1)"
    }

    private func readFile(_ path: String) throws(SystemError) -> [UInt8] {
        try OpenFile(path, .read, in: fileSystem).readAll()
    }
}
