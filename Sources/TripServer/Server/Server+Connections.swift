import LocalSystem
import TripModel
import TripProtocol

extension Server {
    // MARK: Reading

    func ready(_ id: ConnectionID, _ readiness: Readiness) {
        guard let connection = connections[id] else { return }
        if readiness.contains(.readable) { read(connection) }
        if connection.phase != .closed, readiness.contains(.writable) || readiness.contains(.hangup) {
            if readiness.contains(.hangup), connection.phase != .open {
                close(connection)
            } else {
                scheduleFlush(connection)
            }
        }
    }

    /// Reads once: further bytes wait for the other connections.
    private func read(_ connection: Connection) {
        guard connection.mayRead, !isStopping else { return }
        do throws(SystemError) {
            switch try connection.read(into: &readBuffer) {
            case .bytes(let count):
                readBuffer.withUnsafeBytes {
                    connection.framer.append(UnsafeRawBufferPointer(rebasing: $0[..<count]))
                }
                giveQuantum(to: connection)
            case .wouldBlock: break
            case .end:
                // An incomplete last line is dropped; complete requests are still answered.
                connection.phase = .halfClosed
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
        statistics.requests += 1
        switch connection.session.receive(reading) {
        case .bad(let line, let isLast):
            notify(connection.id, line)
            if isLast { end(connection, .badLines) }
        case .invalid(let line): notify(connection.id, line)
        case .answer(let id, let line): answer(reserve(connection, id), line)
        case .welcome(let id, let principal):
            if let deadline = connection.deadline { loop.cancel(deadline) }
            connection.deadline = nil
            let welcome = Welcome(
                version: .current, serverProcess: Int(configuration.processID), clientID: principal.client,
                connectionID: connection.id, user: principal.user, access: principal.rights.highest,
                isVerified: principal.isVerified,
                durability: .init(rawValue: configuration.durability.rawValue) ?? .relaxed)
            answer(
                reserve(connection, id), ServerLine.welcome(id, welcome, capabilities: Self.capabilities))
        case .request(let asked):
            if mayCarryOut() { carryOut(asked, of: connection) } else { connection.first = .asked(asked) }
        }
    }

    func carryOut(_ asked: Session.Asked, of connection: Connection) {
        var asked = asked
        let error = resolveBatch(of: &asked, connection)
        let ticket = reserve(connection, asked.id, isBarrier: error == nil && asked.request.blocksLater)
        if let error { return answer(ticket, ServerLine.error(ticket.request, error)) }
        let parked = ParkedRequest(
            request: asked.request, fingerprint: asked.fingerprint, ticket: ticket,
            principal: asked.principal, byteCount: asked.byteCount, batchBytes: asked.batchBytes)
        if mustWaitForMemory(parked) { return connection.outbox.setBarrier(ticket.number) }
        route(parked)
    }

    static let capabilities = [
        "snapshot", "delta", "since", "retry", "undo", "history", "sync", "batch", "focus", "focusDay",
        "restrict", "accept", "todo", "trash",
    ]

    // MARK: Answers

    private func reserve(
        _ connection: Connection, _ id: RequestID?, isBarrier: Bool = false
    ) -> Ticket {
        let number = connection.outbox.reserve(isBarrier: isBarrier)
        return Ticket(connection: connection.id, number: number, request: id)
    }

    func answer(_ ticket: Ticket, _ line: [UInt8]) {
        complete(ticket, ticket.request == nil ? .nothing : .line(line))
    }

    /// Completes an answer that is encoded when it is sent, from the state that is durable now or a later one.
    func complete(_ ticket: Ticket, late answer: LateAnswer) {
        let version = answer.trip.flatMap { servedTrip($0)?.read { $0.durable.version } }
        complete(ticket, .late(answer, ticket.request, version: version ?? 0))
    }

    func complete(_ ticket: Ticket, _ entry: Outbox.Entry) {
        guard let connection = connections[ticket.connection] else { return }
        connection.outbox.complete(ticket.number, with: entry)
        scheduleFlush(connection)
    }

    func notify(_ id: ConnectionID, _ line: [UInt8]) {
        guard let connection = connections[id] else { return }
        connection.outbox.append(line)
        scheduleFlush(connection)
    }

    // MARK: Writing

    /// Schedules one write at the end of the loop iteration.
    func scheduleFlush(_ connection: Connection) {
        guard !connection.isFlushScheduled else { return }
        connection.isFlushScheduled = true
        if flushes.isEmpty { scheduleFlushAll() }
        flushes.append(connection)
    }

    /// Flushes the scheduled connections: first those with low recent CPU usage, then the others as long as
    /// the iteration has time. The rest waits for the next iteration.
    func flushAll() {
        // Flushes that these writes schedule wait for the end of the next iteration.
        let flushes = flushes
        self.flushes = []
        var others: [Connection] = []
        for connection in flushes {
            if connection.hasHighUsage(at: loop.iterationNanoseconds) {
                others.append(connection)
            } else {
                flush(connection)
            }
        }
        if others.isEmpty { return }
        let (now, end) = (loop.iterationNanoseconds, loop.nanoseconds + Self.flushBudget)
        others.sort { $0.usage.total(at: now) < $1.usage.total(at: now) }
        for (index, connection) in others.enumerated() {
            flush(connection)
            guard index + 1 < others.count, loop.nanoseconds >= end else { continue }
            if self.flushes.isEmpty { scheduleFlushAll() }
            self.flushes.insert(contentsOf: others[(index + 1)...], at: 0)
            return
        }
    }

    private func scheduleFlushAll() {
        loop.afterIteration { [self] in enter { $0.flushAll() } }
    }

    private func flush(_ connection: Connection) {
        connection.isFlushScheduled = false
        guard connection.phase != .closed else { return }
        var isBlocked = false
        let written = connection.writes.writtenCount
        do throws(SystemError) {
            repeat {
                fill(connection)
                switch try connection.write() {
                case .closed: return close(connection)
                case .wouldBlock: isBlocked = true
                case .wrote: break
                }
                // An empty queue means that the socket may accept more.
            } while connection.phase != .closing && connection.writes.isEmpty && connection.hasNext
        } catch {
            close(connection)
            return
        }
        // A wait for a worker does not show whether the socket has room.
        if !connection.waitsForEncoding { connection.isLagging = connection.hasNext }
        watchReader(of: connection, isBlocked: isBlocked, hasTaken: connection.writes.writtenCount > written)
        recount(connection)
        if connection.hasDeferredLines, connection.mayHandleLines { giveQuantum(to: connection) }
        finish(connection)
    }

    /// Moves output from the outbox to the write queue, up to the write window.
    private func fill(_ connection: Connection) {
        guard connection.phase != .closing, !connection.waitsForEncoding else { return }
        while connection.writes.byteCount < Connection.writeWindow {
            if let late = connection.outbox.nextLate, waitsForEncoding(late, connection) { return }
            guard let step = connection.outbox.next() else { break }
            switch step {
            case .line(let bytes): connection.writes.append(bytes)
            case .late(let answer, let id):
                let start = loop.nanoseconds
                writeLate(answer, id, to: connection)
                connection.usage.add(loop.nanoseconds - start, at: loop.nanoseconds)
            case .state(let trip):
                writeState(of: trip, to: connection)
                if connection.waitsForEncoding { return }
            case .presence(let trip): writePresence(of: trip, to: connection)
            }
            dropEncoded(of: connection)
        }
    }

    /// Closes the connection if it has nothing left to do.
    private func finish(_ connection: Connection) {
        let hasNoOutput = connection.writes.isEmpty && connection.outbox.inFlight == 0
        let ending = connection.ending ?? (isStopping ? .shuttingDown : nil)
        switch connection.phase {
        case .halfClosed where hasNoOutput && connection.outbox.slots.isEmpty:
            close(connection)
        case .open, .halfClosed:
            guard let ending, connection.outbox.inFlight == 0, !connection.isParsed else {
                return connection.updateInterest()
            }
            dismiss(connection.id, ending)
        case .closing where connection.writes.isEmpty:
            close(connection)
        default:
            connection.updateInterest()
        }
    }

    // MARK: Ending

    /// Stops reading, answers the requests in flight, and then sends `goodbye`.
    func end(_ connection: Connection, _ reason: GoodbyeReason) {
        connection.ending = reason
        closeLater(connection)
        scheduleFlush(connection)
    }

    /// Sets a timeout for a connection that does not read or gets no answers; it is shorter if requests wait
    /// for memory.
    private func closeLater(_ connection: Connection) {
        if let deadline = connection.deadline { loop.cancel(deadline) }
        let id = connection.id
        let time = waitingForMemory.isEmpty ? Self.drainTime : Self.shortDrainTime
        connection.deadline = loop.schedule(after: time) { [self] in
            enter { server in
                if let connection = server.connections[id] { server.close(connection) }
            }
        }
    }

    /// Sends `goodbye`, and closes the connection when that is written or the timeout expires.
    func dismiss(_ id: ConnectionID, _ reason: GoodbyeReason) {
        guard let connection = connections[id], connection.phase == .open || connection.phase == .halfClosed
        else { return }
        if reason == .slowConsumer {
            connection.writes.dropWholeLines()
            connection.outbox.discardAll()
        }
        connection.writes.append(ServerLine.goodbye(reason))
        connection.phase = .closing
        recount(connection)
        leaveTrips(connection)
        closeLater(connection)
        scheduleFlush(connection)
    }

    func close(_ connection: Connection) {
        guard connections.removeValue(forKey: connection.id) != nil else { return }
        let wasClosing = connection.phase == .closing
        connection.phase = .closed
        uncountBytes(of: connection)
        connection.unwatch()
        if !wasClosing { leaveTrips(connection) }
        finishIfDrained()
    }

    /// Ends the connection's drags and subscriptions.
    private func leaveTrips(_ connection: Connection) {
        for trip in connection.trips {
            let now = loop.now
            let id = connection.id
            deliver(to: trip) { core in
                core.leave(id, now: now)
                return core.presenceEffects(now: now)
            }
        }
        connection.trips = []
        connection.batches = BatchTable()
    }
}
