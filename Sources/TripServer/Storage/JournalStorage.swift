import LocalSystem
import Synchronization
import TripJournal
import TripModel
import TripProtocol

/// The loop's access to the journals: encodes the trips' records, and reports results back to the loop.
final class JournalStorage: TripStorage {
    private let writer: JournalWriter
    private let loader: TripLoader
    /// Reads trips on a separate thread, so that reads do not delay commits.
    private let reading: WorkQueue
    private let loop: EventLoop
    /// Milliseconds since 1970.
    private let wallClock: @Sendable () -> Int64
    /// The lock is hardly ever contended: all but `attach` is on the loop.
    private let journals = Guarded(Journals())
    private let journalNumber = Atomic(0)
    private let server = Guarded<Server?>(nil)
    /// The deleted trips that were there when they were last asked for, so that each journal is read once.
    private let trash = Guarded<[DeletedDirectory: TrashedTrip]>([:])

    private struct Journals {
        /// The ledgers of the open journals.
        var ledgers: [TripID: JournalLedger] = [:]
        /// The records of this loop iteration, passed to the writer together at its end.
        var appended: [(records: EncodedRecords, trip: TripID)] = []
        /// The reports of the records that the loop is writing at the end of its iteration; nil at other times.
        var reports: [StorageReport]?
        /// The number of reports that wait for the loop.
        var queuedReports = 0
    }

    init(
        writer: JournalWriter, loader: TripLoader, reading: WorkQueue, loop: EventLoop,
        wallClock: @escaping @Sendable () -> Int64
    ) {
        self.wallClock = wallClock
        self.writer = writer
        self.loader = loader
        self.reading = reading
        self.loop = loop
    }

    /// Sets the server that receives the reports.
    func report(to server: Server?) { self.server.withLock { $0 = server } }

    /// Stops reading. Blocks until the current read is finished.
    func close() { reading.close() }

    func encoder(ofNew trip: TripID, epoch: String) -> JournalEncoder {
        JournalEncoder(header: header(ofNew: trip, epoch))
    }

    private func header(ofNew trip: TripID, _ epoch: String) -> JournalHeader {
        JournalHeader(tripID: trip, epoch: loader.lineage.journalEpoch(for: epoch))
    }

    func encoder(of trip: TripID) -> JournalEncoder? { journals.withLock { $0.ledgers[trip]?.encoder } }

    func freshEpoch() -> String { loader.lineage.clientEpoch(for: loader.random.epoch()) }

    // MARK: Opening and closing

    func open(_ trip: TripID, _ known: CatalogueEntry) {
        reading.add { [weak self] in
            guard let self else { return }
            switch loader.load(trip, known) {
            case .loaded(let core, let journal, let origin):
                attach(journal)
                onServer { $0.opened(core, origin: origin) }
            case .quarantined(let error, let header): onServer { $0.quarantined(trip, error, header) }
            case .unreadable(let error): onServer { $0.notOpened(trip, error) }
            }
        }
    }

    func examine(_ trips: [TripID: CatalogueEntry]) {
        reading.add { [weak self] in
            guard let self else { return }
            var results: [TripID: TripExamination] = [:]
            for (trip, known) in trips {
                let result = loader.examine(trip, known)
                if case .read(let entry) = result { writer.note(trip, entry) }
                results[trip] = result
            }
            let found = results
            onServer { $0.examined(found) }
        }
    }

    func name(_ trip: TripID, _ slugs: Set<String>) { writer.name(trip, slugs) }

    func close(_ trip: TripID, _ content: TripContent) {
        let ledger = journals.withLock { $0.ledgers.removeValue(forKey: trip) }
        assert(ledger?.isResolved != false, "a trip with something in flight is not closed")
        writer.detach(trip, content) { [weak self] known in
            self?.onServer { $0.closed(trip, known) }
        }
    }

    func readTrash(_ report: @escaping TrashReader) {
        reading.add(for: .many) { [weak self] in
            guard let self else { return }
            do throws(SystemError) {
                let directories = try trashNow()
                let present = Set(directories)
                trash.withLock { known in known = known.filter { present.contains($0.key) } }
                readTrash(directories, from: 0, report)
            } catch { onServer { [error] in report($0, .failure(error)) } }
        }
    }

