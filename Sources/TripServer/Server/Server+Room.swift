import LocalSystem
import TripProtocol

/// What the daemon holds for its connections is counted, each for itself and all together.
extension Server {
    /// How long a reader for whom too much waits may take nothing of it.
    private static let readerTime = Duration.seconds(1)

    /// Counts what a connection holds now; with enough room again, what has waited for that goes on.
    func recount(_ connection: Connection) {
        heldBytes += connection.heldBytes - connection.countedBytes
        connection.countedBytes = connection.heldBytes
        resumeCrowded()
    }

    /// A connection is over, and holds nothing any more.
    func forgetBytes(of connection: Connection) {
        heldBytes -= connection.countedBytes
        connection.countedBytes = 0
        resumeCrowded()
    }

    private func resumeCrowded() {
        guard !crowded.isEmpty, heldBytes <= configuration.waitingBytes, !isResumingCrowded else { return }
        isResumingCrowded = true
        loop.atEndOfRound { [self] in
            assumeIsolated { server in
                server.isResumingCrowded = false
                let waiting = server.crowded
                server.crowded = []
                // Those that still find no room wait again, in the same order.
                server.resume(waiting.filter { !server.mustWaitForRoom($0) })
            }
        }
    }

    /// Keeps a request back while too much is held for all together.
    func mustWaitForRoom(_ parked: ParkedRequest) -> Bool {
        guard heldBytes > configuration.waitingBytes, parked.request.takesRoom else { return false }
        crowded.append(parked)
        for connection in connections.values where !connection.writes.isEmpty {
            watchReader(of: connection, isBlocked: true, hasTaken: false)
        }
        return true
    }

    /// Ends a connection for which too much waits and which takes nothing of it for a while. States do not count, for
    /// newer ones replace older ones. While requests wait for room, a connection may hold its share of that and no more.
    func watchReader(of connection: Connection, isBlocked: Bool, hasTaken: Bool) {
        let limit =
            crowded.isEmpty ? WireLimits.queuedBytes : configuration.waitingBytes / WireLimits.connections
        let isSlow =
            isBlocked && connection.phase == .open
            && connection.outbox.queuedBytes + connection.writes.ownBytes > limit
        if let timer = connection.patience, !isSlow || hasTaken {
            loop.cancel(timer)
            connection.patience = nil
        }
        guard isSlow, connection.patience == nil else { return }
        let id = connection.id
        connection.patience = loop.schedule(after: Self.readerTime) { [self] in
            assumeIsolated { $0.dismiss(id, .slowConsumer) }
        }
    }
}

extension Request {
    /// Whether its answer, or what it makes, takes room for it alone: with too little of it, all but what is shared or
    /// small waits.
    fileprivate var takesRoom: Bool {
        switch self {
        case .change, .undo, .redo, .drop, .gaps, .beginDrag, .history, .createTrip: true
        case .ping, .discover, .hello, .listTrips, .getTrip, .deleteTrip, .subscribe, .unsubscribe, .sync,
            .hover,
            .cancelDrag, .stats, .shutdown:
            false
        }
    }
}
