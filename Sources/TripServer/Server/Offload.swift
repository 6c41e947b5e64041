import JSONLine
import LocalSystem
import TripModel
import TripProtocol

/// The jobs that workers do for the event loop because each takes too long for one of its steps, and what waits for
/// them: long lines are parsed, large drafts built, long changes run, and large states encoded.
struct Offload {
    /// A trip that accepts no request.
    enum LongChange {
        /// The change starts when nothing of its trip is in flight.
        case draining
        /// A worker has the trip. The slugs are reserved for the change; the events of the trip wait for its end.
        case running(slugs: [String], events: [(event: TripEvent, at: Duration)])
    }

    /// A connection that waits for an encoded state, and the minimum version to send.
    typealias EncodingWaiter = (connection: ConnectionID, version: Int)

    /// The maximum number of drafts that workers build at a time.
    private static let draftsAtOnce = 8
    /// The maximum number of drafts that wait for a worker. Others are built on the loop, which is fast:
    /// drafts in long lines are not parsed in this situation.
    private static let draftsWaiting = 32

    /// The number of lines that workers are parsing.
    fileprivate(set) var linesInWork = 0
    /// The connections whose long lines wait for a worker, the longest waiting one first; some may be closed.
    fileprivate(set) var unparsedLines: [ConnectionID] = []
    /// The number of drafts that workers are building.
    private(set) var draftsInWork = 0
    private(set) var waitingDrafts: [Call] = []
    fileprivate(set) var longChanges: [TripID: LongChange] = [:]
    /// The trips whose state a worker encodes, with the waiting connections.
    private(set) var encodingWaiters: [TripID: [EncodingWaiter]] = [:]
    /// Calls that wait for the list of deleted trips.
    private var trashReaders = 0

    /// True if nothing is left of the accepted requests.
    var isIdle: Bool {
        longChanges.isEmpty && draftsInWork == 0 && waitingDrafts.isEmpty && trashReaders == 0
    }

    /// True if a worker will finish a job that frees a place of the read-ahead window.
    var hasJobs: Bool { linesInWork + draftsInWork > 0 }

    mutating func beginReadingTrash() { trashReaders += 1 }

    mutating func endReadingTrash() { trashReaders -= 1 }

    // MARK: Drafts

    enum Draft {
        /// A worker builds it.
        case taken
        /// It waits for a worker.
        case queued
        /// The loop must build it.
        case refused
    }

    mutating func take(draft call: Call) -> Draft {
        guard waitingDrafts.count < Self.draftsWaiting else { return .refused }
        guard draftsInWork < Self.draftsAtOnce else {
            waitingDrafts.append(call)
            return .queued
        }
        draftsInWork += 1
        return .taken
    }

    mutating func endDraft() { draftsInWork -= 1 }

    /// The next draft for which there is a worker.
    mutating func nextDraft() -> Call? {
        guard draftsInWork < Self.draftsAtOnce, !waitingDrafts.isEmpty else { return nil }
        return waitingDrafts.removeFirst()
    }

    // MARK: Changes

    /// True if the trip accepts no request, because a long change runs or is about to start.
    func isBusy(_ trip: TripID) -> Bool { !longChanges.isEmpty && longChanges[trip] != nil }

    /// Queues an event of a trip that a worker has; false if the trip can be told now.
    mutating func queue(_ event: TripEvent, of trip: TripID, at now: Duration) -> Bool {
        guard !longChanges.isEmpty, case .running(let slugs, var events)? = longChanges[trip]
        else { return false }
        // The array is then not copied for the new event.
        longChanges[trip] = .draining
        events.append((event, now))
        longChanges[trip] = .running(slugs: slugs, events: events)
        return true
    }

    // MARK: States

    /// Lets a connection wait for the state of a trip; true if a worker is encoding that trip already.
    mutating func wait(_ waiter: EncodingWaiter, for trip: TripID) -> Bool {
        encodingWaiters[trip, default: []].append(waiter)
        return encodingWaiters[trip]?.count != 1
    }

    mutating func endEncoding(of trip: TripID) -> [EncodingWaiter] {
        encodingWaiters.removeValue(forKey: trip) ?? []
    }
}

// MARK: - Long changes