    /// The deleted trips that can be restored; of several with one id the last. Blocks on the disk.
    private func trashNow() throws(SystemError) -> [DeletedDirectory] {
        let oldest = wallClock() - WireLimits.trashMilliseconds
        var ids: Set<TripID> = []
        return try loader.store.listTrash().filter {
            $0.deletedAt.milliseconds >= oldest && ids.insert($0.trip).inserted
        }
    }

    /// Reads deleted trips, each in a job of its own, so that an opening waits for at most one of them.
    private func readTrash(
        _ directories: [DeletedDirectory], from start: Int, _ report: @escaping TrashReader
    ) {
        let known = trash.withLock { $0 }
        guard let next = directories[start...].firstIndex(where: { known[$0] == nil }) else {
            return onServer { report($0, .success(directories.compactMap { known[$0] })) }
        }
        if let trip = loader.read(directories[next]) { trash.withLock { $0[directories[next]] = trip } }
        reading.add(for: .many) { [weak self] in self?.readTrash(directories, from: next + 1, report) }
    }

    func restore(_ deleted: TrashedTrip, as slug: String) {
        let id = deleted.header.id
        name(id, [slug])
        reading.add { [weak self] in
            guard let self else { return }
            do throws(SystemError) {
                if slug != deleted.header.slug { try loader.rename(deleted, to: slug) }
            } catch {
                return onServer { $0.restored(id, as: slug, .failure(.unchanged(error))) }
            }
            writer.restore(DeletedDirectory(deleted)) { [weak self] result in
                self?.onServer { $0.restored(id, as: slug, result) }
            }
        }
    }

    func compact(_ state: TripSnapshot) {
        let trip = state.trip.header.id
        // The state includes the records of this loop iteration.
        passToWriter()
        let place = journals.withLock { $0.ledgers[trip]?.place }
        guard let place, place.version == state.trip.version else { return }
        writer.compact(trip, at: place) { () throws(CompactionFailure) in
            do throws(RecordFailure) { return try state.encoded() } catch { throw .damaged(error.message) }
        }
    }

    /// Continues a journal that was read.
    private func attach(_ journal: OpenedJournal) {
        let trip = journal.header.tripID
        let ledger = JournalLedger(number: nextNumber(), JournalEncoder(resuming: journal.checkpoint))
        journals.withLock { $0.ledgers[trip] = ledger }
        writer.attach(journal, sink: sink(for: trip, ledger.number))
    }

    private func nextNumber() -> Int { journalNumber.wrappingAdd(1, ordering: .relaxed).newValue }

    /// The number of open journals.
    var journalCount: Int { journals.withLock { $0.ledgers.count } }

    var statistics: StorageStatistics {
        let counted = writer.statistics
        return StorageStatistics(
            commits: counted.commits, syncs: counted.syncs,
            syncMicroseconds: Int(counted.syncNanoseconds / 1000), compactions: counted.compactions,
            lastCompactionAt: counted.lastCompaction.map(Timestamp.init(milliseconds:)))
    }

    func perform(_ request: StorageRequest, of trip: TripID, epoch: String) {
        switch request {
        case .create:
            guard case .createEncoded(let first) = request.encoded(by: encoder(ofNew: trip, epoch: epoch))
            else {
                preconditionFailure("a draft stays under the journal's limit")
            }
            create(trip, epoch, first)
        case .createEncoded(let first): create(trip, epoch, first)
        case .append(let version, let payload):
            append(to: trip) { $0?.append(version, payload, of: trip, to: &$1) }
        case .appendEncoded(let records):
            append(to: trip) { ledger, batch in
                if ledger?.accept(records) == nil { return nil }
                batch.append((records, trip))
                return ()
            }
        case .delete(let version):
            passToWriter()
            guard let ledger = journals.withLock({ $0.ledgers[trip] }) else {
                return fail(trip, "it has no journal")
            }
            let now = Timestamp(milliseconds: wallClock())
            writer.delete(trip, at: ledger.place, now: now) { [weak self] result in
                self?.deleted(trip, ledger.number, version, result)
            }
        }
    }

    private func create(_ trip: TripID, _ epoch: String, _ first: EncodedRecords) {
        let header = header(ofNew: trip, epoch)
        var ledger = JournalLedger(number: nextNumber(), JournalEncoder(header: header))
        ledger.accept(first)
        let number = ledger.number
        // The records of an earlier trip with this id come first.
        passToWriter()
        journals.withLock { [ledger] in $0.ledgers[trip] = ledger }
        writer.create(header, first: first, sink: sink(for: trip, number)) { [weak self] result in
            self?.created(trip, number, first.end.version, result)
        }
    }

