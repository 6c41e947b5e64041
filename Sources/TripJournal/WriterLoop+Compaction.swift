import LocalSystem
import TripModel

/// A running compaction.
struct RunningCompaction {
    /// Distinguishes it from earlier ones of the same trip.
    let number: Int
    let job: CompactionJob
}

/// A result from the compaction thread.
struct CompactionResult: Sendable {
    let trip: TripID
    let number: Int
    let result: Result<CompactionDraft, CompactionFailure>
}

extension WriterLoop {
    /// Maximum bytes of uncopied records that the writer copies itself.
    private static let maximumRest = 256 << 10
    /// The maximum number of passes in which a compaction copies newer records.
    private static let maximumPasses = 8

    /// Requests the state from the journal's owner if the journal has grown enough.
    func considerCompaction(of journal: ActiveJournal) {
        guard journal.end >= journal.compactionDue, let compaction, journal.compaction == nil else { return }
        // If the owner does not answer, the request is repeated after considerable growth.
        journal.compactionDue = journal.end + max(compaction.floor, journal.end / 2)
        journal.requestState()
    }

    /// Begins a compaction, unless the journal does not end at the state's position.
    func compact(_ trip: TripID, at place: JournalCheckpoint, _ state: @escaping CompactedState) {
        guard let plan = compaction, let journal = journals[trip], journal.compaction == nil else { return }
        flush(journal)
        guard journal.ends(at: place) else { return }
        compactionCount += 1
        let job = CompactionJob(store: store, plan: plan, header: journal.header, ticket: CompactionTicket())
        let running = RunningCompaction(number: compactionCount, job: job)
        journal.compaction = running
        let end = journal.end
        let isDecoded = journal.compactionCount % plan.decodingInterval == 0
        start(running, of: journal) { () throws(CompactionFailure) in
            try job.begin(upTo: end, place, state, isDecoded: isDecoded)
        }
    }

    private func start(
        _ running: RunningCompaction, of journal: ActiveJournal,
        _ body: @escaping @Sendable () throws(CompactionFailure) -> CompactionDraft
    ) {
        let (inbox, trip, number, job) = (inbox, journal.trip, running.number, running.job)
        do throws(SystemError) {
            try runCompaction {
                let result = Result { () throws(CompactionFailure) in try body() }
                let command = WriterInbox.Command.compaction(
                    CompactionResult(trip: trip, number: number, result: result))
                if !inbox.put(command) { job.removeDraft() }
            }
        } catch {
            abort(.system(error), on: journal)
        }
    }

    /// Continues a compaction with a finished draft, or ends it.
    func perform(_ compaction: CompactionResult) {
        guard let journal = journals[compaction.trip], let running = journal.compaction,
            running.number == compaction.number
        else { return }
        switch compaction.result {
        case .failure(let failure): abort(failure, on: journal)
        case .success(let draft):
            if journal.end - draft.copiedEnd > Self.maximumRest, draft.passes < Self.maximumPasses {
                let end = journal.end
                start(running, of: journal) { () throws(CompactionFailure) in
                    try running.job.resume(draft, upTo: end)
                }
            } else {
                install(draft, running.job, for: journal)
            }
        }
    }

    /// Replaces the journal by the draft. This blocks the trip's commits for one sync of the few uncopied
    /// records and one of the directory.
    private func install(_ draft: CompactionDraft, _ job: CompactionJob, for journal: ActiveJournal) {
        var draft = draft
        let old = journal.end
        let file: ActiveJournal.File
        let draftPath = store.compactionDraft(of: journal.trip)
        do throws(CompactionFailure) {
            try job.append(upTo: journal.end, to: &draft)
            guard draft.checkpoint == journal.checkpoint else {
                throw .damaged("the journal differs from the written data")
            }
            do throws(SystemError) {
                file = try ActiveJournal.File(draftPath, in: store.fileSystem)
                guard file.status.size == Int64(draft.size) else { throw .changedByOthers(draftPath) }
            } catch {
                throw .system(error)
            }
        } catch {
            job.removeDraft()
            return abort(error, on: journal)
        }
        // If a power failure undoes the rename, the old file must have everything acknowledged.
        if journal.isDirty, !sync(journal) {
            job.removeDraft()
            return abort(.cancelled, on: journal)
        }
        do throws(SystemError) {
            do throws(SystemError) {
                try store.fileSystem.rename(draftPath, to: journal.path)
            } catch  where !error.leavesRenameOpen {
                job.removeDraft()
                return abort(.system(error), on: journal)
            }
            try store.fileSystem.syncDirectory(store.directory(of: journal.trip))
        } catch {
            // After a power failure either file may have the name. Acknowledged records are in both, but new
            // ones would be in only one.
            abort(.system(error), on: journal)
            markBroken(journal, error)
            journal.report(.readOnly(error))
            return
        }
        close(journal)
        journal.replaceFile(by: file, size: draft.size)
        open.append(journal)
        journal.lastBatch = batch
        journal.compaction = nil
        journal.compactionCount += 1
        journal.compactionDue = due(draft.baseEnd)
        statistics.compactions += 1
        statistics.lastCompaction = compaction?.wallClock()
        compaction?.report(.compacted(journal.trip, from: old, to: draft.size))
    }

    /// Ends a compaction without effect, and schedules another attempt after growth by half.
    private func abort(_ failure: CompactionFailure, on journal: ActiveJournal) {
        journal.compaction = nil
        journal.compactionDue = journal.end + max(compaction?.floor ?? 0, journal.end / 2)
        compaction?.report(.failed(journal.trip, failure))
    }

    /// The size at which a journal is compacted, from the size of its initial state.
    func due(_ baseEnd: Int) -> Int {
        compaction.map { plan in
            max(plan.floor, min(plan.growth * baseEnd, baseEnd + max(plan.maximumRecords, baseEnd)))
        } ?? .max
    }

    /// Cancels the compaction of a closed or broken journal.
    func cancelCompaction(of journal: ActiveJournal) {
        journal.compaction?.job.ticket.cancel()
        journal.compaction = nil
    }
}
