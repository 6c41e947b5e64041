import LocalSystem
import TripModel
import TripProtocol

extension Server {
    // MARK: Reading

    func ready(_ id: ConnectionID, _ readiness: Readiness) {
        guard let connection = connections[id] else { return }
        if readiness.contains(.readable) { read(connection) }
        if connection.life != .closed, readiness.contains(.writable) || readiness.contains(.hangup) {
            if readiness.contains(.hangup), connection.life == .halfClosed || connection.life == .closing {
                close(connection)
            } else {
                scheduleFlush(connection)
            }
        }
    }

    /// Reads once: further bytes wait for the other connections.
    private func read(_ connection: Connection) {
        guard connection.mayRead, life == .running else { return }
        do throws(SystemError) {
            switch try connection.read(into: &readBuffer) {
            case .bytes(let count):
                readBuffer.withUnsafeBytes {
                    connection.input.framer.append(UnsafeRawBufferPointer(rebasing: $0[..<count]))
                }
                giveQuantum(to: connection)
            case .wouldBlock: break
            case .end:
                // An incomplete last line is dropped; complete requests are still answered.
                connection.life = .halfClosed
                scheduleFlush(connection)
            }
        } catch {
            close(connection)
        }
    }

    /// Handles a parsed line.
    ///
    /// - Parameter mayCarryOut: whether the parsed request is executed at once; otherwise it waits for the
    ///   next quantum.
    func handle(_ reading: DecodedLine, of connection: Connection, while mayCarryOut: () -> Bool) {
        counters.requests += 1
        switch connection.session.receive(reading) {
        case .bad(let line, let isLast):
            notify(connection.id, line)
            if isLast { end(connection, .badLines) }
        case .invalid(let line): notify(connection.id, line)
        case .answer(let id, let line): answer(ticket(id, of: connection), line)
        case .welcome(let id, let principal):
            if let deadline = connection.timers.deadline { loop.cancel(deadline) }
            connection.timers.deadline = nil
            let welcome = Welcome(
                version: .current, serverProcess: Int(configuration.processID), clientID: principal.client,
                connectionID: connection.id, user: principal.user, access: principal.rights.highest,
                isVerified: principal.isVerified,
                durability: .init(rawValue: configuration.durability.rawValue) ?? .relaxed)
            answer(
                ticket(id, of: connection),
                ServerLine.welcome(id, welcome, capabilities: Self.capabilities))
        case .request(let call):
            if mayCarryOut() { begin(call, of: connection) } else { connection.input.first = .asked(call) }
        }
    }

    private func ticket(_ id: RequestID?, of connection: Connection) -> Ticket {
        Ticket(connection: connection.id, number: connection.outbox.reserve(), request: id)
    }

    private static let capabilities = [
        "snapshot", "delta", "since", "retry", "undo", "history", "sync", "batch", "focus", "focusDay",
        "restrict", "accept", "todo", "trash",
    ]

    // MARK: Ending

    /// Stops reading, answers the requests in flight, and then sends `goodbye`.
    func end(_ connection: Connection, _ reason: GoodbyeReason) {
        if connection.isServed { connection.life = .ending(reason) }
        closeLater(connection)
        scheduleFlush(connection)
    }

    /// Sets a timeout for a connection that does not read or gets no answers; it is shorter if requests wait
    /// for memory.
    private func closeLater(_ connection: Connection) {
        if let deadline = connection.timers.deadline { loop.cancel(deadline) }
        let id = connection.id
        let time = !budget.hasWaiting ? Self.drainTime : Self.shortDrainTime
        connection.timers.deadline = loop.schedule(after: time) { [self] in
            enter { server in
                if let connection = server.connections[id] { server.close(connection) }
            }
        }
    }

    /// Sends `goodbye`, and closes the connection when that is written or the timeout expires.
    func dismiss(_ id: ConnectionID, _ reason: GoodbyeReason) {
        guard let connection = connections[id], connection.isServed
        else { return }
        if reason == .slowConsumer {
            connection.writes.dropWholeLines()
            connection.outbox.discardAll()
        }
        connection.writes.append(ServerLine.goodbye(reason))
        connection.life = .closing
        recount(connection)
        leaveTrips(connection)
        closeLater(connection)
        scheduleFlush(connection)
    }

    func close(_ connection: Connection) {
        guard connections.removeValue(forKey: connection.id) != nil else { return }
        let wasClosing = connection.life == .closing
        connection.life = .closed
        budget.remove(connection)
        if budget.mayResume { scheduleEnd() }
        connection.unwatch()
        if !wasClosing { leaveTrips(connection) }
        finishIfDrained()
    }

    /// Ends the connection's drags and subscriptions.
    private func leaveTrips(_ connection: Connection) {
        for trip in connection.trips {
            deliver(.left(connection.id), to: trip)
        }
        connection.trips = []
        connection.batches = BatchTable()
    }
}