    /// Adds records to the batch that is passed to the writer at the end of the iteration.
    private func append(
        to trip: TripID,
        _ add: (inout JournalLedger?, inout [(records: EncodedRecords, trip: TripID)]) -> Void?
    ) {
        let added: Void? = journals.withLock { add(&$0.ledgers[trip], &$0.appended) }
        if added == nil { fail(trip, "it has no journal") }
    }

    func handOver() -> [StorageReport] {
        let hasRecords = journals.withLock { journals in
            if !journals.appended.isEmpty { journals.reports = [] }
            return journals.reports != nil
        }
        guard hasRecords else { return [] }
        passToWriter()
        return journals.withLock { journals in
            defer { journals.reports = nil }
            return journals.reports ?? []
        }
    }

    private func passToWriter() {
        let batch = journals.withLock { journals in
            defer { journals.appended = [] }
            return journals.appended
        }
        if batch.isEmpty || writer.append(batch) { return }
        for trip in Set(batch.map(\.trip)).sorted() { fail(trip, "the journals are closed") }
    }

    /// Answers a request that could not be passed to the writer, and everything else in flight, with an error.
    private func fail(_ trip: TripID, _ reason: String) {
        onServer {
            $0.failed(trip, .storageFailed, "a change could not be stored: \(reason)", isForGood: true)
        }
    }

    // MARK: Results

    private func sink(for trip: TripID, _ number: Int) -> JournalWriter.Sink {
        { [weak self] event in
            self?.onServer { [weak self] server in
                guard let self, resolve(trip, number, event) else { return }
                switch event {
                case .grown: server.journalHasGrown(of: trip)
                case .durable(let version): server.stored(trip, upTo: version)
                case .failed(.full(let error, _)):
                    // Nothing was written. The cause may also be a lack of descriptors.
                    let reason: ErrorReason = error.isOutOfRoom ? .storageFull : .storageFailed
                    server.failed(trip, reason, "a change could not be stored and is rolled back: \(error)")
                case .failed(.outcomeUnknown(let error, _)):
                    server.failed(
                        trip, .outcomeUnknown,
                        "the disk failed, so the stored changes are unknown: \(error); restart the daemon")
                case .failed(.readOnly(let error)):
                    server.failed(
                        trip, .storageFailed, "the disk has failed: \(error); restart the daemon",
                        isForGood: true)
                }
            }
        }
    }

    /// Records an event of a journal; false if it belongs to an earlier journal of the trip.
    private func resolve(_ trip: TripID, _ number: Int, _ event: JournalEvent) -> Bool {
        journals.withLock { journals in
            guard journals.ledgers[trip]?.number == number else { return false }
            journals.ledgers[trip]?.resolve(event)
            return true
        }
    }

    private func created(
        _ trip: TripID, _ number: Int, _ version: Int, _ result: Result<Void, JournalStoreError>
    ) {
        onServer { [weak self] server in
            guard let self, journals.withLock({ $0.ledgers[trip]?.number }) == number else { return }
            switch result {
            case .success:
                _ = resolve(trip, number, .durable(upTo: version))
                server.stored(trip, upTo: version)
            case .failure(let error):
                // All later records fail with it.
                journals.withLock { $0.ledgers[trip] = nil }
                server.failed(trip, error.reason, "\(error)")
            }
        }
    }

    private func deleted(
        _ trip: TripID, _ number: Int, _ version: Int, _ result: Result<Void, JournalStoreError>
    ) {
        onServer { [weak self] server in
            guard let self, journals.withLock({ $0.ledgers[trip]?.number }) == number else { return }
            switch result {
            case .success:
                let ledger = journals.withLock { $0.ledgers.removeValue(forKey: trip) }
                assert(ledger?.isResolved != false, "records before a deletion are reported before it")
                server.stored(trip, upTo: version)
            // The failure that it depends on was reported before, and has answered the deletion.
            case .failure(.superseded): break
            case .failure(let error): server.failed(trip, error.reason, "\(error)")
            }
        }
    }

    /// Runs a closure on the server on the loop, in the order of these calls.
    private func onServer(_ body: @escaping StorageReport) {
        guard let server = server.withLock({ $0 }) else { return }
        let isCurrent = loop.isCurrent
        let isQueued = journals.withLock { journals in
            if isCurrent, journals.queuedReports == 0, journals.reports?.append(body) != nil { return false }
            journals.queuedReports += 1
            return true
        }
        guard isQueued else { return }
        loop.execute { [weak self] in
            self?.journals.withLock { $0.queuedReports -= 1 }
            server.enter(body)
        }
    }
}

