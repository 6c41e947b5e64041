import LocalSystem
import TripModel

extension JournalStore {
    /// Opens a trip's journal, and repairs a torn end, which needs a `freshEpoch`.
    ///
    /// A journal without the known position is another or an older file, and is not touched. The returned
    /// content is on disk: unsynced writes and renames of an earlier process are synced first. Throws if the
    /// system fails; the journal is then unchanged or repaired.
    package func open(
        _ trip: TripID, known: CatalogueEntry? = nil, freshEpoch: () -> String
    ) throws(SystemError) -> JournalOpening {
        let path = journal(of: trip)
        if let damage = try wrongKind(of: trip) { return .quarantined(file: path, damage) }
        let bytes = try readFile(path)
        let recovery = JournalRecovery(JournalScanner.scan(bytes), of: trip)
        switch recovery {
        case .use(let contents), .cutTail(let contents, _):
            if let place = known?.place, let damage = try contradiction(of: contents, in: bytes, to: place) {
                return .quarantined(file: path, damage)
            }
        case .quarantine, .refuse: break
        }
        switch recovery {
        case .quarantine(let damage):
            return .quarantined(file: path, damage)
        case .refuse(let lowestReader):
            return .newerFormat(file: path, lowestReader: lowestReader)
        case .use(let contents):
            sweep(trip)
            // A cleanly closed journal was synced then, and has not changed since.
            var isSynced = false
            if let summary = known?.summary { isSynced = try stamp(of: trip) == summary.stamp }
            if !isSynced {
                try OpenFile(path, .append, in: fileSystem).syncData()
                try fileSystem.syncDirectory(directory(of: trip))
            }
            return .opened(OpenedJournal(contents, in: bytes))
        case .cutTail(let contents, let tail):
            sweep(trip)
            let header = JournalHeader(tripID: trip, epoch: freshEpoch())
            precondition(header.epoch != contents.header.epoch, "a cut journal gets a new epoch")
            let records = contents.records(in: bytes)
            let snapshot = contents.snapshot(in: bytes)
            let image = JournalImage(header, snapshot: snapshot, records: records)
            let repair = JournalRepair(
                tail: tail, droppedBytes: bytes.count - tail.offset,
                copy: try makeCopy(bytes, .torn, of: trip))
            try replace(journal(of: trip), by: image)
            return .opened(
                OpenedJournal(
                    header: header, snapshot: snapshot, records: records, checkpoint: image.checkpoint,
                    end: image.bytes.count, baseEnd: image.baseEnd, repair: repair))
        }
    }

    /// Reads a trip's journal up to its last good line, without writing or syncing anything.
    ///
    /// - Returns: nil if it is damaged or of a newer format.
    package func peek(at trip: TripID) throws(SystemError) -> OpenedJournal? {
        let bytes = try readFile(journal(of: trip))
        switch JournalRecovery(JournalScanner.scan(bytes), of: trip) {
        case .use(let contents), .cutTail(let contents, _): return OpenedJournal(contents, in: bytes)
        case .quarantine, .refuse: return nil
        }
    }

    /// Returns damage if the trip's name is not a directory with a journal.
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

    /// The reason why a copy of a journal is kept; the beginning of its name.
    enum CopyReason: String, CaseIterable {
        /// Its end was cut.
        case torn = "journal.torn-"
        /// Another journal has replaced it.
        case replaced = "journal.replaced-"
    }

    /// Writes and syncs a copy of a journal beside it atomically; returns its path.
    ///
    /// If an earlier attempt has already made a copy with the same bytes, that one is used.
    func makeCopy(_ bytes: [UInt8], _ reason: CopyReason, of trip: TripID) throws(SystemError) -> String {
        let directory = directory(of: trip)
        let copies = try fileSystem.list(directory).compactMap { name -> (number: Int, path: String)? in
            // A larger number does not come from a daemon.
            guard name.hasPrefix(reason.rawValue), let number = Int(name.dropFirst(reason.rawValue.count)),
                number < Int(Int32.max)
            else { return nil }
            return (number, directory + "/" + name)
        }
        for (_, path) in copies {
            guard let status = try fileSystem.status(path), status.kind == .regular,
                status.size == Int64(bytes.count), try readFile(path) == bytes
            else { continue }
            try fileSystem.syncDirectory(directory)
            return path
        }
        let copy = "\(directory)/\(reason.rawValue)\((copies.map(\.number).max() ?? 0) + 1)"
        try makeDraft(directory + "/journal.tmp", bytes) { (draft) throws(SystemError) in
            try fileSystem.rename(draft, to: copy)
        }
        try fileSystem.syncDirectory(directory)
        return copy
    }

    /// Replaces a journal and syncs each step before the next, so that at every moment either the old or the
    /// new journal exists completely.
    ///
    /// - Parameter ready: called right before the rename.
    func replace(
        _ path: String, by image: JournalImage, in directory: String? = nil,
        ready: () throws(SystemError) -> Void = {}
    ) throws(SystemError) {
        try makeDraft(path + ".tmp", image.bytes) { (draft) throws(SystemError) in
            // The draft is read back while the old file exists, to detect a faulty disk.
            guard try readFile(draft) == image.bytes, case .whole = JournalScanner.scan(image.bytes) else {
                throw .changedByOthers(draft)
            }
            try ready()
            try fileSystem.rename(draft, to: path)
        }
        try fileSystem.syncDirectory(directory ?? self.directory(of: image.header.tripID))
    }

    /// Writes a draft file and runs `use`, which completes it; if that fails, the draft is removed.
    func makeDraft(
        _ draft: String, _ bytes: [UInt8], then use: (String) throws(SystemError) -> Void
    ) throws(SystemError) {
        if try fileSystem.status(draft) != nil { try fileSystem.unlink(draft) }
        do throws(SystemError) {
            try writeNewFile(draft, bytes)
            try use(draft)
        } catch {
            do throws(SystemError) { try fileSystem.unlink(draft) } catch {}
            throw error
        }
    }

    /// Reads a whole file.
    package func readFile(_ path: String) throws(SystemError) -> [UInt8] {
        try OpenFile(path, .read, in: fileSystem).readAll()
    }
}

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
