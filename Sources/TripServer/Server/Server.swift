import LocalSystem
import TripModel
import TripProtocol

/// The owner of all connections, and of the list of trips.
///
/// It runs on an event loop, as do the trips' actors, and the handlers of sockets, timers and the journal
/// enter it synchronously. So a request goes from the socket through its trip to the journal without a thread
/// hop, and all output of one loop iteration is sent with one write per connection.
package actor Server: LoopActor {
    /// The event loop of the server and of all trips.
    package nonisolated let loop: EventLoop
    let configuration: ServerConfiguration
    let storage: any TripStorage
    var registry = TripRegistry() { didSet { dropShared() } }
    /// The encoded rows of `trip.list`; nil after a change.
    var encodedTrips: SharedBytes?
    /// The last encoded news, for all subscribers in the same state; nil after a change.
    var lastUpdate: SharedUpdate?
    var runQueue = RunQueue()
    var connections: [ConnectionID: Connection] = [:]
    /// The connections to flush at the end of the iteration, in the order of their output.
    var flushes: [Connection] = []
    /// The timers of the trips.
    var tripTimers: [TripID: (deadline: Duration, timer: TimerID)] = [:]
    /// The requests parked for each trip, in order.
    var parkedRequests: [TripID: [ParkedRequest]] = [:]
    var survey = ListSurvey()
    /// Requests that wait for the list of deleted trips.
    var readingTrash = 0
    var idleTrips = IdleTrips()
    var closingTimer: TimerID?
    var nextConnection: ConnectionID = 1
    var nextDrag = 1
    var nextBatch = 1
    /// The bytes of batches whose commits are waiting.
    var committingBytes = 0
    /// Shared by all connections: read bytes are framed before the next read.
    var readBuffer = [UInt8](repeating: 0, count: 64 * 1024)
    var isStopping = false
    /// The memory held for single connections, in total.
    var ownBytes = 0
    /// The memory shared by several connections.
    var sharedBytes = SharedBytesCount()
    /// The requests that wait for memory.
    var waitingForMemory: [ParkedRequest] = []
    var isResumingWaitingForMemory = false
    /// Disconnects slow readers while requests wait for memory.
    var reclaimTimer: TimerID?
    /// The number of lines that workers are parsing.
    var linesOnWorkers = 0
    /// The connections whose long lines wait for a worker, the longest waiting one first; some may be closed.
    var unparsedLines: [ConnectionID] = []
    /// The number of drafts that workers are building.
    var draftsOnWorkers = 0
    /// The drafts that wait for a worker, in order.
    var waitingDrafts: [ParkedRequest] = []
    /// The trips with a long change on a worker.
    var longChanges: [TripID: LongChange] = [:]
    /// The trips whose next long change waits for changes in flight.
    var drainingTrips: Set<TripID> = []
    /// The trips whose state a worker encodes, with the waiting connections.
    var encodingWaiters: [TripID: [EncodingWaiter]] = [:]
    /// The freed memory of closed trips will be returned to the system.
    var isReturnOfMemoryScheduled = false
    private var listener: (any ConnectionSource)?
    /// The permissions of all other accounts.
    var rules: AccessRules
    var refusals = Refusals()
    /// The number of connections whose accounts are being looked up.
    var arriving = 0
    var statistics = ServerStatistics()
    let startedAt: Timestamp

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop, configuration: ServerConfiguration, storage: any TripStorage) {
        self.loop = loop
        self.configuration = configuration
        self.storage = storage
        rules = configuration.rules
        startedAt = Timestamp(milliseconds: configuration.wallClock())
    }

    /// Drops the shared encodings, because a trip may have changed.
    func dropShared() {
        encodedTrips = nil
        lastUpdate = nil
    }

    // MARK: Listening

    /// Accepts connections from now on. Called on the loop's thread, or before it runs.
    package nonisolated func listen(on descriptor: consuming Descriptor) throws(SystemError) {
        try listen(on: ListeningSocket(descriptor))
    }

    /// Accepts connections from now on. Called on the loop's thread, or before it runs.
    package nonisolated func listen(on source: any ConnectionSource) throws(SystemError) {
        try loop.watch(source.rawValue, for: .read) { [self] _ in
            enter { $0.acceptAll() }
        }
        // Before the loop runs it has no executor, so the field is set by its first job.
        loop.execute { [self] in enter { $0.replaceListener(by: source) } }
    }

    private func replaceListener(by source: any ConnectionSource) {
        guard !isStopping else { return loop.unwatch(source.rawValue) }
        // Those who wait at the earlier socket are served too.
        acceptAll()
        if let listener { loop.unwatch(listener.rawValue) }
        listener = source
    }

    private func acceptAll() {
        guard let listener, !isStopping else { return }
        while true {
            do throws(SystemError) {
                guard let arrival = try listener.accept() else { return }
                admit(arrival)
            } catch {
                // No descriptor is free. The connection stays in the backlog and is accepted later.
                configuration.log(.warning("cannot accept a connection: \(error)"))
                loop.changeInterest(listener.rawValue, to: [])
                _ = loop.schedule(after: .milliseconds(200)) { [self] in enter { $0.listenAgain() } }
                return
            }
        }
    }

    /// Resumes accepting, unless the daemon is stopping.
    private func listenAgain() {
        if let listener { loop.changeInterest(listener.rawValue, to: .read) }
    }

    /// Serves an accepted connection. On the loop.
    func serve(_ channel: any ByteChannel, of opener: Opener) {
        let id = nextConnection
        nextConnection += 1
        let connection = Connection(
            id: id, channel: channel, loop: loop, opener: opener, random: configuration.random)
        do throws(SystemError) {
            try connection.watch { [self] readiness in
                enter { $0.ready(id, readiness) }
            }
        } catch {
            configuration.log(.warning("cannot watch a connection: \(error)"))
            return
        }
        connection.deadline = loop.schedule(after: configuration.handshakeTime) { [self] in
            enter { server in
                if let connection = server.connections[id] { server.end(connection, .handshakeTimeout) }
            }
        }
        connections[id] = connection
    }

    // MARK: Stopping

    /// Stops reading, executes and answers all requests that were read, sends `goodbye`, and calls
    /// `whenStopped`. On the loop.
    package func stop() {
        guard !isStopping else { return }
        isStopping = true
        if let listener { loop.unwatch(listener.rawValue) }
        listener = nil
        for connection in connections.values.sorted(by: { $0.id < $1.id }) {
            if connection.ending == nil { connection.ending = .shuttingDown }
            scheduleFlush(connection)
        }
        scheduleClosingOfUnread()
        finishIfDrained()
    }

    /// The timeout for clients that do not read at the end.
    static let drainTime = Duration.seconds(5)
    /// The timeout for reading a `goodbye` under memory pressure.
    static let shortDrainTime = Duration.seconds(1)

    /// Closes the connections whose clients do not read. Connections that wait for the daemon stay.
    private func scheduleClosingOfUnread() {
        _ = loop.schedule(after: Self.drainTime) { [self] in
            enter { server in
                guard !server.statistics.hasStopped else { return }
                for connection in Array(server.connections.values) where !connection.writes.isEmpty {
                    server.close(connection)
                }
                server.scheduleClosingOfUnread()
            }
        }
    }

    /// Ends the daemon if it is stopping and nothing is pending, including requests of closed connections.
    func finishIfDrained() {
        guard isStopping, connections.isEmpty, longChanges.isEmpty, drainingTrips.isEmpty,
            parkedRequests.isEmpty, waitingForMemory.isEmpty, readingTrash == 0, draftsOnWorkers == 0,
            waitingDrafts.isEmpty,
            !statistics.hasStopped
        else { return }
        statistics.hasStopped = true
        closeAllTrips()
        configuration.whenStopped()
    }
}

/// Encoded news of a trip, shared by all subscribers in the same state.
struct SharedUpdate {
    let trip: TripID
    /// Their version, and how their deltas are coalesced.
    let state: StateRequest
    /// The version that they get.
    let version: Int
    let update: TripCore.Update
}

/// Counters since the daemon's start.
struct ServerStatistics {
    var requests = 0
    var skippedSnapshots = 0
    var sentSnapshots = 0
    var hasStopped = false
}