extension JournalStoreError {
    /// The error for a request that failed because of it.
    var reason: ErrorReason {
        switch self {
        case .unchanged(let error) where error.isOutOfRoom: .storageFull
        case .outcomeUnknown: .outcomeUnknown
        case .unchanged, .exists, .missing, .superseded, .closed: .storageFailed
        }
    }
}

extension CompactionPlan {
    /// The compaction of trips' journals.
    package static func ofTrips(floor: Int = 4 << 20, log: @escaping @Sendable (LogLine) -> Void) -> Self {
        CompactionPlan(
            floor: floor, summarize: summarize,
            report: { report in
                switch report {
                case .compacted(let trip, from: let old, to: let new):
                    log(.info("trip \(trip): its journal is compacted, from \(old) to \(new) bytes"))
                case .failed(let trip, let failure):
                    log(.warning("trip \(trip): its journal is not compacted for now: \(failure)"))
                }
            })
    }

    /// The state at the end of a journal.
    package static func summarize(_ journal: OpenedJournal) throws(CompactionFailure) -> JournalSnapshot {
        let snapshot: TripSnapshot
        do throws(ReplayFailure) { snapshot = try TripReplay(journal).snapshot } catch {
            throw .damaged("version \(error.version) is invalid: \(error.message)")
        }
        do throws(RecordFailure) { return try snapshot.encoded() } catch { throw .damaged(error.message) }
    }
}

/// The loop's view of one journal: its position, and the records in flight.
///
/// Every record is resolved once: it becomes durable, or it fails together with all later ones. Records are
/// resolved in order, so two versions describe the records in flight.
struct JournalLedger {
    /// Distinguishes this journal from others of the same trip.
    let number: Int
    private(set) var encoder: JournalEncoder
    /// All records up to this version are resolved.
    private var resolvedVersion: Int

    /// A ledger of the journal that `encoder` continues.
    init(number: Int, _ encoder: JournalEncoder) {
        self.number = number
        self.encoder = encoder
        resolvedVersion = encoder.checkpoint.version
    }

    /// The position after the last record in flight.
    var place: JournalCheckpoint { encoder.checkpoint }

    /// True if nothing is in flight.
    var isResolved: Bool { resolvedVersion == place.version }

    /// Encodes a single record.
    mutating func record(_ version: Int, _ payload: [UInt8]) -> EncodedRecords {
        Self.small { () throws(JournalPayloadTooLarge) in
            try encoder.encode(version: version, payload: payload)
        }
    }

    /// Encodes a record into the current batch, and appends it to the previous one if that is of the same trip.
    mutating func append(
        _ version: Int, _ payload: [UInt8], of trip: TripID,
        to batch: inout [(records: EncodedRecords, trip: TripID)]
    ) {
        let last = batch.count - 1
        // After a failure the journal continues at another position; records encoded for the old one are dropped.
        if last >= 0, batch[last].trip == trip, batch[last].records.end == place {
            Self.small { () throws(JournalPayloadTooLarge) in
                try encoder.encode(version: version, payload: payload, behind: &batch[last].records)
            }
        } else {
            batch.append((record(version, payload), trip))
        }
    }

    /// Continues after records that were encoded for this position.
    mutating func accept(_ records: EncodedRecords) {
        precondition(records.base == place, "a trip appends nothing while a worker changes it")
        encoder = JournalEncoder(resuming: records.end)
    }

    private static func small<Made>(_ encode: () throws(JournalPayloadTooLarge) -> Made) -> Made {
        do throws(JournalPayloadTooLarge) { return try encode() } catch {
            // `TripCore` refuses changes that could be larger.
            preconditionFailure(
                "a commit stays under the journal's \(error.maximum) bytes, not \(error.count)")
        }
    }

    /// Resolves records.
    mutating func resolve(_ event: JournalEvent) {
        switch event {
        case .grown: break
        case .durable(let version):
            assert(version > resolvedVersion && version <= place.version, "a record is resolved once")
            resolvedVersion = version
        case .failed(.full(_, let checkpoint)):
            // The checksum chain continues at the end of the file.
            encoder = JournalEncoder(resuming: checkpoint)
            resolvedVersion = checkpoint.version
        case .failed(.outcomeUnknown), .failed(.readOnly):
            resolvedVersion = place.version
        }
    }
}
