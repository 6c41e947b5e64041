import LocalSystem
import TripModel
import TripProtocol

extension Server {
    /// Runs the effects of a trip's step.
    func carryOut(_ outcome: TripActor.Outcome?, of trip: TripID) {
        guard let outcome else { return }
        shared = SharedOutput()
        var before: [(connection: Connection, access: Access)] = []
        if let slugs = outcome.slugs, directory.entries[trip]?.slugs != slugs {
            before = readers(of: trip)
            directory.setSlugs(slugs, of: trip)
        }
        if outcome.isStoring { scheduleEnd() }
        for effect in outcome.effects { carryOut(effect, of: trip) }
        renamed(trip, before)
        schedule(trip, at: outcome.deadline)
        use(trip)
    }

    private func carryOut(_ effect: Effect, of trip: TripID) {
        switch effect {
        case .answer(let ticket, let lines, let count): answer(ticket, lines, count: count)
        case .reserveBytes(let ticket, let bytes):
            connections[ticket.connection]?.outbox.reserveBytes(ticket.number, bytes: bytes)
        case .answerLate(let ticket, let late):
            ticket.request == nil ? complete(ticket, .nothing) : complete(ticket, late: late)
        case .notify(let connection, let line): notify(connection, line)
        case .subscribe(let ticket, let subscribe, let isDragging):
            guard let connection = connections[ticket.connection] else { return }
            connection.outbox.slots.open(trip, subscribe, isDragging: isDragging)
            // Without an id no answer is sent, but the subscription begins at its position.
            complete(ticket, late: .subscription(trip, subscribe))
        case .unsubscribe(let connection): connections[connection]?.outbox.slots.close(trip)
        case .pauseUpdates(let connection): connections[connection]?.outbox.slots.pause(trip)
        case .resumeUpdates(let connection):
            guard let connection = connections[connection] else { return }
            connection.outbox.slots.resume(trip)
            scheduleFlush(connection)
        case .dragBegan(let connection, let drag): connections[connection]?.drags.begin(drag, in: trip)
        case .dragOver(let connection, let drag, let expired):
            connections[connection]?.drags.end(drag, expired: expired)
        case .scheduleUpdate(let subscribers):
            let news = servedTrip(trip)?.read { core in
                core.durable.lastLines.map { (from: $0.from, to: core.durable.version, lines: $0.lines) }
            }
            for id in subscribers {
                guard let connection = connections[id] else { continue }
                if let news = news ?? nil, connection.keepsUp,
                    connection.outbox.deliversNext(trip, from: news.from, to: news.to)
                {
                    connection.writes.append(news.lines)
                } else {
                    connection.outbox.slots.scheduleUpdate(trip)
                }
                scheduleFlush(connection)
            }
        case .schedulePresenceUpdate(let subscribers):
            for id in subscribers {
                guard let connection = connections[id] else { continue }
                connection.outbox.slots.schedulePresenceUpdate(trip)
                scheduleFlush(connection)
            }
        case .resume(let call): submit(again: [call])
        case .drained(let call): drained(trip, call)
        case .removed:
            let actor = servedTrip(trip)
            directory.remove(trip, keepingSlugs: actor?.read { $0.storage == .failed } ?? false)
            if let actor { free(actor) }
            for connection in connections.values {
                connection.outbox.replaceLate(of: trip) { id in
                    ServerLine.error(id, .noTrip(.id(trip)))
                }
            }
            idle.forget(trip)
        }
    }
}
