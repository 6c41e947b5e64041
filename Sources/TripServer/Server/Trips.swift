import LocalSystem
import TripJournal
import TripModel
import TripProtocol

/// The result of examining a closed trip on the reading thread.
enum TripExamination: Sendable {
    /// The catalogue entry is up to date.
    case same
    case read(CatalogueEntry)
    case quarantined(WireError, TripHeader?)
    /// The system failed. Contains the slug from the journal if the catalogue has none.
    case unreadable(WireError, slug: String?)
}

/// Trips are opened off the loop on their first request, and closed when they are idle.
extension Server {
    /// Registers the trips on disk, all of them closed.
    func register(_ inventory: TripInventory) {
        for (id, closed) in inventory.closed { directory.add(id, .closed(closed), slugs: closed.known.slugs) }
        // Last, so that a damaged trip does not take the slug of a healthy one.
        for (id, damaged) in inventory.quarantined {
            directory.add(id, .quarantined(damaged.error, damaged.header), slugs: damaged.slugs)
        }
    }

    func servedTrip(_ id: TripID) -> TripActor? {
        guard case .served(let actor)? = directory[id] else { return nil }
        return actor
    }

    // MARK: Events

    /// Applies an event to an open trip, or queues it while a worker has the trip.
    func deliver(_ event: TripEvent, to trip: TripID, at moment: Duration? = nil) {
        let moment = moment ?? loop.now
        if offload.queue(event, of: trip, at: moment) { return }
        if let actor = servedTrip(trip) { carryOut(actor.step { $0.handle(event, now: moment) }, of: trip) }
    }

    /// Keeps one timer per trip, for its next deadline.
    func schedule(_ trip: TripID, at deadline: Duration?) {
        guard directory.needsTimer(trip, at: deadline) else { return }
        let timer = deadline.map { deadline in
            let timer = loop.schedule(after: max(.zero, deadline - loop.now)) { [self] in
                enter { server in
                    _ = server.directory.setTimer(nil, of: trip)
                    server.deliver(.tick, to: trip)
                }
            }
            return (deadline, timer)
        }
        if let old = directory.setTimer(timer, of: trip) { loop.cancel(old) }
    }

    // MARK: Results of the journal

    /// The journal has stored everything up to a version. On the loop.
    func stored(_ trip: TripID, upTo version: Int) { deliver(.stored(upTo: version), to: trip) }

    /// The journal could not store the changes in flight. On the loop.
    func failed(_ trip: TripID, _ reason: ErrorReason, _ message: String, isForGood: Bool = false) {
        configuration.log(.warning("trip \(trip): \(message)"))
        deliver(.failed(reason, message, isForGood: isForGood), to: trip)
    }

    // MARK: Opening

    /// Starts to read a closed trip.
    func open(_ id: TripID) {
        if let known = directory.beginReading(id) { storage.open(id, known) }
    }

    /// Keeps a `trip.list` until all closed trips are confirmed.
    func waitsForSurvey(_ call: Call) -> Bool {
        guard directory.surveys(for: call) else { return false }
        hold(behind: call)
        continueSurvey()
        return true
    }

    /// Examines the next batch of trips for the waiting lists.
    func continueSurvey() {
        switch directory.continueSurvey() {
        case .examine(let batch): storage.examine(batch)
        case .answer(let lists): submit(again: lists)
        case .wait: break
        }
    }

    /// Handles the results of a batch. On the loop.
    func examined(_ results: [TripID: TripExamination]) {
        directory.endExamination()
        for (id, result) in results {
            switch result {
            case .same:
                directory.confirm(id)
                becameFree(id)
            case .read(let entry):
                directory.endBusy(id, .init(known: entry, isConfirmed: true))
                directory.setSlugs(entry.slugs, of: id)
                becameFree(id)
            case .quarantined(let error, let header): quarantined(id, error, header)
            case .unreadable(let error, _):
                // A list without the trip would look as if the trip were gone.
                refuse(all: directory.takeLists(), error)
                notOpened(id, error)
            }
        }
        continueSurvey()
    }

    /// A trip has been read. On the loop.
    func opened(_ core: TripCore, origin: TripDirectory.Origin?) {
        var core = core
        core.room.leases = LeaseTable(length: configuration.leaseTime)
        let (id, slug) = (core.id, core.trip.header.slug)
        if let known = directory.entries[id]?.slugs, known != [slug] { storage.name(id, [slug]) }
        directory.open(
            id, TripActor(core, on: loop, storage: storage, noteStep: configuration.noteStep), slug: slug,
            origin: origin)
        // Not `use`, which could close the trip before its requests run.
        idle.use(id, at: loop.now)
        submit(again: directory.takeWaiting(for: id))
        closeLongestIdle()
        continueSurvey()
    }

    /// A trip could not be read this time. On the loop.
    func notOpened(_ id: TripID, _ error: WireError) {
        configuration.log(.warning("trip \(id) could not be opened: \(error.message)"))
        directory.endBusy(id)
        refuse(all: directory.takeWaiting(for: id), error)
        continueSurvey()
    }

    /// A trip's journal is damaged: every request on it gets an error. On the loop.
    func quarantined(_ id: TripID, _ error: WireError, _ header: TripHeader?) {
        configuration.log(.warning("trip \(id) is not served: \(error.message)"))
        directory.quarantine(id, error, header)
        submit(again: directory.takeWaiting(for: id))
        continueSurvey()
    }

