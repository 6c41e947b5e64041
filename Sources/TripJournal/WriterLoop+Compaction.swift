import LocalSystem
import TripModel

/// A compaction that is on its way.
struct RunningCompaction {
    /// Tells it from an earlier one of the same trip.
    let number: Int
    let job: CompactionJob
}

/// What the compactions' thread has to say.
struct CompactionNews: Sendable {
    let trip: TripID
    let number: Int
    let result: Result<CompactionDraft, CompactionFailure>
}

extension WriterLoop {
    /// Bytes that may have come since the last copy when the writer takes the rest along itself.
    private static let bearableRest = 256 << 10
    /// How often a compaction runs after what comes meanwhile.
    private static let maximumRounds = 8

    /// Asks the journal's owner for the state if the journal has grown enough.
    func considerCompaction(of journal: ActiveJournal) {
        guard let compaction, journal.compaction == nil, journal.end >= journal.compactionDue else { return }
        // If the owner does not answer, it is asked again when the journal has grown a good deal.
        journal.compactionDue = journal.end + max(compaction.floor, journal.end / 2)
        journal.askForState()
    }

    /// Begins a compaction, unless the journal does not come to stand at the place that the state is of.
    func compact(_ trip: TripID, at place: JournalCheckpoint, _ state: @escaping CompactedState) {
        guard let plan = compaction, let journal = journals[trip], journal.compaction == nil else { return }
        flush(journal)
        guard journal.stands(at: place) else { return }
        compactionCount += 1
        let job = CompactionJob(store: store, plan: plan, header: journal.header, ticket: CompactionTicket())
        let running = RunningCompaction(number: compactionCount, job: job)
        journal.compaction = running
        let end = journal.end
        start(running, of: journal) { () throws(CompactionFailure) in
            try job.begin(upTo: end, place, state)
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
                let news = CompactionNews(trip: trip, number: number, result: result)
                if !inbox.put(.compaction(news)) { job.removeDraft() }
            }
        } catch {
            giveUp(.system(error), on: journal)
        }
    }

    /// Goes on with a compaction whose draft is made, or gives it up.
    func perform(_ news: CompactionNews) {
        guard let journal = journals[news.trip], let running = journal.compaction,
            running.number == news.number
        else { return }
        switch news.result {
        case .failure(let failure): giveUp(failure, on: journal)
        case .success(let draft):
            if journal.end - draft.copiedEnd > Self.bearableRest, draft.rounds < Self.maximumRounds {
                let end = journal.end
                start(running, of: journal) { () throws(CompactionFailure) in
                    try running.job.goOn(draft, upTo: end)
                }
            } else {
                adopt(draft, running.job, for: journal)
            }
        }
    }

    /// Puts the draft in the journal's place. The trip's commits wait for this: one sync of the few records that
    /// came since the last copy, and one of the directory.
    private func adopt(_ draft: CompactionDraft, _ job: CompactionJob, for journal: ActiveJournal) {
        var draft = draft
        let old = journal.end
        let file: ActiveJournal.File
        let draftPath = store.compactionDraft(of: journal.trip)
        do throws(CompactionFailure) {
            try job.append(upTo: journal.end, to: &draft)
            guard draft.checkpoint == journal.checkpoint else {
                throw .damaged("the journal is not what was written to it")
            }
            do throws(SystemError) {
                file = try ActiveJournal.File(draftPath, in: store.fileSystem)
                guard file.status.size == Int64(draft.size) else { throw .changedByOthers(draftPath) }
            } catch {
                throw .system(error)
            }
        } catch {
            job.removeDraft()
            return giveUp(error, on: journal)
        }
        // If a power cut undoes the rename, it is the old file that has what was told.
        if journal.isDirty, !sync(journal) {
            job.removeDraft()
            return giveUp(.cancelled, on: journal)
        }
        do throws(SystemError) {
            do throws(SystemError) {
                try store.fileSystem.rename(draftPath, to: journal.path)
            } catch  where !error.leavesRenameOpen {
                job.removeDraft()
                return giveUp(.system(error), on: journal)
            }
            try store.fileSystem.syncDirectory(store.directory(of: journal.trip))
        } catch {
            // Which of the two files has the name after a power cut is not known. What was acknowledged is in both;
            // what would come now would be in one.
            giveUp(.system(error), on: journal)
            breakOff(journal, error)
            journal.report(.readOnly(error))
            return
        }
        close(journal)
        journal.replaceFile(by: file, size: draft.size)
        open.append(journal)
        journal.lastRound = round
        journal.compaction = nil
        journal.compactionDue = due(draft.baseEnd)
        statistics.compactions += 1
        statistics.lastCompaction = compaction?.wallClock()
        compaction?.report(.compacted(journal.trip, from: old, to: draft.size))
    }

    /// Lets the journal be, and tries again when it has grown by half.
    private func giveUp(_ failure: CompactionFailure, on journal: ActiveJournal) {
        journal.compaction = nil
        journal.compactionDue = journal.end + max(compaction?.floor ?? 0, journal.end / 2)
        compaction?.report(.failed(journal.trip, failure))
    }

    /// The size at which a journal is compacted, given the bytes of state that it begins with.
    func due(_ baseEnd: Int) -> Int { max(compaction?.floor ?? .max, 4 * baseEnd) }

    /// The journal is closed, or may not be written any more.
    func cancelCompaction(of journal: ActiveJournal) {
        journal.compaction?.job.ticket.cancel()
        journal.compaction = nil
    }
}
