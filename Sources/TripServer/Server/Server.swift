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
    var connections: [ConnectionID: Connection] = [:]
    var directory = TripDirectory() { didSet { shared = SharedOutput() } }
    var idle = IdleTrips()
    var scheduler = Scheduler()
    var budget: MemoryBudget
    var offload = Offload()
    var admission: Admission
    var shared = SharedOutput()
    var counters: ServerCounters
    /// Shared by all connections: read bytes are framed before the next read.
    var readBuffer = [UInt8](repeating: 0, count: 64 * 1024)
    private(set) var life = Life.running

    enum Life {
        case running
        /// Everything that was read is executed and answered.
        case stopping
        case stopped
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop, configuration: ServerConfiguration, storage: any TripStorage) {
        self.loop = loop
        self.configuration = configuration
        self.storage = storage
        budget = MemoryBudget(limit: configuration.waitingBytes)
        admission = Admission(rules: configuration.rules)
        counters = ServerCounters(startedAt: Timestamp(milliseconds: configuration.wallClock()))
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
        guard life == .running else { return loop.unwatch(source.rawValue) }
        // Those who wait at the earlier socket are served too.
        acceptAll()
        if let listener = admission.listener { loop.unwatch(listener.rawValue) }
        admission.listener = source
    }

    private func acceptAll() {
        guard let listener = admission.listener, life == .running else { return }
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
        if let listener = admission.listener { loop.changeInterest(listener.rawValue, to: .read) }
    }

    /// Serves an accepted connection. On the loop.
    func serve(_ channel: any ByteChannel, of opener: Opener) {
        let id = counters.nextConnection()
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
        connection.timers.deadline = loop.schedule(after: configuration.handshakeTime) { [self] in
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
        guard life == .running else { return }
        life = .stopping
        if let listener = admission.listener { loop.unwatch(listener.rawValue) }
        admission.listener = nil
        for connection in connections.values.sorted(by: { $0.id < $1.id }) {
            if connection.life == .open { connection.life = .ending(.shuttingDown) }
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
                guard server.life != .stopped else { return }
                for connection in Array(server.connections.values) where !connection.writes.isEmpty {
                    server.close(connection)
                }
                server.scheduleClosingOfUnread()
            }
        }
    }

    /// Ends the daemon if it is stopping and nothing is pending, including requests of closed connections.
    func finishIfDrained() {
        guard life == .stopping, connections.isEmpty, directory.isIdle, offload.isIdle, !budget.hasWaiting
        else { return }
        life = .stopped
        closeAllTrips()
        configuration.whenStopped()
    }
}

/// Encodings that several connections share, until a trip changes.
struct SharedOutput {
    /// The rows of `trip.list`.
    var trips: SharedBytes?
    /// The last news of a trip, for all subscribers in the same state.
    var update: SharedUpdate?
}

/// Encoded news of a trip.
struct SharedUpdate {
    let trip: TripID
    /// The version of the subscribers, and how their deltas are coalesced.
    let state: StateRequest
    /// The version that they get.
    let version: Int
    let update: TripCore.Update
}

/// Counters since the start of the daemon, and the sequences of its ids.
struct ServerCounters {
    let startedAt: Timestamp
    var requests = 0
    var skippedSnapshots = 0
    var sentSnapshots = 0
    /// The number of connections so far.
    private(set) var connections = 0
    private var drags = 0
    private var batches = 0

    init(startedAt: Timestamp) { self.startedAt = startedAt }

    mutating func nextConnection() -> ConnectionID {
        connections += 1
        return connections
    }

    mutating func nextDrag() -> Int {
        drags += 1
        return drags
    }

    mutating func nextBatch() -> Int {
        batches += 1
        return batches
    }
}
