import LocalSystem
import TripModel

/// The writer's work, all by one at a time: its thread, or who writes at once in relaxed durability.
final class WriterLoop {
    /// How long written bytes may wait for their sync when durability is relaxed, in nanoseconds.
    static let relaxedSyncInterval: Int64 = 100_000_000
    /// Journals kept open between rounds, at most.
    static let maximumOpenFiles = 64
    /// Bytes of the write buffer that are kept from one round to the next, at most.
    private static let keptBufferSize = 1 << 20

    let store: JournalStore
    let inbox: WriterInbox
    private let counters: WriterCounters
    let durability: Durability
    /// Monotonic, in nanoseconds.
    let now: @Sendable () -> Int64

    /// How journals are kept small; nil where they are not.
    let compaction: CompactionPlan?
    private let compactionThread: CompactionThread?
    var compactionCount = 0

    private(set) var journals: [TripID: ActiveJournal] = [:]
    /// Journals with work, in the order in which they got it.
    private var touched: [ActiveJournal] = []
    /// Journals whose file is open.
    var open: [ActiveJournal] = []
    /// When the unsynced journals are to be synced, in relaxed durability; nil while there are none.
    var syncDeadline: Int64?
    var buffer: [UInt8] = []
    var round = 0
    var statistics = JournalWriter.Statistics()

    /// Journals that broke and were closed: they take nothing until a restart, attached again or not.
    private var broken: [TripID: SystemError] = [:]

    /// That of this life, to be ended with it.
    private let lineage: Lineage
    /// Where the trips' names and summaries are kept.
    var catalogue: Catalogue?
    /// Trips with slugs that the disk may not know yet: nothing of them is written before it does.
    var unclaimed: Set<TripID> = []
    /// Why the catalogue could not be written in this round; it is not tried again before the next.
    var catalogueFailure: SystemError?

    init(
        store: JournalStore, durability: Durability, catalogue: Catalogue?, lineage: Lineage,
        inbox: WriterInbox,
        counters: WriterCounters, now: @escaping @Sendable () -> Int64, compaction: CompactionPlan? = nil,
        compactsInline: Bool = false
    ) {
        self.store = store
        self.catalogue = catalogue
        self.lineage = lineage
        self.durability = durability
        self.inbox = inbox
        self.counters = counters
        self.now = now
        self.compaction = compaction
        compactionThread = compaction == nil || compactsInline ? nil : CompactionThread()
    }

    /// Does a piece of a compaction elsewhere, or at once where there is no thread for it.
    func runCompaction(_ job: @escaping @Sendable () -> Void) throws(SystemError) {
        if let compactionThread { try compactionThread.run(job) } else { job() }
    }

    /// Writes records at once, on the caller's thread, where durability is relaxed and nothing is to be done before
    /// them: a write goes to the system's memory. Syncs are left to the writer's thread, unless the disk fails.
    ///
    /// - Returns: false where they have to go through the inbox.
    func writeAtOnce(_ appends: inout [WriterInbox.Command]) -> Bool {
        // Past a number of open files some would be synced to be closed; a name that is not claimed is synced first.
        assert(durability == .relaxed, "what is synced is left to the thread")
        guard open.count + appends.count <= Self.maximumOpenFiles, unclaimed.isEmpty,
            inbox.passBy(appends.reduce(0) { $0 + $1.byteCount })
        else { return false }
        let hadDeadline = syncDeadline != nil
        performRound(&appends)
        publishStatistics()
        if !hadDeadline, syncDeadline != nil { inbox.wakeForNewDeadline() }
        return true
    }

    /// Does what there is to do now, without waiting; returns false once the inbox is closed and empty.
    func step() -> Bool {
        var commands: [WriterInbox.Command] = []
        guard let wake = inbox.takeNow(&commands, until: syncDeadline, now: now()) else { return true }
        return perform(wake, &commands)
    }

    /// - Returns: false once the inbox is closed and empty.
    func perform(_ wake: WriterInbox.Wake, _ commands: inout [WriterInbox.Command]) -> Bool {
        switch wake {
        case .work: performRound(&commands)
        case .deadline: break
        case .closed:
            for journal in journals.values.sorted(by: { $0.trip < $1.trip }) {
                cancelCompaction(of: journal)
                finish(journal)
            }
            compactionThread?.close()
            catalogueFailure = nil
            saveCatalogue(syncing: true)
            if isAllSynced {
                // Left as it is, the next daemon syncs all journals, or takes them for cut.
                do throws(SystemError) { try store.endUnsynced(lineage) } catch {}
            }
            publishStatistics()
            return false
        }
        if let syncDeadline, now() >= syncDeadline { syncUnsynced() }
        publishStatistics()
        return true
    }

    /// Whether everything is on the disk once all journals are finished.
    private var isAllSynced: Bool {
        broken.isEmpty
            && journals.values.allSatisfy { if case .broken = $0.condition { false } else { !$0.isDirty } }
    }

