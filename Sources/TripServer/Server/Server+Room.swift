import LocalSystem
import TripProtocol

/// What the daemon holds for its connections is counted, each for itself and all together.
extension Server {
    /// After this time without enough progress a reader is slow.
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

    /// Bytes that the daemon holds for all connections together.
    var heldBytes: Int { ownBytes + committingBytes + sharedBytes.byteCount }

    /// Answers that may wait for one connection before its changes wait for room.
    private var share: Int { configuration.waitingBytes / WireLimits.connections }

    /// Defers a request while too much is held for all connections. A change is deferred only if its own connection holds
    /// more than a share: so connections that do not read cannot delay the changes of the others.
    func mustWaitForRoom(_ parked: ParkedRequest) -> Bool {
        guard heldBytes > configuration.waitingBytes else { return false }
        switch parked.request.method.traits.admission {
        case .always: return false
        case .withinShare where connections[parked.ticket.connection]?.answerBytes ?? 0 <= share: return false
        case .withinShare, .withRoom: break
        }
        crowded.append(parked)
        if reclaimTimer == nil { scheduleReclaim() }
        return true
    }

    /// Requests that wait for room and hold much memory themselves.
    var largeCrowdedCount: Int { crowded.count { $0.byteCount > Self.smallLine } }

    // MARK: Slow readers

    /// Disconnects slow readers after a while if requests still wait for room then.
    private func scheduleReclaim() {
        for connection in connections.values {
            connection.reclaimMark = (connection.writes.byteCount, connection.writes.writtenCount)
        }
        reclaimTimer = loop.schedule(after: Self.readerTime) { [self] in
            enter { server in
                server.reclaimTimer = nil
                if server.crowded.isEmpty { return }
                server.reclaimRoom()
                server.scheduleReclaim()
            }
        }
    }

    /// Disconnects the slow readers that hold most, until there is room without them. A reader is slow if it has taken less
    /// than an eighth of what waited for it when the timer was set.
    private func reclaimRoom() {
        var held = heldBytes
        var slow: [Connection] = []
        for connection in connections.values {
            if connection.phase == .closing {
                held -= connection.heldBytes
            } else if connection.writes.writtenCount - connection.reclaimMark.written
                < connection.reclaimMark.waiting / 8
            {
                slow.append(connection)
            }
        }
        for connection in slow.sorted(by: { ($1.answerBytes, $0.id) < ($0.answerBytes, $1.id) }) {
            guard held > configuration.waitingBytes else { return }
            held -= connection.answerBytes
            dismiss(connection.id, .slowConsumer)
            // The rest of a begun line is sent before the goodbye, unless it is too long for that.
            if connection.writes.byteCount > WireLimits.queuedBytes { close(connection) }
        }
    }

    /// Ends a connection for which too much waits and which takes nothing of it for a while. States do not count: newer ones
    /// replace older ones.
    func watchReader(of connection: Connection, isBlocked: Bool, hasTaken: Bool) {
        let isSlow =
            isBlocked && (connection.phase == .open || connection.phase == .halfClosed)
            && connection.outbox.queuedBytes + connection.writes.ownBytes > WireLimits.queuedBytes
        if let timer = connection.slowReaderTimer {
            guard !isSlow || hasTaken else { return }
            loop.cancel(timer)
            connection.slowReaderTimer = nil
        }
        guard isSlow else { return }
        let id = connection.id
        connection.slowReaderTimer = loop.schedule(after: Self.readerTime) { [self] in
            enter { $0.dismiss(id, .slowConsumer) }
        }
    }
}
