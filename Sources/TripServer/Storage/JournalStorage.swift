import LocalSystem
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
    /// Used on the loop's thread only; the lock is for the compiler, and never contended.
    private let encoders = Guarded<[TripID: JournalEncoder]>([:])
    private let server = Guarded<Server?>(nil)
    /// What this round of the loop has appended: handed over at its end, with one wake of the writer.
    private let appended = Guarded<[(record: EncodedRecord, trip: TripID)]>([])

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

    // MARK: Opening and closing

    func open(_ trip: TripID, _ known: CatalogueEntry) {
        reading.add { [weak self] in
            guard let self else { return }
            switch loader.load(trip, known) {
            case .loaded(let core, let journal, let origin):
                attach(journal)
                tell { $0.opened(core, origin: origin) }
            case .quarantined(let error, let header): tell { $0.quarantined(trip, error, header) }
            case .unreadable(let error): tell { $0.notOpened(trip, error) }
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
            tell { $0.looked(found) }
        }
    }

    func name(_ trip: TripID, _ slugs: Set<String>) { writer.name(trip, slugs) }

    func close(_ trip: TripID, _ content: TripContent) {
        encoders.withLock { $0[trip] = nil }
        writer.detach(trip, content) { [weak self] known in
            self?.tell { $0.closed(trip, known) }
        }
    }

    /// Goes on with a journal that has been read.
    private func attach(_ journal: OpenedJournal) {
        let trip = journal.header.tripID
        encoders.withLock { $0[trip] = JournalEncoder(resuming: journal.checkpoint) }
        writer.attach(journal, sink: sink(for: trip))
    }

    /// How many journals can be written to.
    var journalCount: Int { encoders.withLock { $0.count } }

    var statistics: StorageStatistics {
        let counted = writer.statistics
        return StorageStatistics(
            commits: counted.commits, syncs: counted.syncs,
            syncMicroseconds: Int(counted.syncNanoseconds / 1000), compactions: counted.compactions)
    }

    func perform(_ request: StorageRequest, of trip: TripID, epoch: String) {
        switch request {
        case .create(let version, let payload):
            let header = JournalHeader(tripID: trip, epoch: epoch)
            var encoder = JournalEncoder(header: header)
            let first = encode(&encoder, version, payload)
            encoders.withLock { $0[trip] = encoder }
            writer.create(header, first: first, sink: sink(for: trip)) { [weak self] result in
                self?.settle(trip, version, isDeletion: false, result)
            }
        case .append(let version, let payload):
            let record = encoders.withLock { encoders -> EncodedRecord? in
                guard var encoder = encoders[trip] else { return nil }
                defer { encoders[trip] = encoder }
                return encode(&encoder, version, payload)
            }
            if let record { collect(record, of: trip) }
        case .delete(let version):
            handOver()
            writer.delete(trip) { [weak self] result in
                self?.settle(trip, version, isDeletion: true, result)
            }
        }
    }

    private func collect(_ record: EncodedRecord, of trip: TripID) {
        let isFirst = appended.withLock { appended in
            appended.append((record, trip))
            return appended.count == 1
        }
        if isFirst { loop.atEndOfRound { [weak self] in self?.handOver() } }
    }

    private func handOver() {
        let records = appended.withLock { appended in
            defer { appended = [] }
            return appended
        }
        if !records.isEmpty { writer.append(records) }
    }

    private func encode(
        _ encoder: inout JournalEncoder, _ version: Int, _ payload: [UInt8]
    ) -> EncodedRecord {
        do throws(JournalPayloadTooLarge) {
            return try encoder.encode(version: version, payload: payload)
        } catch {
            preconditionFailure("a request's limits keep a commit under the journal's \(error.maximum) bytes")
        }
    }

    private func sink(for trip: TripID) -> JournalWriter.Sink {
        { [weak self] event in
            switch event {
            case .durable(let version): self?.tell { $0.stored(trip, upTo: version) }
            case .failed(.full(let error, let checkpoint)):
                self?.tell { [weak self] server in
                    // The chain goes on where the file ends.
                    self?.encoders.withLock { $0[trip] = JournalEncoder(resuming: checkpoint) }
                    // Nothing was written; it may also be that no descriptor was left.
                    let reason: ErrorReason = error.isOutOfRoom ? .storageFull : .storageFailed
                    server.failed(trip, reason, "a change could not be stored, and is taken back: \(error)")
                }
            case .failed(.outcomeUnknown(let error, _)):
                self?.tell {
                    $0.failed(
                        trip, .outcomeUnknown,
                        "the disk failed and nobody knows what it kept: \(error); restart the daemon")
                }
            case .failed(.readOnly(let error)):
                self?.tell {
                    $0.failed(
                        trip, .storageFailed, "the disk has failed: \(error); restart the daemon",
                        isForGood: true)
                }
            }
        }
    }

    private func settle(
        _ trip: TripID, _ version: Int, isDeletion: Bool, _ result: Result<Void, JournalStoreError>
    ) {
        switch result {
        case .success:
            tell { [weak self] server in
                if isDeletion { self?.encoders.withLock { $0[trip] = nil } }
                server.stored(trip, upTo: version)
            }
        case .failure(let error):
            let reason: ErrorReason
            switch error {
            case .unchanged(let error) where error.isOutOfRoom: reason = .storageFull
            case .outcomeUnknown: reason = .outcomeUnknown
            case .unchanged, .exists, .missing, .closed: reason = .storageFailed
            }
            tell { [weak self] server in
                // What could not be made is gone; what could not be deleted goes on.
                if !isDeletion { self?.encoders.withLock { $0[trip] = nil } }
                server.failed(trip, reason, "\(error)")
            }
        }
    }

    /// Enters the server on the loop, in the order of these calls.
    private func tell(_ body: @escaping @Sendable (isolated Server) -> Void) {
        guard let server = server.withLock({ $0 }) else { return }
        loop.execute { server.assumeIsolated(body) }
    }
}
