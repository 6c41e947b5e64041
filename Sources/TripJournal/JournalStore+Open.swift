import LocalSystem
import TripModel

extension JournalStore {
    /// Reads a trip's journal, and repairs a torn end; `freshEpoch` is asked for then only.
    ///
    /// A journal that lacks the place that is known of it is another file, or an older one, and is not touched.
    /// What it returns is on the disk: what an earlier process had written or renamed and not synced is synced before.
    /// Throws when the system fails, which leaves the journal as it was, or repaired.
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
            // One that was closed in good order was synced then, and has not been touched since.
            var isSettled = false
            if let summary = known?.summary { isSettled = try stamp(of: trip) == summary.stamp }
            if !isSettled {
                try OpenFile(path, .append, in: fileSystem).syncData()
                try fileSystem.syncDirectory(directory(of: trip))
            }
            return .opened(OpenedJournal(contents, in: bytes))
        case .cutTail(let contents, let tail):
            sweep(trip)
            let header = JournalHeader(tripID: trip, epoch: freshEpoch())
            precondition(header.epoch != contents.header.epoch, "a cut journal gets a new epoch")
            var records = contents.records(in: bytes)
            if PlantedBug.tornTailCutShort.isPlanted, records.count > 1 { records.removeLast() }
            let snapshot = contents.snapshot(in: bytes)
            let image = JournalImage(header, snapshot: snapshot, records: records)
            let repair = JournalRepair(
                tail: tail, droppedBytes: bytes.count - tail.offset, copy: try keep(bytes, .torn, of: trip))
            try replace(journal(of: trip), by: image)
            return .opened(
                OpenedJournal(
                    header: header, snapshot: snapshot, records: records, checkpoint: image.checkpoint,
                    end: image.bytes.count, baseEnd: image.baseEnd, repair: repair))
        }
    }

    /// What a trip's journal tells up to where it is whole. Nothing is written, and nothing of it is sure to stay.
    ///
    /// - Returns: nil where it is damaged or of a newer format.
    package func peek(at trip: TripID) throws(SystemError) -> OpenedJournal? {
        let bytes = try readFile(journal(of: trip))
        switch JournalRecovery(JournalScanner.scan(bytes), of: trip) {
        case .use(let contents), .cutTail(let contents, _): return OpenedJournal(contents, in: bytes)
        case .quarantine, .refuse: return nil
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

    /// Why a journal is kept as a copy; the beginning of the copy's name.
    enum CopyReason: String, CaseIterable {
        /// Its end was cut.
        case torn = "journal.torn-"
        /// Another was put in its place.
        case replaced = "journal.replaced-"
    }

    /// Keeps the bytes of a trip's journal as a copy beside it, whole and synced or not at all; returns its path.
    ///
    /// A copy with the same bytes is kept already where an earlier attempt at what follows has failed.
    func keep(_ bytes: [UInt8], _ reason: CopyReason, of trip: TripID) throws(SystemError) -> String {
        let directory = directory(of: trip)
        let copies = try fileSystem.list(directory).compactMap { name -> (number: Int, path: String)? in
            // A number that no daemon comes to is somebody else's.
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

    /// Puts a new journal in a journal's place, each step synced before the next: at every moment there is one
    /// journal, the old or the new, whole.
    ///
    /// - Parameter ready: called when nothing but the rename is left to do.
    func replace(
        _ path: String, by image: JournalImage, ready: () throws(SystemError) -> Void = {}
    ) throws(SystemError) {
        try makeDraft(path + ".tmp", image.bytes) { (draft) throws(SystemError) in
            // Read back before the old file goes: a disk that lies is found out while there still are two.
            guard try readFile(draft) == image.bytes, case .whole = JournalScanner.scan(image.bytes) else {
                throw .changedByOthers(draft)
            }
            try ready()
            try fileSystem.rename(draft, to: path)
        }
        try fileSystem.syncDirectory(directory(of: image.header.tripID))
    }

    /// Makes a file and does with it what makes it more than a draft; where that fails, it takes up no room.
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

    /// All bytes of a file.
    package func readFile(_ path: String) throws(SystemError) -> [UInt8] {
        try OpenFile(path, .read, in: fileSystem).readAll()
    }
}
