import LocalSystem
import Synchronization
import TripJournal
import TripModel
import TripProtocol

/// The journals as the trips see them: chains and encodes what they decide, and brings word back to the loop.
final class JournalStorage: TripStorage {
    private let writer: JournalWriter
    private let loader: TripLoader
    /// Where trips are read: not on the writer's thread, whose commits would wait for it.
    private let reading: WorkQueue
    private let loop: EventLoop
    /// The lock is hardly ever contended: all but `attach` is on the loop.
    private let journals = Guarded(Journals())
    private let journalNumber = Atomic(0)
    private let server = Guarded<Server?>(nil)

    private struct Journals {
        /// Those that can be written to.
        var ledgers: [TripID: JournalLedger] = [:]
        /// What this round of the loop has appended: handed over at its end, with one wake of the writer.
        var appended: [(records: EncodedRecords, trip: TripID)] = []
    }

    init(writer: JournalWriter, loader: TripLoader, reading: WorkQueue, loop: EventLoop) {
        self.writer = writer
        self.loader = loader
        self.reading = reading
        self.loop = loop
    }

    /// Sends word to a server from now on.
    func report(to server: Server?) { self.server.withLock { $0 = server } }

    /// Reads nothing any more. Blocks until what is being read is read.
    func close() { reading.close() }

    func freshEpoch() -> String { loader.lineage.told(ItemID.random().description) }

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

    func look(at trips: [TripID: CatalogueEntry]) {
        reading.add { [weak self] in
            guard let self else { return }
            var looks: [TripID: TripLook] = [:]
            for (trip, known) in trips {
                let look = loader.look(at: trip, known)
                if case .read(let entry) = look { writer.note(trip, entry) }
                looks[trip] = look
            }
            let found = looks
            onServer { $0.looked(found) }
        }
    }

    func name(_ trip: TripID, _ slugs: Set<String>) { writer.name(trip, slugs) }

    func close(_ trip: TripID, _ content: TripContent) {
        let ledger = journals.withLock { $0.ledgers.removeValue(forKey: trip) }
        assert(ledger?.isSettled != false, "a trip with something in flight is not closed")
        writer.detach(trip, content) { [weak self] known in
            self?.onServer { $0.closed(trip, known) }
        }
    }

    func compact(_ state: TripSnapshot) {
        let trip = state.trip.header.id
        // The state rests on what this round has appended.
        handOver()
        let place = journals.withLock { $0.ledgers[trip]?.place }
        guard let place, place.version == state.trip.version else { return }
        writer.compact(trip, at: place) { () throws(CompactionFailure) in
            do throws(RecordFailure) { return try state.encoded() } catch { throw .damaged(error.message) }
        }
    }

    /// Goes on with a journal that has been read.
    private func attach(_ journal: OpenedJournal) {
        let trip = journal.header.tripID
        let ledger = JournalLedger(number: nextNumber(), JournalEncoder(resuming: journal.checkpoint))
        journals.withLock { $0.ledgers[trip] = ledger }
        writer.attach(journal, sink: sink(for: trip, ledger.number))
    }

    private func nextNumber() -> Int { journalNumber.wrappingAdd(1, ordering: .relaxed).newValue }

    /// How many journals can be written to.
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
        case .create(let version, let payload):
            let header = JournalHeader(tripID: trip, epoch: loader.lineage.written(epoch))
            var ledger = JournalLedger(number: nextNumber(), JournalEncoder(header: header))
            let first = ledger.record(version, payload)
            let number = ledger.number
            // What an earlier trip of this id has appended comes first.
            handOver()
            journals.withLock { [ledger] in $0.ledgers[trip] = ledger }
            writer.create(header, first: first, sink: sink(for: trip, number)) { [weak self] result in
                self?.created(trip, number, version, result)
            }
        case .append(let version, let payload):
            let isFirst = journals.withLock { journals -> Bool? in
                let isFirst = journals.appended.isEmpty
                let taken: Void? = journals.ledgers[trip]?.append(
                    version, payload, of: trip, to: &journals.appended)
                return taken.map { isFirst }
            }
            guard let isFirst else {
                if PlantedBug.deletionAfterFailure.isPlanted { return }
                return fail(trip, "it has no journal")
            }
            if isFirst { loop.atEndOfRound { [weak self] in self?.handOver() } }
        case .delete(let version):
            handOver()
            guard let ledger = journals.withLock({ $0.ledgers[trip] }) else {
                return fail(trip, "it has no journal")
            }
            writer.delete(trip, at: ledger.place) { [weak self] result in
                self?.deleted(trip, ledger.number, version, result)
            }
        }
    }

    private func handOver() {
        let round = journals.withLock { journals in
            defer { journals.appended = [] }
            return journals.appended
        }
        if round.isEmpty || writer.append(round) { return }
        for trip in Set(round.map(\.trip)).sorted() { fail(trip, "the journals are closed") }
    }

    /// A request that could not be handed over is answered all the same, with everything else in flight.
    private func fail(_ trip: TripID, _ reason: String) {
        onServer {
            $0.failed(trip, .storageFailed, "a change could not be stored: \(reason)", isForGood: true)
        }
    }

    // MARK: What became of it

    private func sink(for trip: TripID, _ number: Int) -> JournalWriter.Sink {
        { [weak self] event in
            self?.onServer { [weak self] server in
                guard let self, settle(trip, number, event) else { return }
                switch event {
                case .grown: server.journalHasGrown(of: trip)
                case .durable(let version): server.stored(trip, upTo: version)
                case .failed(.full(let error, _)):
                    // Nothing was written; it may also be that no descriptor was left.
                    let reason: ErrorReason = error.isOutOfRoom ? .storageFull : .storageFailed
                    server.failed(trip, reason, "a change could not be stored, and is taken back: \(error)")
                case .failed(.outcomeUnknown(let error, _)):
                    server.failed(
                        trip, .outcomeUnknown,
                        "the disk failed and nobody knows what it kept: \(error); restart the daemon")
                case .failed(.readOnly(let error)):
                    server.failed(
                        trip, .storageFailed, "the disk has failed: \(error); restart the daemon",
                        isForGood: true)
                }
            }
        }
    }

    /// Notes an event of a journal; false where it is of an earlier journal of the trip.
    private func settle(_ trip: TripID, _ number: Int, _ event: JournalEvent) -> Bool {
        journals.withLock { journals in
            guard journals.ledgers[trip]?.number == number else { return false }
            journals.ledgers[trip]?.settle(event)
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
                _ = settle(trip, number, .durable(upTo: version))
                server.stored(trip, upTo: version)
            case .failure(let error):
                // What was appended behind it has come to nothing with it.
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
                assert(
                    ledger?.isSettled != false || PlantedBug.deletionAfterFailure.isPlanted,
                    "what was appended before a deletion is told of first")
                server.stored(trip, upTo: version)
            // The deletion was answered with the failure of what it rests on, which was told before.
            case .failure(.superseded): break
            case .failure(let error): server.failed(trip, error.reason, "\(error)")
            }
        }
    }

    /// Enters the server on the loop, in the order of these calls.
    private func onServer(_ body: @escaping @Sendable (isolated Server) -> Void) {
        guard let server = server.withLock({ $0 }) else { return }
        loop.execute { server.enter(body) }
    }
}

extension JournalStoreError {
    /// What a request is answered that failed with it.
    fileprivate var reason: ErrorReason {
        switch self {
        case .unchanged(let error) where error.isOutOfRoom: .storageFull
        case .outcomeUnknown: .outcomeUnknown
        case .unchanged, .exists, .missing, .superseded, .closed: .storageFailed
        }
    }
}
