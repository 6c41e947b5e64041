import LocalSystem
import TripModel

extension JournalStore {
    /// Creates a trip's directory and journal with its first record, all synced; returns the journal's size.
    ///
    /// Everything is created and synced under another name first; the rename creates the trip atomically.
    package func create(_ header: JournalHeader, first: EncodedRecords) throws(JournalStoreError) -> Int {
        precondition(
            first.base == JournalEncoder(header: header).checkpoint,
            "the first record is chained to this header")
        let bytes = header.encoded() + first.bytes
        try create(header.tripID, bytes)
        return bytes.count
    }

    /// Creates a trip's directory with an existing journal image, all synced.
    ///
    /// - Parameter ready: called right before the rename.
    package func create(
        _ image: JournalImage, ready: () throws(SystemError) -> Void = {}
    ) throws(JournalStoreError) {
        try create(image.header.tripID, image.bytes, ready: ready)
    }

    private func create(
        _ trip: TripID, _ bytes: [UInt8], ready: () throws(SystemError) -> Void = {}
    ) throws(JournalStoreError) {
        let path = directory(of: trip)
        let draft = path + ".tmp"
        guard try unchangedIfFailing({ () throws(SystemError) in try fileSystem.status(path) }) == nil else {
            throw .exists
        }
        do throws(SystemError) {
            if try fileSystem.status(draft) != nil { try removeDirectory(draft) }
            try fileSystem.makeDirectory(draft)
            try writeNewFile(draft + "/journal", bytes)
            try fileSystem.syncDirectory(draft)
            try ready()
        } catch {
            throw abandon(draft, error)
        }
        do throws(SystemError) {
            try fileSystem.rename(draft, to: path)
        } catch {
            let failure = abandon(draft, error)
            throw error.leavesRenameOpen ? .outcomeUnknown(error) : failure
        }
        try unknownIfFailing { () throws(SystemError) in try fileSystem.syncDirectory(tripsDirectory) }
    }

    /// Removes an incomplete creation; a remainder is removed at the next start.
    private func abandon(_ draft: String, _ error: SystemError) -> JournalStoreError {
        do throws(SystemError) { try removeDirectory(draft) } catch {}
        return .unchanged(error)
    }

    /// Replaces a trip's journal, and keeps a copy of the old one. Returns the copy's path; nil if there was
    /// no journal.
    ///
    /// - Parameter ready: called right before the rename.
    package func replaceKeepingCopy(
        by image: JournalImage, ready: () throws(SystemError) -> Void
    ) throws(SystemError) -> String? {
        let trip = image.header.tripID
        var copy: String?
        if try fileSystem.status(journal(of: trip)) != nil {
            copy = try makeCopy(try readFile(journal(of: trip)), .replaced, of: trip)
        }
        try replace(journal(of: trip), by: image, ready: ready)
        return copy
    }

    /// Replaces a trip's journal by one with the same content.
    package func replace(by image: JournalImage) throws(SystemError) {
        try replace(journal(of: image.header.tripID), by: image)
    }

    /// Makes a file outside of the data directory, which must not exist, synced with its name.
    package func writeExport(_ bytes: [UInt8], to path: String, in directory: String) throws(SystemError) {
        do throws(SystemError) {
            try writeNewFile(path, bytes)
        } catch {
            // An incomplete export is removed, so that it does not block the next attempt. A file that
            // existed before stays.
            if error.call != "open" { do throws(SystemError) { try fileSystem.unlink(path) } catch {} }
            throw error
        }
        try fileSystem.syncDirectory(directory)
    }

    /// Writes and syncs a new file, but not its name.
    func writeNewFile(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
        let file = try OpenFile(path, .create, in: fileSystem)
        try file.writeAll(bytes)
        try file.sync()
    }

    func unchangedIfFailing<Value>(
        _ body: () throws(SystemError) -> Value
    ) throws(JournalStoreError) -> Value {
        do throws(SystemError) { return try body() } catch { throw .unchanged(error) }
    }

    func unknownIfFailing(_ body: () throws(SystemError) -> Void) throws(JournalStoreError) {
        do throws(SystemError) { try body() } catch { throw .outcomeUnknown(error) }
    }
}
