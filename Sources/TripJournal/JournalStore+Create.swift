import LocalSystem
import TripModel

extension JournalStore {
    /// Makes a trip's directory and journal with its first record, all of it synced; returns the journal's size.
    ///
    /// Everything is made and synced under another name first: the rename makes the trip, whole.
    package func create(_ header: JournalHeader, first: EncodedRecords) throws(JournalStoreError) -> Int {
        precondition(
            first.base == JournalEncoder(header: header).checkpoint,
            "the first record is chained to this header")
        let bytes = header.encoded() + first.bytes
        try create(header.tripID, bytes)
        return bytes.count
    }

    /// Makes a trip's directory with a journal that was made elsewhere, all of it synced.
    ///
    /// - Parameter ready: called when nothing but the rename is left to do.
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
            if PlantedBug.creationNotSynced.isPlanted { return }
        } catch {
            let failure = abandon(draft, error)
            throw error.leavesRenameOpen ? .outcomeUnknown(error) : failure
        }
        try unknownIfFailing { () throws(SystemError) in try fileSystem.syncDirectory(tripsDirectory) }
    }

    /// Gives up what was half made; what is left of it is swept at the next start at the latest.
    private func abandon(_ draft: String, _ error: SystemError) -> JournalStoreError {
        do throws(SystemError) { try removeDirectory(draft) } catch {}
        return .unchanged(error)
    }

    /// Puts a journal in the place of a trip's own, of which a copy is kept; returns the copy's path, nil where the
    /// trip's journal was missing.
    ///
    /// - Parameter ready: called when nothing but the rename is left to do.
    package func replaceKeepingCopy(
        by image: JournalImage, ready: () throws(SystemError) -> Void
    ) throws(SystemError) -> String? {
        let trip = image.header.tripID
        var copy: String?
        if try fileSystem.status(journal(of: trip)) != nil {
            copy = try keep(try readFile(journal(of: trip)), .replaced, of: trip)
        }
        try replace(journal(of: trip), by: image, ready: ready)
        return copy
    }

    /// Puts a journal that tells the same in the place of a trip's own.
    package func replace(by image: JournalImage) throws(SystemError) {
        try replace(journal(of: image.header.tripID), by: image)
    }

    /// Deletes a trip with all its files; nothing of it comes back once this has returned.
    ///
    /// The rename deletes the trip, whole; that its files could not be removed after that is no failure, for they are
    /// swept at the next start.
    package func delete(_ trip: TripID) throws(JournalStoreError) {
        let path = directory(of: trip)
        let grave = path + ".deleted"
        guard try unchangedIfFailing({ () throws(SystemError) in try fileSystem.status(path) }) != nil else {
            throw .missing
        }
        try unchangedIfFailing { () throws(SystemError) in
            if try fileSystem.status(grave) != nil { try removeDirectory(grave) }
        }
        do throws(SystemError) { try fileSystem.rename(path, to: grave) } catch {
            if error.leavesRenameOpen { throw .outcomeUnknown(error) }
            throw .unchanged(error)
        }
        try unknownIfFailing { () throws(SystemError) in try fileSystem.syncDirectory(tripsDirectory) }
        do throws(SystemError) { try removeDirectory(grave) } catch {}
    }

    /// Makes a file outside of the data directory, which must not exist, synced with its name.
    package func writeExport(_ bytes: [UInt8], to path: String, in directory: String) throws(SystemError) {
        do throws(SystemError) {
            try writeNewFile(path, bytes)
        } catch {
            // Part of an export is not an export, and would be in the way of the next attempt; what was there before stays.
            if error.call != "open" { do throws(SystemError) { try fileSystem.unlink(path) } catch {} }
            throw error
        }
        try fileSystem.syncDirectory(directory)
    }

    /// Makes a file that must not exist, with these contents, synced; its name is not.
    func writeNewFile(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
        let file = try OpenFile(path, .create, in: fileSystem)
        try file.writeAll(bytes)
        try file.sync()
    }

    private func unchangedIfFailing<Value>(
        _ body: () throws(SystemError) -> Value
    ) throws(JournalStoreError) -> Value {
        do throws(SystemError) { return try body() } catch { throw .unchanged(error) }
    }

    private func unknownIfFailing(_ body: () throws(SystemError) -> Void) throws(JournalStoreError) {
        do throws(SystemError) { try body() } catch { throw .outcomeUnknown(error) }
    }
}
