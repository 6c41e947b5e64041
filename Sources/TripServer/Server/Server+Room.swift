import LocalSystem
import TripProtocol

/// What the daemon holds for its connections is counted, each for itself and all together.
extension Server {
    /// How long a reader for whom too much waits may take nothing of it.
    private static let readerTime = Duration.seconds(1)

    /// Counts what a connection holds now; with enough room again, what has waited for that goes on.
    func recount(_ connection: Connection) {
        let bytes = connection.heldBytes
        if bytes != connection.countedBytes {
            ownBytes += bytes - connection.countedBytes
            connection.countedBytes = bytes
        }
        if connection.writes.holdsShared || !connection.countedShared.isEmpty {
            let shared = connection.writes.shared
            sharedBytes.replace(connection.countedShared, with: shared)
            connection.countedShared = shared
        }
        resumeCrowded()
    }

    /// A connection is over, and holds nothing any more.
    func forgetBytes(of connection: Connection) {
        ownBytes -= connection.countedBytes
        connection.countedBytes = 0
        sharedBytes.replace(connection.countedShared, with: [])
        connection.countedShared = []
        resumeCrowded()
    }

    private func resumeCrowded() {
        guard !crowded.isEmpty, heldBytes <= configuration.waitingBytes, !isResumingCrowded else { return }
        isResumingCrowded = true
        loop.atEndOfRound { [self] in
            enter { server in
                server.isResumingCrowded = false
                let waiting = server.crowded
                server.crowded = []
                // Those that still find no room wait again, in the same order.
                server.resume(waiting.filter { !server.mustWaitForRoom($0) })
                server.readOn()
            }
        }
    }

    /// Keeps a request back while too much is held for all together.
    func mustWaitForRoom(_ parked: ParkedRequest) -> Bool {
        guard heldBytes > configuration.waitingBytes, parked.request.method.traits.takesRoom else {
            return false
        }
        crowded.append(parked)
        for connection in connections.values.sorted(by: { $0.id < $1.id }) where !connection.writes.isEmpty {
            watchReader(of: connection, isBlocked: true, hasTaken: false)
        }
        return true
    }

    /// Bytes that the daemon holds for all connections together.
    var heldBytes: Int { ownBytes + committingBytes + sharedBytes.byteCount }

    /// A connection's share of what may be held for all: it may hold no more while requests wait for room.
    private var share: Int { configuration.waitingBytes / WireLimits.connections }

    /// Ends a connection for which too much waits and which takes nothing of it for a while. States do not count, for
    /// newer ones replace older ones.
    ///
    /// While requests wait for room everything counts, and who holds more than a share has to take as much in that
    /// while: many who take a byte now and then must not keep the others waiting.
    func watchReader(of connection: Connection, isBlocked: Bool, hasTaken: Bool) {
        // Who is slow is blocked, and has patience from then on.
        guard isBlocked || connection.patience != nil else { return }
        let (own, isCrowded) = (connection.outbox.queuedBytes + connection.writes.ownBytes, !crowded.isEmpty)
        let isSlow =
            isBlocked && (connection.phase == .open || connection.phase == .halfClosed)
            && (own > WireLimits.queuedBytes
                || isCrowded && connection.outbox.queuedBytes + connection.writes.byteCount > share)
        if let patience = connection.patience {
            let hasTakenEnough =
                isCrowded
                ? connection.writes.writtenCount - patience.writtenCount >= share : hasTaken
            guard !isSlow || hasTakenEnough else { return }
            loop.cancel(patience.timer)
            connection.patience = nil
        }
        guard isSlow else { return }
        let id = connection.id
        let timer = loop.schedule(after: Self.readerTime) { [self] in
            enter { $0.dismiss(id, .slowConsumer) }
        }
        connection.patience = .init(timer: timer, writtenCount: connection.writes.writtenCount)
    }
}
