import LocalSystem
import TripProtocol

/// The daemon's memory for its connections is counted per connection and in total.
extension Server {
    /// The timeout for a reader without enough progress.
    private static let readerTime = Duration.seconds(1)

    /// Updates the memory count of a connection, and resumes waiting requests if there is enough memory.
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
        resumeWaitingForMemory()
    }

    /// Removes a closed connection from the memory count.
    func uncountBytes(of connection: Connection) {
        ownBytes -= connection.countedBytes
        connection.countedBytes = 0
        sharedBytes.replace(connection.countedShared, with: [])
        connection.countedShared = []
        resumeWaitingForMemory()
    }

    private func resumeWaitingForMemory() {
        guard !waitingForMemory.isEmpty, heldBytes <= configuration.waitingBytes, !isResumingWaitingForMemory
        else { return }
        isResumingWaitingForMemory = true
        loop.atEndOfIteration { [self] in
            enter { server in
                server.isResumingWaitingForMemory = false
                let waiting = server.waitingForMemory
                server.waitingForMemory = []
                // Requests that still find no memory wait again, in the same order.
                server.resume(waiting.filter { !server.mustWaitForMemory($0) })
                server.resumeReading()
            }
        }
    }

    /// The memory held for all connections.
    var heldBytes: Int { ownBytes + committingBytes + sharedBytes.byteCount }

    /// The maximum size of a connection's waiting answers for which its changes are always admitted.
    private var share: Int { configuration.waitingBytes / WireLimits.connections }

    /// Defers a request under memory pressure. A change is deferred only if its own connection exceeds its
    /// share, so connections that do not read cannot delay the changes of others.
    func mustWaitForMemory(_ parked: ParkedRequest) -> Bool {
        guard heldBytes > configuration.waitingBytes else { return false }
        switch parked.request.method.traits.admission {
        case .always: return false
        case .withinShare where connections[parked.ticket.connection]?.answerBytes ?? 0 <= share: return false
        case .withinShare, .withRoom: break
        }
        waitingForMemory.append(parked)
        if reclaimTimer == nil { scheduleReclaim() }
        return true
    }

    /// The number of deferred requests that are large themselves.
    var largeWaitingCount: Int { waitingForMemory.count { $0.byteCount > Self.smallLine } }

    // MARK: Slow readers

    /// Starts a timer after which slow readers are disconnected if requests still wait for memory.
    private func scheduleReclaim() {
        for connection in connections.values {
            connection.reclaimStart = (connection.writes.byteCount, connection.writes.writtenCount)
        }
        reclaimTimer = loop.schedule(after: Self.readerTime) { [self] in
            enter { server in
                server.reclaimTimer = nil
                if server.waitingForMemory.isEmpty { return }
                server.reclaimMemory()
                server.scheduleReclaim()
            }
        }
    }

    /// Disconnects the slow readers with the most memory, until there is enough without them. A reader is
    /// slow if it has read less than an eighth of the bytes that waited for it when the timer was set.
    private func reclaimMemory() {
        var held = heldBytes
        var slow: [Connection] = []
        for connection in connections.values {
            if connection.phase == .closing {
                held -= connection.heldBytes
            } else if connection.writes.writtenCount - connection.reclaimStart.written
                < connection.reclaimStart.waiting / 8
            {
                slow.append(connection)
            }
        }
        for connection in slow.sorted(by: { ($1.answerBytes, $0.id) < ($0.answerBytes, $1.id) }) {
            guard held > configuration.waitingBytes else { return }
            held -= connection.answerBytes
            dismiss(connection.id, .slowConsumer)
            // The rest of a partially written line is sent before the goodbye, unless it is too long.
            if connection.writes.byteCount > WireLimits.queuedBytes { close(connection) }
        }
    }

    /// Disconnects a reader that reads nothing for a while although too much waits for it. States do not
    /// count, because newer ones replace older ones.
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
