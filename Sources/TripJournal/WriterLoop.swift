import LocalSystem
import TripModel

/// The writer's work. Only one thread runs it at a time: its own, or the caller's in relaxed durability.
final class WriterLoop {
    /// The maximum delay of a sync in relaxed durability, in nanoseconds.
    static let relaxedSyncInterval: Int64 = 100_000_000
    /// Maximum number of journals that stay open between batches.
    static let maximumOpenFiles = 64
    /// Maximum capacity of the write buffer that is kept between batches.
    private static let maximumBufferSize = 1 << 20

    let store: JournalStore
    let inbox: WriterInbox
    private let counters: WriterCounters
    let durability: Durability
    /// Monotonic time in nanoseconds.
    let now: @Sendable () -> Int64

    /// The configuration of compaction; nil if it is disabled.
    let compaction: CompactionPlan?
    private let compactionThread: JobThread?
    /// Nil to sync one file after another.
    let syncThreads: SyncThreads?
    var compactionCount = 0

    private(set) var journals: [TripID: ActiveJournal] = [:]
    /// Journals with pending work, in order.
    private var touched: [ActiveJournal] = []
    /// For each trip with a command that takes long, that command and all later ones.
    private var late: [TripID: ArraySlice<WriterInbox.Command>] = [:]
    /// These trips in order. Each batch performs one command that takes long, after its records are synced.
    private var lateTrips: ArraySlice<TripID> = []
    /// True if there are commands for another batch.
    var hasLateCommands: Bool { !lateTrips.isEmpty || !touched.isEmpty }
    /// Journals whose file is open.
    var open: [ActiveJournal] = []
    /// The deadline for syncing the unsynced journals in relaxed durability; nil if there are none.
    var syncDeadline: Int64?
    var buffer: [UInt8] = []
    /// Bytes of the records of this batch.
    private var resolvedBytes = 0
    var batch = 0
    var statistics = JournalWriter.Statistics()

    /// Broken journals that were closed: they reject records until a restart, even if attached again.
    private var broken: [TripID: SystemError] = [:]

    /// The lineage of this run, which ends with it.
    private let lineage: Lineage
    /// The trips' names and summaries.
    var catalogue: Catalogue?
    /// Trips with slugs that may not be on disk yet: nothing of them is written before.
    var unreserved: Set<TripID> = []
    /// The reason why the catalogue could not be written in this batch; it is not retried before the next.
    var catalogueFailure: SystemError?

    init(
        store: JournalStore, durability: Durability, catalogue: Catalogue?, lineage: Lineage,
        inbox: WriterInbox,
        counters: WriterCounters, now: @escaping @Sendable () -> Int64, compaction: CompactionPlan? = nil,
        usesOneThread: Bool = false
    ) {
        self.store = store
        self.catalogue = catalogue
        self.lineage = lineage
        self.durability = durability
        self.inbox = inbox
        self.counters = counters
        self.now = now
        self.compaction = compaction
        compactionThread = compaction == nil || usesOneThread ? nil : JobThread(.low)
        syncThreads = usesOneThread ? nil : SyncThreads()
    }

    /// Runs a job of a compaction on its thread, or at once without a thread.
    func runCompaction(_ job: @escaping @Sendable () -> Void) throws(SystemError) {
        if let compactionThread { try compactionThread.run(job) } else { job() }
    }

    /// Writes records on the caller's thread in relaxed durability, if nothing must be done before them. A
    /// write only goes to the system's cache. Syncs are left to the writer's thread, unless the disk fails.
    ///
    /// - Returns: false if the records must go through the inbox.
    func writeAtOnce(_ appends: inout [WriterInbox.Command]) -> Bool {
        // With too many open files some would be synced and closed; an unstored name is synced first.
        assert(durability == .relaxed, "the writer's thread syncs")
        guard open.count + appends.count <= Self.maximumOpenFiles, unreserved.isEmpty, !hasLateCommands,
            inbox.bypass(appends.reduce(0) { $0 + $1.byteCount })
        else { return false }
        let hadDeadline = syncDeadline != nil
        performBatch(&appends)
        publishStatistics()
        if !hadDeadline, syncDeadline != nil { inbox.wakeForNewDeadline() }
        return true
    }

    /// Runs the pending work without waiting; returns false once the inbox is closed and empty.
    func step() -> Bool {
        var commands: [WriterInbox.Command] = []
        let wake = inbox.takeNow(&commands, until: syncDeadline, now: now(), orElse: hasLateCommands)
        return wake.map { perform($0, &commands) } ?? true
    }