    /// A trip's journal is due for compaction. On the loop.
    func journalHasGrown(of id: TripID) {
        guard let entry = directory.entries[id], let actor = servedTrip(id) else { return }
        storage.compact(actor.read { TripSnapshot(deciding: $0, origin: entry.origin) })
    }

    /// A trip's journal has been closed; `known` is nil if that failed. On the loop.
    func closed(_ id: TripID, _ known: CatalogueEntry?) {
        let slugs = directory.entries[id]?.slugs ?? []
        directory.endBusy(
            id, .init(known: known ?? CatalogueEntry(slugs: slugs), isConfirmed: known?.summary != nil))
        becameFree(id)
        continueSurvey()
    }

    /// A trip is closed and can be opened again, which happens at once if requests wait for it.
    func becameFree(_ id: TripID) {
        if directory.hasWaiting(for: id) { open(id) }
    }

    // MARK: Closing

    /// The maximum number of idle trips closed in one iteration.
    private static let closedAtOnce = 8

    /// Records a use of an open trip.
    func use(_ id: TripID) {
        guard !idle.wasUsedLast(id, at: loop.now), servedTrip(id) != nil else { return }
        idle.use(id, at: loop.now)
        if directory.openCount > configuration.openTrips { closeLongestIdle() }
        scheduleClosing()
    }

    /// Keeps one timer for all trips, for the earliest time at which one may have been idle long enough.
    private func scheduleClosing() {
        guard idle.timer == nil, let first = idle.first else { return }
        let delay = max(.zero, first + configuration.idleTime - loop.now)
        idle.timer = loop.schedule(after: delay) { [self] in
            enter { server in
                server.idle.timer = nil
                server.closeIdle()
            }
        }
    }

    /// Closes idle trips; of many the next ones in the next iteration.
    private func closeIdle() {
        for _ in 0..<Self.closedAtOnce {
            guard let id = idle.next(notUsedAfter: loop.now - configuration.idleTime) else { break }
            _ = closeIfIdle(id)
        }
        scheduleClosing()
        scheduleReturnOfMemory()
    }

    /// Scheduled once for all trips that are closed at about the same time.
    private func scheduleReturnOfMemory() {
        guard !idle.willReturnMemory else { return }
        idle.willReturnMemory = true
        _ = loop.schedule(after: .seconds(2)) { [self] in
            enter { $0.returnMemory() }
        }
    }

    /// Returns free memory to the system. The lines of past commits go first: among a crowd's memory that is free now, each
    /// of them holds a page.
    func returnMemory() {
        idle.willReturnMemory = false
        for case .served(let trip) in directory.entries.values.map(\.state) {
            trip.read { $0.durable.dropLines() }
        }
        configuration.returnMemory()
    }

    /// Closes the least recently used trips above the limit.
    private func closeLongestIdle() {
        for _ in 0..<idle.count where directory.openCount > configuration.openTrips {
            guard let id = idle.next(notUsedAfter: loop.now), closeIfIdle(id) else { break }
        }
        scheduleClosing()
    }

    /// Closes a trip that is idle; one that is in use is examined again after its next use.
    ///
    /// - Returns: false if the trip was put back to the end of the queue.
    private func closeIfIdle(_ id: TripID) -> Bool {
        guard let actor = servedTrip(id), !offload.isBusy(id), actor.read({ $0.isIdle }) else {
            return true
        }
        if connections.values.contains(where: { $0.outbox.lateTrip == id }) {
            // Its state must still be sent, which is not a step of the trip.
            idle.use(id, at: loop.now)
            return false
        }
        close(id, actor)
        return true
    }

    private func close(_ id: TripID, _ actor: TripActor) {
        idle.forget(id)
        schedule(id, at: nil)
        let (content, version) = actor.read { ($0.content, $0.durable.version) }
        // A list uses this summary until the storage reports the file's stamp.
        let summary = TripDigest(
            header: content.header, version: version, itemCount: content.itemCount,
            stamp: JournalStamp(size: 0, number: 0))
        let known = CatalogueEntry(slugs: [content.header.slug], summary: summary)
        directory.beginClosing(id, .init(known: known, isConfirmed: true))
        free(actor)
        storage.close(id, content)
    }

    /// Closes all trips cleanly; the last action of the server.
    func closeAllTrips() {
        for id in directory.entries.keys.sorted() {
            guard let actor = servedTrip(id), actor.read({ $0.isIdle }) else { continue }
            close(id, actor)
        }
    }
}

/// Large trips are freed on a worker: their items take longer than a step of the loop may.
extension Server {
    /// The number of items from which a trip is freed on a worker: about a millisecond of work.
    private static let longFreeing = 1000

    /// Frees a trip that is no longer open.
    func free(_ actor: TripActor) { free(actor, items: actor.read { $0.trip.itemCount }) }

    /// Frees an old copy of a trip. One of the current version shares its storage, which the loop would have to copy for
    /// the next change, so it must be freed at once.
    func free(old copy: TripCore) { free(copy, items: copy.trip.itemCount) }

    private func free(_ value: any Sendable, items: Int) {
        guard items >= Self.longFreeing, let runOnWorker = configuration.runOnWorker else { return }
        let last = Guarded<(any Sendable)?>(value)
        // By then this is the last reference.
        loop.atEndOfIteration { runOnWorker(.many) { last.withLock { $0 = nil } } }
    }
}
