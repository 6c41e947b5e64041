import LocalSystem
import TripProtocol

/// The memory that the daemon holds for its connections, and the calls that wait until it is below the limit.
struct MemoryBudget {
    /// The part of one connection at its last count.
    struct Share {
        fileprivate var bytes = 0
        fileprivate var shared: [SharedBytes] = []
        /// The bytes that waited for the client and the bytes written to it when other calls began to wait.
        fileprivate var start = (waiting: 0, written: 0)
    }

    /// The size in bytes up to which a line is always parsed.
    static let smallLine = 16 << 10
    /// The timeout for a reader without enough progress.
    fileprivate static let readerTime = Duration.seconds(1)

    private let limit: Int
    /// The memory held for single connections, in total.
    private var ownBytes = 0
    /// The memory shared by several connections.
    private var sharedBytes = SharedBytesCount()
    /// The bytes of batches whose commits wait.
    private(set) var committingBytes = 0
    private(set) var waiting: [Call] = []
    /// Disconnects slow readers while calls wait.
    fileprivate var reclaimTimer: TimerID?

    init(limit: Int) { self.limit = limit }

    /// The memory held for all connections.
    var heldBytes: Int { ownBytes + committingBytes + sharedBytes.byteCount }

    var isExceeded: Bool { heldBytes > limit }

    /// True if calls wait for memory.
    var hasWaiting: Bool { !waiting.isEmpty }

    /// True if calls wait for which there may be memory.
    var mayResume: Bool { hasWaiting && !isExceeded }

    /// The number of waiting calls that are large themselves.
    var largeWaitingCount: Int { waiting.count { $0.byteCount > Self.smallLine } }

    mutating func recount(_ connection: Connection) {
        let bytes = connection.heldBytes
        if bytes != connection.share.bytes {
            ownBytes += bytes - connection.share.bytes
            connection.share.bytes = bytes
        }
        guard connection.writes.holdsShared || !connection.share.shared.isEmpty else { return }
        let shared = connection.writes.shared
        sharedBytes.replace(connection.share.shared, with: shared)
        connection.share.shared = shared
    }

    /// Removes a closed connection from the count.
    mutating func remove(_ connection: Connection) {
        ownBytes -= connection.share.bytes
        sharedBytes.replace(connection.share.shared, with: [])
        connection.share = Share()
    }

    /// Counts a batch until the call that commits it runs or is refused.
    mutating func hold(batchOf bytes: Int, for call: inout Call) {
        call.batchBytes = bytes
        committingBytes += bytes
    }

    mutating func releaseBatch(of call: inout Call) {
        committingBytes -= call.batchBytes
        call.batchBytes = 0
    }

    /// Keeps a call under memory pressure. A change is kept only if its own connection exceeds its share, so
    /// connections that do not read cannot delay the changes of others.
    ///
    /// - Parameter bytes: the bytes of answers and states that wait for its client.
    mutating func keeps(_ call: Call, withOutput bytes: Int) -> Bool {
        guard isExceeded else { return false }
        switch call.request.method.traits.admission {
        case .always: return false
        case .withinShare where bytes <= limit / WireLimits.connections: return false
        case .withinShare, .withRoom: break
        }
        waiting.append(call)
        return true
    }

    /// Removes and returns the waiting calls. Those that still find no memory wait again, in the same order.
    mutating func takeWaiting() -> [Call] {
        defer { waiting = [] }
        return waiting
    }

    /// The slow readers with the most memory, until there is enough without them. A reader is slow if it has read less
    /// than an eighth of the bytes that waited for it when the timer was set.
    fileprivate func slowReaders(among connections: some Sequence<Connection>) -> [Connection] {
        var held = heldBytes
        var slow: [Connection] = []
        for connection in connections {
            if connection.life == .closing {
                held -= connection.heldBytes
            } else if connection.writes.writtenCount - connection.share.start.written
                < connection.share.start.waiting / 8
            {
                slow.append(connection)
            }
        }
        return slow.sorted { ($1.answerBytes, $0.id) < ($0.answerBytes, $1.id) }.prefix { connection in
            defer { held -= connection.answerBytes }
            return held > limit
        }
    }
}

extension Server {
    /// Updates the memory count of a connection.
    func recount(_ connection: Connection) {
        budget.recount(connection)
        if budget.mayResume { scheduleEnd() }
    }

    /// Keeps a call until there is memory for it.
    func waitsForMemory(_ call: Call) -> Bool {
        let bytes = connections[call.ticket.connection]?.answerBytes ?? 0
        guard budget.isExceeded, budget.keeps(call, withOutput: bytes) else { return false }
        hold(behind: call)
        if budget.reclaimTimer == nil { scheduleReclaim() }
        return true
    }

    /// Submits the calls that waited for memory, and resumes the lines that were not parsed meanwhile.
    func resumeAfterMemoryPressure() {
        guard budget.mayResume else { return }
        submit(again: budget.takeWaiting())
        for connection in connections.values.sorted(by: { $0.id < $1.id })
        where connection.input.hasDeferredLines && !connection.hasFirst && connection.mayRead {
            queueTurn(of: connection)
        }
        parseLongLines()
    }

    // MARK: Slow readers

    /// Starts a timer after which slow readers are disconnected if calls still wait for memory.
    private func scheduleReclaim() {
        for connection in connections.values {
            connection.share.start = (connection.writes.byteCount, connection.writes.writtenCount)
        }
        budget.reclaimTimer = loop.schedule(after: MemoryBudget.readerTime) { [self] in
            enter { server in
                server.budget.reclaimTimer = nil
                guard server.budget.hasWaiting else { return }
                for connection in server.budget.slowReaders(among: server.connections.values) {
                    server.dismiss(connection.id, .slowConsumer)
                    // The rest of a partially written line is sent before the goodbye, unless it is too long.
                    if connection.writes.byteCount > WireLimits.queuedBytes { server.close(connection) }
                }
                server.scheduleReclaim()
            }
        }
    }

    /// Disconnects a reader that reads nothing for a while although too much waits for it. States do not
    /// count, because newer ones replace older ones.
    func watchReader(of connection: Connection, isBlocked: Bool, hasTaken: Bool) {
        let isSlow =
            isBlocked && connection.isServed
            && connection.outbox.queuedBytes + connection.writes.ownBytes > WireLimits.queuedBytes
        if let timer = connection.timers.slowReader {
            guard !isSlow || hasTaken else { return }
            loop.cancel(timer)
            connection.timers.slowReader = nil
        }
        guard isSlow else { return }
        let id = connection.id
        connection.timers.slowReader = loop.schedule(after: MemoryBudget.readerTime) { [self] in
            enter { $0.dismiss(id, .slowConsumer) }
        }
    }
}
