import LocalSystem

extension WriterLoop {
    /// Writes what waits for these journals, syncs it and tells their sinks. All writes come before all syncs: the
    /// first sync often brings the others' bytes along.
    func carryOut(_ journals: ArraySlice<ActiveJournal>) {
        for journal in journals.filter({ write($0) }) {
            switch durability {
            case .sync:
                if PlantedBug.replyBeforeSync.isPlanted { statistics.commits += journal.report() }
                if !sync(journal) { continue }
            case .relaxed:
                syncDeadline = syncDeadline ?? now() + Self.relaxedSyncInterval
            }
            statistics.commits += journal.report()
            considerCompaction(of: journal)
        }
        closeFiles()
    }

    /// Writes what waits for a journal; false if there was nothing, or if it failed, which is told then.
    private func write(_ journal: ActiveJournal) -> Bool {
        if journal.hasRefused, case .broken(let reason) = journal.condition {
            journal.report(.readOnly(reason))
        }
        if journal.hasWork, let error = claimFailure(of: journal.trip) {
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
                breakOff(journal, error)
                journal.report(.readOnly(error))
            }
            return false
        }
        do throws(SystemError) {
            try file.file.writeAll(buffer)
        } catch {
            takeBack(journal, file, batch.end, because: error)
            return false
        }
        statistics.bytes += buffer.count
        journal.noteWritten(bytes: buffer.count, records: batch.count, batch.end)
        return true
    }

    /// Removes what a failed write may have left in the file.
    private func takeBack(
        _ journal: ActiveJournal, _ file: ActiveJournal.File, _ attempted: JournalCheckpoint,
        because error: SystemError
    ) {
        do throws(SystemError) {
            guard error.isLackOfRoom else { throw error }
            // Where nothing was taken nothing is cut, for some file systems need room for that, too.
            if try file.file.size() == Int64(journal.end) { return noteFull(journal, error) }
            try file.file.truncate(to: Int64(journal.end))
            // Synced, lest a power cut brings back records that were reported as failed.
            try file.file.sync()
        } catch {
            breakOff(journal, error)
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

    /// Syncs a journal that was written to; false if that failed, which is told then.
    func sync(_ journal: ActiveJournal) -> Bool {
        guard let file = journal.file else { preconditionFailure("an unsynced journal stays open") }
        let began = now()
        defer {
            statistics.syncs += 1
            statistics.syncNanoseconds += now() - began
        }
        do throws(SystemError) {
            try file.file.syncData()
        } catch {
            // The kernel may have dropped the bytes and forgotten the failure: another sync would succeed and mean
            // nothing.
            breakOff(journal, error)
            journal.report(.outcomeUnknown(error, upTo: journal.checkpoint.version))
            return false
        }
        journal.noteSynced()
        return true
    }

    /// Syncs every journal that was written to since its last sync.
    func syncUnsynced() {
        syncDeadline = nil
        for journal in open.filter(\.isDirty) { _ = sync(journal) }
    }

    /// Nothing is written to this journal any more.
    func breakOff(_ journal: ActiveJournal, _ reason: SystemError) {
        journal.condition = .broken(reason)
        // On a disk that takes no note of it either, nothing tells the next daemon.
        do throws(SystemError) { try store.noteBroken(journal.trip) } catch {}
        cancelCompaction(of: journal)
        journal.refusePending()
        close(journal)
    }

    /// Closes the journal's file, as it is.
    func close(_ journal: ActiveJournal) {
        guard journal.file != nil else { return }
        journal.file = nil
        open.removeAll { $0 === journal }
    }

    /// Syncs, seals and closes a journal with which nothing more will be done.
    func finish(_ journal: ActiveJournal) {
        if journal.isDirty, journal.file != nil { _ = sync(journal) }
        seal(journal)
        close(journal)
    }

    /// Vouches for the whole file, so that from now on nothing in it can be taken for torn. It only helps recovery:
    /// without it everything that was acknowledged is kept all the same.
    private func seal(_ journal: ActiveJournal) {
        if case .broken = journal.condition { return }
        guard journal.isUnsealed else { return }
        do throws(SystemError) {
            let file = try openFile(of: journal)
            do throws(SystemError) {
                try file.file.writeAll(journal.seal())
            } catch {
                try file.file.truncate(to: Int64(journal.end))
            }
            try file.file.syncData()
        } catch {}
    }

    /// Closes the files that were not used for longest, if too many are open.
    private func closeFiles() {
        guard open.count > Self.maximumOpenFiles else { return }
        syncUnsynced()
        var excess = open.count - Self.maximumOpenFiles / 2
        open.sort { $0.lastRound < $1.lastRound }
        open.removeAll { journal in
            guard excess > 0 else { return false }
            excess -= 1
            journal.file = nil
            return true
        }
    }
}