    /// Runs the commands of one batch.
    ///
    /// - Returns: false once the inbox is closed and empty.
    func perform(_ wake: WriterInbox.Wake, _ commands: inout [WriterInbox.Command]) -> Bool {
        switch wake {
        case .work: performBatch(&commands)
        case .deadline: break
        case .closed:
            for journal in journals.values.sorted(by: { $0.trip < $1.trip }) {
                cancelCompaction(of: journal)
                finish(journal)
            }
            compactionThread?.close()
            syncThreads?.close()
            catalogueFailure = nil
            saveCatalogue(syncing: true)
            if isAllSynced {
                // If the file is left unchanged, the next daemon syncs all journals, or assumes a loss.
                do throws(SystemError) { try store.endUnsynced(lineage) } catch {}
            }
            publishStatistics()
            return false
        }
        if let syncDeadline, now() >= syncDeadline { syncUnsynced() }
        publishStatistics()
        return true
    }

    /// True if everything is on disk once all journals are finished.
    private var isAllSynced: Bool {
        broken.isEmpty
            && journals.values.allSatisfy { if case .broken = $0.condition { false } else { !$0.isDirty } }
    }

    private func performBatch(_ commands: inout [WriterInbox.Command]) {
        batch += 1
        reserveNames(commands)
        for command in commands {
            if !late.isEmpty, late[command.trip]?.append(command) != nil { continue }
            guard command.takesLong else {
                perform(command)
                continue
            }
            late[command.trip] = [command]
            lateTrips.append(command.trip)
        }
        commands.removeAll(keepingCapacity: true)
        var rest = touched[...]
        touched = []
        while !rest.isEmpty {
            writeAndSync(rest.prefix(Self.maximumOpenFiles))
            rest = rest.dropFirst(Self.maximumOpenFiles)
        }
        assert(
            journals.values.allSatisfy { $0.unresolvedCount == 0 },
            "every record is resolved once, in its batch")
        if let trip = lateTrips.popFirst() { performLate(of: trip) }
        saveCatalogue(syncing: false)
        inbox.free(resolvedBytes)
        resolvedBytes = 0
        if buffer.capacity > Self.maximumBufferSize { buffer = [] }
    }

    /// Performs a trip's command that takes long, and the later ones that do not, whose records the next batch stores.
    private func performLate(of trip: TripID) {
        var commands = late.removeValue(forKey: trip) ?? []
        repeat {
            guard let command = commands.popFirst() else { return }
            perform(command)
        } while commands.first?.takesLong != true
        late[trip] = commands
        lateTrips.append(trip)
    }

    private func perform(_ command: WriterInbox.Command) {
        resolvedBytes += command.byteCount
        switch command {
        case .append(let records, let trip):
            // Without a journal the trip's creation has failed, or the trip was deleted, which was reported.
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
                if let error = reservationFailure(of: header.tripID) { throw .unchanged(error) }
                let end = try store.create(header, first: first)
                noteCreated(header, first.end)
                attach(header, end: end, baseEnd: 0, checkpoint: first.end, sink: sink)
                statistics.commits += 1
                statistics.bytes += end
                completion(.success(()))
            } catch {
                completion(.failure(error))
            }
        case .delete(let trip, let place, let now, let completion):
            completion(delete(trip, at: place, now))
            store.evictTrash(now: now)
        case .restore(let deleted, let completion):
            do throws(JournalStoreError) {
                if let error = reservationFailure(of: deleted.trip) { throw .unchanged(error) }
                try store.restore(deleted)
                completion(.success(()))
            } catch {
                completion(.failure(error))
            }
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
        case .name: break  // done before the batch's other commands
        case .compact(let trip, let place, let state): compact(trip, at: place, state)
        case .compaction(let result): perform(result)
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
        // A sync of another descriptor of the file could succeed without effect.
        if let reason = broken[header.tripID] { journal.condition = .broken(reason) }
        journals[header.tripID] = journal
    }

    private func delete(
        _ trip: TripID, at place: JournalCheckpoint, _ now: Timestamp
    ) -> Result<Void, JournalStoreError> {
        guard let journal = journals[trip] else { return .failure(.missing) }
        flush(journal)
        // The failure was possibly reported before the trip was closed and opened again, so this caller has not seen it.
        if case .broken(let reason) = journal.condition { return .failure(.unchanged(reason)) }
        // This is the last sync of the journal, which may be restored. A failure is reported for the records before it.
        if journal.isDirty {
            guard journal.file != nil, sync(journal) else { return .failure(.superseded) }
        }
        guard journal.ends(at: place) else { return .failure(.superseded) }
        do throws(JournalStoreError) {
            try store.delete(trip, at: now)
        } catch {
            if case .outcomeUnknown(let reason) = error { markBroken(journal, reason) }
            return .failure(error)
        }
        cancelCompaction(of: journal)
        close(journal)
        journals[trip] = nil
        catalogue?.set(nil, of: trip)
        return .success(())
    }

    /// Writes the pending records of one journal at once.
    func flush(_ journal: ActiveJournal) {
        guard journal.hasWork else { return }
        touched.removeAll { $0 === journal }
        writeAndSync([journal])
    }

    private func publishStatistics() {
        counters.values.withLock { $0 = statistics }
    }