    private func performRound(_ commands: inout [WriterInbox.Command]) {
        round += 1
        var byteCount = 0
        claimNames(commands)
        for command in commands {
            byteCount += command.byteCount
            perform(command)
        }
        commands.removeAll(keepingCapacity: true)
        var rest = touched[...]
        touched = []
        while !rest.isEmpty {
            carryOut(rest.prefix(Self.maximumOpenFiles))
            rest = rest.dropFirst(Self.maximumOpenFiles)
        }
        assert(
            journals.values.allSatisfy { $0.unsettledCount == 0 },
            "every record is settled once, in the round that takes it")
        saveCatalogue(syncing: false)
        inbox.free(byteCount)
        if buffer.capacity > Self.keptBufferSize { buffer = [] }
    }

    private func perform(_ command: WriterInbox.Command) {
        switch command {
        case .append(let records, let trip):
            // Without a journal the trip was not made, which its creation has told, or its deletion has.
            guard let journal = journals[trip] else { return }
            let hadWork = journal.hasWork
            journal.enqueue(records)
            if journal.hasWork && !hadWork { touched.append(journal) }
        case .attach(let opened, let sink):
            if opened.repair != nil { noteRepaired(opened) }
            attach(
                opened.header, end: opened.end, baseEnd: opened.baseEnd, checkpoint: opened.checkpoint,
                sink: sink)
        case .create(let header, let first, let sink, let completion):
            do throws(JournalStoreError) {
                if let error = claimFailure(of: header.tripID) { throw .unchanged(error) }
                let end = try store.create(header, first: first)
                noteCreated(header, first.end)
                attach(header, end: end, baseEnd: 0, checkpoint: first.end, sink: sink)
                statistics.commits += 1
                statistics.bytes += end
                completion(.success(()))
            } catch {
                completion(.failure(error))
            }
        case .delete(let trip, let place, let completion):
            completion(delete(trip, at: place))
        case .detach(let trip, let content, let completion):
            if let journal = journals.removeValue(forKey: trip) {
                cancelCompaction(of: journal)
                flush(journal)
                finish(journal)
                noteClosed(journal, content)
                if case .broken(let reason) = journal.condition { broken[trip] = reason }
            }
            completion(broken[trip] == nil ? catalogue?.entries[trip] : nil)
        case .note(let trip, let entry): noteRead(trip, entry)
        case .name: break  // done before anything else of the round
        case .compact(let trip, let place, let state): compact(trip, at: place, state)
        case .compaction(let news): perform(news)
        }
    }

    private func attach(
        _ header: JournalHeader, end: Int, baseEnd: Int, checkpoint: JournalCheckpoint,
        sink: @escaping JournalWriter.Sink
    ) {
        precondition(journals[header.tripID] == nil, "a journal has one writer and one sink")
        let path = store.journal(of: header.tripID)
        let journal = ActiveJournal(header, path: path, end: end, checkpoint: checkpoint, sink: sink)
        journal.compactionDue = due(baseEnd)
        // To sync another descriptor of the file would succeed and mean nothing.
        if let reason = broken[header.tripID] { journal.condition = .broken(reason) }
        journals[header.tripID] = journal
    }

    private func delete(_ trip: TripID, at place: JournalCheckpoint) -> Result<Void, JournalStoreError> {
        guard let journal = journals[trip] else { return .failure(.missing) }
        flush(journal)
        guard PlantedBug.deletionAfterFailure.isPlanted || journal.stands(at: place) else {
            return .failure(.superseded)
        }
        do throws(JournalStoreError) {
            try store.delete(trip)
        } catch {
            if case .outcomeUnknown(let reason) = error { breakOff(journal, reason) }
            return .failure(error)
        }
        cancelCompaction(of: journal)
        close(journal)
        journals[trip] = nil
        catalogue?.set(nil, of: trip)
        return .success(())
    }

    /// Carries out at once what waits for one journal.
    func flush(_ journal: ActiveJournal) {
        guard journal.hasWork else { return }
        touched.removeAll { $0 === journal }
        carryOut([journal])
    }

    private func publishStatistics() {
        counters.values.withLock { $0 = statistics }
    }

    /// Opens the journal's file, unless it is open.
    ///
    /// - Throws: also if another program has changed the file's size, or if its path leads to another file or to none: what
    ///   is written to the open file then would not be found at the next start.
    func openFile(of journal: ActiveJournal) throws(SystemError) -> ActiveJournal.File {
        journal.lastRound = round
        let file: ActiveJournal.File
        if let known = journal.file {
            file = known
        } else {
            file = try ActiveJournal.File(journal.path, in: store.fileSystem)
        }
        // One call for both: the size at the path is that of the open file if the two are the same file.
        guard let status = try store.fileSystem.status(journal.path), status.isSameFile(as: file.status),
            status.size == Int64(journal.end)
        else { throw .changedByOthers(journal.path) }
        if journal.file == nil {
            journal.file = file
            open.append(journal)
        }
        return file
    }
}
