import LocalSystem
import TripModel
import TripProtocol

/// The owner of all connections, and of the list of trips.
///
/// It runs on an event loop, as do the trips' actors: the handlers of a socket, of a timer and of what the journal has done
/// each enter it synchronously. So a request goes from the socket through its trip to the journal without a hop between
/// threads, and everything that one round of the loop made ready leaves with one write per connection.
package actor Server: LoopActor {
    /// The loop that the server lives on, with all trips and connections.
    package nonisolated let loop: EventLoop
    let configuration: ServerConfiguration
    let storage: any TripStorage
    var registry = TripRegistry() { didSet { forgetShared() } }
    /// The rows of `trip.list`, as long as nothing changes that they tell.
    var encodedTrips: SharedBytes?
    /// What was told last of a trip, for all who have the same version of it and take it alike; until a trip changes.
    var lastNews: SharedNews?
    var turns = Turns()
    var connections: [ConnectionID: Connection] = [:]
    /// Those that are flushed at the end of the round, in the order in which something was there for them.
    var flushes: [Connection] = []
    /// The timer of each trip that has something due.
    var tripTimers: [TripID: (deadline: Duration, timer: TimerID)] = [:]
    /// Requests that wait for a trip that is not open, in the order they came.
    var parkedRequests: [TripID: [ParkedRequest]] = [:]
    var survey = ListSurvey()
    var idleTrips = IdleTrips()
    var closingTimer: TimerID?
    var nextConnection: ConnectionID = 1
    var nextDrag = 1
    var nextBatch = 1
    /// Bytes of batches whose commits wait for their trips, or for room.
    var committingBytes = 0
    /// One for all connections: what is read is framed before the next read.
    var readBuffer = [UInt8](repeating: 0, count: 64 * 1024)
    var isStopping = false
    /// Bytes that are held for single connections, all together.
    var ownBytes = 0
    /// Bytes that are held for any number of them.
    var sharedBytes = SharedBytesCount()
    /// Requests that wait until less is held.
    var crowded: [ParkedRequest] = []
    var isResumingCrowded = false
    /// Disconnects slow readers while requests wait for room.
    var reclaimTimer: TimerID?
    /// Lines that another thread reads.
    var readingElsewhere = 0
    /// Connections whose long lines wait for that, the one that has waited longest first; some may have ended.
    var unreadLines: [ConnectionID] = []
    /// Drafts of which another thread makes trips.
    var makingElsewhere = 0
    /// Drafts that wait for that, in the order they came.
    var waitingDrafts: [ParkedRequest] = []
    /// Trips that a worker changes.
    var changingElsewhere: [TripID: LongChange] = [:]
    /// Trips whose next long change waits for what is in flight.
    var tripsToSettle: Set<TripID> = []
    /// Trips whose state a worker encodes, with the connections that wait for it.
    var encodingElsewhere: [TripID: [EncodingWaiter]] = [:]
    /// What closed trips have freed is going to be given back to the system.
    var isReturnOfMemoryScheduled = false
    private var listener: (any ConnectionSource)?
    /// Who, besides the daemon's own account, may do what.
    var rules: AccessRules
    var refusals = Refusals()
    /// Connections whose accounts are being looked up.
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

    /// Forgets what was made once for all: what it was made of may have changed.
    func forgetShared() {
        encodedTrips = nil
        lastNews = nil
    }

    // MARK: Listening

    /// Accepts connections from now on. On the loop's thread, or before it runs.
    package nonisolated func listen(on descriptor: consuming Descriptor) throws(SystemError) {
        try listen(on: ListeningSocket(descriptor))
    }

    /// Accepts connections from now on. On the loop's thread, or before it runs.
    package nonisolated func listen(on source: any ConnectionSource) throws(SystemError) {
        try loop.watch(source.rawValue, for: .read) { [self] _ in
            enter { $0.acceptAll() }
        }
        // Before the loop runs there is no executor to be on; then the field is set as the loop's first work.
        loop.execute { [self] in enter { $0.listener = source } }
    }

    private func acceptAll() {
        guard let listener, !isStopping else { return }
        while true {
            do throws(SystemError) {
                guard let arrival = try listener.accept() else { return }
                admit(arrival)
            } catch {
                // No descriptor is left: the connection stays in the queue; look again when one may be free.
                configuration.log(.warning("cannot accept a connection: \(error)"))
                loop.changeInterest(listener.rawValue, to: [])
                _ = loop.schedule(after: .milliseconds(200)) { [self] in
                    enter { $0.listenAgain(on: listener.rawValue) }
                }
                return
            }
        }
    }

    /// Looks for connections again, unless the daemon stops meanwhile.
    private func listenAgain(on number: Int32) {
        if listener != nil || PlantedBug.listenedWhileStopping.isPlanted {
            loop.changeInterest(number, to: .read)
        }
    }

    /// Takes over a connection of somebody who may be served. On the loop.
    func serve(_ channel: any ByteChannel, of opener: Opener) {
        let id = nextConnection
        nextConnection += 1
        let connection = Connection(id: id, channel: channel, loop: loop, opener: opener)
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

    /// Reads no more lines, carries out and answers all requests that were read, says goodbye and reports `whenStopped`. On
    /// the loop.
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

    /// How long clients that do not read may delay the end.
    static let drainTime = Duration.seconds(5)
    /// The same for one that is told goodbye while others wait for its room.
    static let crowdedDrainTime = Duration.seconds(1)

    /// Closes the connections whose clients do not read. Those that wait for the daemon itself stay.
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

    /// Ends the daemon if it is to stop and nobody waits for anything; requests without a connection count, too.
    func finishIfDrained() {
        guard isStopping, connections.isEmpty, changingElsewhere.isEmpty, tripsToSettle.isEmpty,
            parkedRequests.isEmpty, crowded.isEmpty, makingElsewhere == 0, waitingDrafts.isEmpty,
            !statistics.hasStopped
        else { return }
        statistics.hasStopped = true
        closeAllTrips()
        configuration.whenStopped()
    }
}

/// What a trip's subscribers who have the same version are told, where they take it alike.
struct SharedNews {
    let trip: TripID
    /// The version that they have, and how they take it.
    let state: StateRequest
    /// The version that it leads to.
    let version: Int
    let news: TripCore.News
}

/// What the daemon has done since it started.
struct ServerStatistics {
    var requests = 0
    var skippedSnapshots = 0
    var sentSnapshots = 0
    var hasStopped = false
}