    /// Opens the journal's file, unless it is open.
    ///
    /// - Throws: also if another program has changed the file's size, or if its path leads to another file or
    ///   to none: the next start would not find new records then.
    func openFile(of journal: ActiveJournal) throws(SystemError) -> ActiveJournal.File {
        journal.lastBatch = batch
        // In relaxed durability a power failure could undo the writes until the next sync anyway, so only the first of
        // them looks.
        if durability == .relaxed, journal.isDirty, let known = journal.file { return known }
        let file: ActiveJournal.File
        if let known = journal.file {
            file = known
        } else {
            file = try ActiveJournal.File(journal.path, in: store.fileSystem)
        }
        // One call for both checks: the size at the path is that of the open file if they are the same file.
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

/// A trip's data in the catalogue besides its position.
package struct TripContent: Equatable, Sendable {
    /// The trip's header.
    package let header: TripHeader
    /// The number of items.
    package let itemCount: Int

    package init(header: TripHeader, itemCount: Int) {
        self.header = header
        self.itemCount = itemCount
    }
}

extension WriterLoop {
    /// Records all names of a batch before its other commands, with one sync for the new names.
    ///
    /// Their order is preserved: the release of a slug precedes its reservation by another trip.
    func reserveNames(_ commands: [WriterInbox.Command]) {
        catalogueFailure = nil
        guard commands.contains(where: { $0.changesNames }), catalogue != nil else { return }
        // A reservation of a slug must not be on disk before the journal with its release.
        if durability == .relaxed {
            let due = syncDeadline
            syncUnsynced()
            // Later writes of this batch keep their deadline.
            syncDeadline = due
        }
        var changesNames = false
        for case .name(let trip, let slugs) in commands {
            let known = catalogue?.entries[trip]
            if !slugs.isSubset(of: known?.slugs ?? []) {
                unreserved.insert(trip)
                changesNames = true
            } else if let known, slugs.isStrictSubset(of: known.slugs) {
                // A released slug was either on disk before, or its reservation failed and was rolled back.
                unreserved.remove(trip)
            }
            var entry = known ?? CatalogueEntry(slugs: slugs)
            entry.slugs = slugs
            catalogue?.set(slugs.isEmpty ? nil : entry, of: trip)
        }
        if changesNames { syncReservations() }
    }

    /// The reason why nothing of a trip may be written now: its slugs cannot be stored.
    func reservationFailure(of trip: TripID) -> SystemError? {
        guard unreserved.contains(trip) else { return nil }
        if catalogueFailure == nil { syncReservations() }
        return catalogueFailure
    }

    private func syncReservations() {
        do throws(SystemError) {
            try catalogue?.sync()
            unreserved.removeAll()
        } catch {
            catalogueFailure = error
        }
    }

    /// Records the position of a created trip, which is on disk.
    func noteCreated(_ header: JournalHeader, _ checkpoint: JournalCheckpoint) {
        guard var entry = catalogue?.entries[header.tripID] else { return }
        entry.place = JournalPlace(epoch: header.epoch, checkpoint: checkpoint)
        catalogue?.set(entry, of: header.tripID)
    }

    /// Records the new epoch of a repaired journal, whatever happens to its copy.
    func noteRepaired(_ journal: OpenedJournal) {
        guard var entry = catalogue?.entries[journal.header.tripID] else { return }
        entry.place = JournalPlace(epoch: journal.header.epoch, checkpoint: journal.checkpoint)
        entry.summary = nil
        catalogue?.set(entry, of: journal.header.tripID)
    }

    /// Records the data of a closed trip. Its slugs are merged, because another one may have been reserved since.
    func noteRead(_ trip: TripID, _ read: CatalogueEntry) {
        var entry = read
        if let known = catalogue?.entries[trip] { entry.slugs.formUnion(known.slugs) }
        catalogue?.set(entry, of: trip)
    }

    /// Records the end of a closed journal, which is on disk.
    func noteClosed(_ journal: ActiveJournal, _ content: TripContent?) {
        if case .broken = journal.condition { return }
        guard let content, var entry = catalogue?.entries[journal.trip] else { return }
        entry.place = JournalPlace(epoch: journal.header.epoch, checkpoint: journal.checkpoint)
        entry.summary = nil
        if let stamp = try? store.stamp(of: journal.trip) {
            entry.summary = TripDigest(
                header: content.header, version: journal.checkpoint.version, itemCount: content.itemCount,
                stamp: stamp)
        }
        catalogue?.set(entry, of: journal.trip)
    }

    /// Writes the catalogue. A failure only delays hints. It is not retried until a name must be stored or
    /// the daemon ends, because each attempt on a full disk would use the space that the trips need.
    func saveCatalogue(syncing: Bool) {
        if catalogueFailure != nil || (!syncing && catalogue?.isBehind == true) { return }
        do throws(SystemError) {
            if syncing { try catalogue?.sync() } else { try catalogue?.write() }
        } catch {}
    }
}

extension WriterInbox.Command {
    /// True if a trip may have other names after it.
    fileprivate var changesNames: Bool {
        switch self {
        case .create, .restore, .name: true
        case .append, .attach, .delete, .detach, .note, .compact, .compaction: false
        }
    }
}
