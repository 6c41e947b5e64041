import LocalSystem

extension WriterLoop {
    /// Writes and syncs the pending records of these journals, and calls their sinks. All writes precede all
    /// syncs, because the first sync often includes the others' bytes.
    func writeAndSync(_ journals: ArraySlice<ActiveJournal>) {
        var stored = journals.filter { write($0) }
        switch durability {
        case .sync: stored = sync(stored) { statistics.commits += $0.report() }
        case .relaxed:
            if !stored.isEmpty { syncDeadline = syncDeadline ?? now() + Self.relaxedSyncInterval }
            for journal in stored { statistics.commits += journal.report() }
        }
        for journal in stored { considerCompaction(of: journal) }
        closeFiles()
    }

    /// Writes the pending records of a journal; false if there are none, or after a failure, which is reported.
    private func write(_ journal: ActiveJournal) -> Bool {
        if journal.hasRejected, case .broken(let reason) = journal.condition {
            journal.report(.readOnly(reason))
        }
        if journal.hasWork, let error = reservationFailure(of: journal.trip) {
            journal.dropPending()
            noteFull(journal, error)
            return false
        }
        buffer.removeAll(keepingCapacity: true)
        guard let batch = journal.takePending(into: &buffer) else { return false }
        let file: ActiveJournal.File
        do throws(SystemError) {
            file = try openFile(of: journal)
        } catch {
            if error.isLackOfResources {
                noteFull(journal, error)
            } else {
                markBroken(journal, error)
                journal.report(.readOnly(error))
            }
            return false
        }
        do throws(SystemError) {
            try file.file.writeAll(buffer)
        } catch {
            rollBack(journal, file, batch.end, because: error)
            return false
        }
        statistics.bytes += buffer.count
        journal.noteWritten(bytes: buffer.count, records: batch.count, batch.end)
        return true
    }

    /// Removes the remainder of a failed write.
    private func rollBack(
        _ journal: ActiveJournal, _ file: ActiveJournal.File, _ attempted: JournalCheckpoint,
        because error: SystemError
    ) {
        do throws(SystemError) {
            guard error.isLackOfRoom else { throw error }
            // If nothing was written, nothing is truncated, because some file systems need space for that, too.
            if try file.file.size() == Int64(journal.end) { return noteFull(journal, error) }
            try file.file.truncate(to: Int64(journal.end))
            // Synced, so that a power failure does not bring back records that were reported as failed.
            try file.file.sync()
        } catch {
            markBroken(journal, error)
            journal.report(.outcomeUnknown(error, upTo: attempted.version))
            return
        }
        journal.noteSynced()
        noteFull(journal, error)
    }

    private func noteFull(_ journal: ActiveJournal, _ error: SystemError) {
        journal.condition = .full
        journal.report(.full(error, resumeFrom: journal.checkpoint))
    }

    /// Syncs a journal; false after a failure, which is reported.
    func sync(_ journal: ActiveJournal) -> Bool { !sync([journal]).isEmpty }

    /// Syncs journals, several at the same time, those with the fewest new bytes first: a person's change does not wait
    /// for those of a flood. Returns the journals without a failure, which is reported.
    ///
    /// - Parameter whenSynced: called for each of them soon after its own sync.
    private func sync(
        _ journals: [ActiveJournal], whenSynced: (ActiveJournal) -> Void = { _ in }
    ) -> [ActiveJournal] {
        let journals = journals.sorted { $0.unsyncedBytes < $1.unsyncedBytes }
        let files = journals.map { journal in
            guard let file = journal.file else { preconditionFailure("an unsynced journal stays open") }
            return file
        }
        var synced: [ActiveJournal] = []
        let began = now()
        SyncThreads.syncData(files, on: syncThreads) { index, failure in
            let journal = journals[index]
            guard let failure else {
                journal.noteSynced()
                synced.append(journal)
                return whenSynced(journal)
            }
            // The kernel may have dropped the bytes and forgotten the failure, so another sync could succeed
            // without effect.
            markBroken(journal, failure)
            journal.report(.outcomeUnknown(failure, upTo: journal.checkpoint.version))
        }
        statistics.syncs += files.count
        statistics.syncNanoseconds += now() - began
        return synced
    }

    /// Syncs every journal that was written to since its last sync.
    func syncUnsynced() {
        syncDeadline = nil
        _ = sync(open.filter(\.isDirty))
    }

    /// Marks a journal as broken: nothing is written to it any more.
    func markBroken(_ journal: ActiveJournal, _ reason: SystemError) {
        journal.condition = .broken(reason)
        // If the disk rejects this too, the next daemon cannot know about the failure.
        do throws(SystemError) { try store.noteBroken(journal.trip) } catch {}
        cancelCompaction(of: journal)
        journal.refusePending()
        close(journal)
    }

    /// Closes the journal's file without further writes.
    func close(_ journal: ActiveJournal) {
        guard journal.file != nil else { return }
        journal.file = nil
        open.removeAll { $0 === journal }
    }

    /// Syncs, seals and closes a journal.
    func finish(_ journal: ActiveJournal) {
        if journal.isDirty, journal.file != nil { _ = sync(journal) }
        seal(journal)
        close(journal)
    }

    /// Appends a sync mark for the whole file, so that no part of it can be considered torn. It only helps
    /// recovery: without it everything acknowledged is kept, too.
    private func seal(_ journal: ActiveJournal) {
        if case .broken = journal.condition { return }
        guard journal.isUnsealed else { return }
        let file: ActiveJournal.File
        do throws(SystemError) { file = try openFile(of: journal) } catch { return }
        do throws(SystemError) {
            do throws(SystemError) {
                try file.file.writeAll(journal.seal())
                try file.file.syncData()
            } catch {
                // The next process that opens a closed journal assumes that all of it is on disk. If a power failure
                // then removed this mark, the journal would look damaged, because later marks cover its bytes.
                try file.file.truncate(to: Int64(journal.end))
            }
        } catch {
            markBroken(journal, error)
        }
    }

    /// Closes the least recently used files if too many are open.
    private func closeFiles() {
        guard open.count > Self.maximumOpenFiles else { return }
        syncUnsynced()
        var excess = open.count - Self.maximumOpenFiles / 2
        open.sort { $0.lastBatch < $1.lastBatch }
        open.removeAll { journal in
            guard excess > 0 else { return false }
            excess -= 1
            journal.file = nil
            return true
        }
    }
}

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension OpenFile {
    /// Appends all bytes with as many calls as needed; after a failure some of them may be in the file.
    func writeAll(_ bytes: [UInt8]) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let taken = try write(rest)
            // A write of zero bytes without an error could repeat forever.
            if taken == 0 { throw SystemError(call: "write", code: EIO) }
            rest = rest.dropFirst(taken)
        }
    }
}

extension SystemError {
    /// True if a write failed for lack of space, so that it may succeed later.
    var isLackOfRoom: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

    /// True if an open failed for lack of resources, so that it may succeed later.
    var isLackOfResources: Bool { code == EMFILE || code == ENFILE || code == ENOMEM || isLackOfRoom }

    /// True if a rename that failed with it may have taken effect; according to POSIX, only EIO.
    var leavesRenameOpen: Bool { code == EIO }
}