/// A change that goes through many items runs on a worker. Other requests for its trip wait until it is done, and
/// events of the trip are queued.
extension Server {
    /// Runs a change on a worker if it is long. It starts when nothing of its trip is in flight, so that it does not
    /// depend on a change that the disk may still refuse. Until then the trip accepts no other request.
    ///
    /// - Parameters:
    ///   - slugs: the free slugs that it gives the trip; they are reserved until it is done.
    ///   - change: computes the change.
    /// - Returns: false if the caller must run it at once.
    func runsOnWorker(
        _ call: Call, of actor: TripActor, reserving slugs: [String] = [],
        _ change: @escaping @Sendable (inout TripCore) -> [Effect]
    ) -> Bool {
        guard let runOnWorker = configuration.runOnWorker,
            actor.read({ $0.isLong(call, from: configuration.longChange) })
        else { return false }
        let trip = actor.id
        hold(behind: call)
        guard actor.read({ $0.isQuiescent }) else {
            offload.longChanges[trip] = .draining
            carryOut(actor.step { core in core.release([.drained(call)]) }, of: trip)
            return true
        }
        directory.reserve(slugs, for: trip)
        offload.longChanges[trip] = .running(slugs: slugs, events: [])
        let checkedOut = actor.checkOut()
        let encoder = storage.encoder(of: trip)
        runOnWorker(.many) { [self] in
            var core = checkedOut
            let effects = change(&core)
            // Its journal record may have many megabytes.
            if let encoder { core.storageRequests = core.storageRequests.map { $0.encoded(by: encoder) } }
            loop.execute { [core] in self.enter { $0.wasChanged(core, effects) } }
        }
        return true
    }

    /// Nothing of the trip is in flight any more: submits the long change that waited for that.
    func drained(_ trip: TripID, _ call: Call) {
        offload.longChanges[trip] = nil
        submit(again: [call])
        if !offload.isBusy(trip) { submitWaiting(for: trip) }
    }

    /// A worker has finished a change. On the loop.
    private func wasChanged(_ core: TripCore, _ effects: [Effect]) {
        let id = core.id
        guard case .running(let slugs, let events)? = offload.longChanges.removeValue(forKey: id),
            let actor = servedTrip(id)
        else { preconditionFailure("a trip with a long change stays open") }
        carryOut(actor.checkIn(core, effects), of: id)
        directory.endReservation(of: slugs, for: id)
        for (event, moment) in events { deliver(event, to: id, at: moment) }
        submitWaiting(for: id)
    }

    /// Submits the calls that wait for a trip. Long changes come last, because each one makes the trip busy again.
    private func submitWaiting(for trip: TripID) {
        let waiting = directory.takeWaiting(for: trip)
        guard waiting.count > 1, let actor = servedTrip(trip) else { return submit(again: waiting) }
        let long = configuration.longChange
        let isLong = actor.read { core in waiting.map { core.isLong($0, from: long) } }
        let inOrder = zip(waiting, isLong)
        submit(again: inOrder.filter { !$0.1 }.map(\.0) + inOrder.filter { $0.1 }.map(\.0))
    }
}

// MARK: - Long lines

extension Server {
    /// The number of parsed requests that wait to run. Lines of closed connections count until a worker has parsed them.
    var parsedCount: Int { offload.linesInWork + connections.values.count { $0.isParsed } }

    /// True if the workers accept one more job.
    private var hasFreeWorker: Bool { parsedCount + offload.draftsInWork < Self.readAhead }

    /// Parses a long line on a worker, now or when one is free, so that it does not block the loop.
    ///
    /// - Returns: false if the line is short, or if the read-ahead window is full and no worker will free a
    ///   slot of it, for example because slow readers occupy all slots.
    func parsesOnWorker(_ frame: LineFrame, of connection: Connection) -> Bool {
        guard case .line(let bytes) = frame, bytes.count >= configuration.longLine,
            hasFreeWorker || offload.hasJobs, configuration.runOnWorker != nil
        else { return false }
        connection.input.first = .unread(frame)
        offload.unparsedLines.append(connection.id)
        parseLongLines()
        return true
    }

    /// Starts to parse the lines that have waited longest, as many as the window allows.
    func parseLongLines() {
        while !offload.unparsedLines.isEmpty,
            !budget.hasWaiting || budget.largeWaitingCount + parsedCount < Self.readAhead
        {
            guard hasFreeWorker || !offload.hasJobs else { return }
            let id = offload.unparsedLines.removeFirst()
            guard let connection = connections[id], case .unread(let frame) = connection.input.first
            else { continue }
            guard hasFreeWorker, let runOnWorker = configuration.runOnWorker else {
                // No completion would free a slot, so the line is parsed on the loop in its next quantum.
                connection.input.first = .toBeParsed(frame)
                queueTurn(of: connection)
                continue
            }
            connection.input.first = .isBeingParsed
            offload.linesInWork += 1
            runOnWorker(.one) { [self] in
                let line = DecodedLine(frame)
                loop.execute { self.enter { $0.didParse(line, of: id) } }
            }
        }
    }

    /// A worker has parsed a long line. On the loop.
    private func didParse(_ line: DecodedLine, of id: ConnectionID) {
        offload.linesInWork -= 1
        // A line of a closed connection is dropped.
        if let connection = connections[id] {
            connection.input.first = .read(line)
            giveQuantum(to: connection)
        }
        parseLongLines()
    }
}
