import JSONLine
import TripModel
import TripProtocol

extension TripCore {
    /// Asks the journal to make the trip.
    ///
    /// - Parameter ticket: gets the snapshot; nil where nobody waits.
    mutating func create(_ record: CommitRecord, answering ticket: Ticket?) {
        var encoded: [ItemID: [UInt8]] = [:]
        for item in record.upserts { encoded[item.id] = item.encoded() }
        storageRequests.append(.create(version: trip.version, payload: record.payload(encoded: encoded)))
        releases.append(Release(version: trip.version, body: .creation(ticket)))
    }

    mutating func delete(
        ifVersion expected: Int?, by principal: Principal, _ ticket: Ticket
    ) -> [Effect] {
        if isDeleted { return answer(ticket, tripNotFound(ticket)) }
        if principal.isViewer { return refuse(ticket, .viewersMayNotChange) }
        if let expected, expected != trip.version {
            return refuse(
                ticket,
                WireError(
                    .versionConflict, "expected version \(expected), but it is at \(trip.version)",
                    .expected(expected), .actual(trip.version)))
        }
        if let error = storageError { return refuse(ticket, error) }
        isDeleted = true
        storageRequests.append(.delete(version: trip.version + 1))
        releases.append(Release(version: trip.version + 1, body: .deletion(ticket)))
        return []
    }

    /// An answer to a reader, made when it can be sent.
    mutating func late(_ answer: LateAnswer, _ ticket: Ticket) -> [Effect] {
        isDeleted ? self.answer(ticket, tripNotFound(ticket)) : release([.answerLate(ticket, answer)])
    }

    mutating func gaps(of item: ItemID, _ ticket: Ticket) -> [Effect] {
        if isDeleted { return answer(ticket, tripNotFound(ticket)) }
        guard let report = trip.gaps(for: item) else { return refuse(ticket, itemNotFound(item)) }
        let version = trip.version
        return answer(
            ticket,
            ServerLine.reply(ticket.request, reserving: 256 + 140 * report.gaps.count) { json in
                json.beginObject()
                json.member("version", version)
                json.encodeMembers(of: report)
                json.endObject()
            })
    }

    // MARK: Subscriptions

    mutating func subscribe(
        _ subscribe: Subscribe, by principal: Principal, _ ticket: Ticket, now: Duration
    ) -> [Effect] {
        if isDeleted { return answer(ticket, tripNotFound(ticket)) }
        subscribers[principal.connection] = principal
        presence.changed(at: now)
        let isDragging = leases.lease(of: principal.connection) != nil
        return release([.subscribe(ticket, subscribe, isDragging: isDragging)])
    }

    mutating func unsubscribe(_ connection: ConnectionID, _ ticket: Ticket, now: Duration) -> [Effect] {
        if isDeleted { return answer(ticket, tripNotFound(ticket)) }
        if subscribers.removeValue(forKey: connection) != nil { presence.changed(at: now) }
        return release([.unsubscribe(connection), .answer(ticket, ServerLine.emptyReply(ticket.request))])
    }

    /// A connection is over: its drag and its subscription with it.
    mutating func leave(_ connection: ConnectionID, now: Duration) {
        let wasThere = subscribers.removeValue(forKey: connection) != nil
        let lease = leases.lease(of: connection)
        if let lease { leases.end(lease.item) }
        if wasThere || lease != nil { presence.changed(at: now) }
    }

    // MARK: Drags

    mutating func beginDrag(
        of item: ItemID, as drag: DragID, by principal: Principal, _ ticket: Ticket, now: Duration
    ) -> [Effect] {
        if isDeleted { return answer(ticket, tripNotFound(ticket)) }
        guard let content = trip[item]?.content, let report = trip.gaps(for: item) else {
            return refuse(ticket, itemNotFound(item))
        }
        if principal.isViewer { return refuse(ticket, .viewersMayNotChange) }
        if let lease = leases.byItem[item], lease.holder.connection != principal.connection {
            return refuse(
                ticket,
                WireError(.itemHeld, "\(lease.holder.user) is dragging it", .by(lease.holder.user)))
        }
        if leases.lease(of: principal.connection) != nil {
            return refuse(
                ticket,
                WireError(
                    .alreadyDragging, "this connection holds a drag of this trip; drop or cancel it first"))
        }
        if content.isGame { return refuse(ticket, WireError(PlaceRefusal.gameImmovable, in: trip)) }
        leases.grant(Lease(drag: drag, item: item, holder: principal, expires: now + Lease.length))
        let version = trip.version
        let line = ServerLine.reply(ticket.request, reserving: 256 + 140 * report.gaps.count) { json in
            json.beginObject()
            json.member("drag", drag.text)
            json.member("leaseMilliseconds", WireLimits.leaseMilliseconds)
            json.member("version", version)
            json.encodeMembers(of: report)
            json.endObject()
        }
        let effects = release([
            .dragBegan(principal.connection, drag), .answer(ticket, line), .shut(principal.connection),
        ])
        for effect in effects { note(effect, now: now) }
        return effects
    }

    mutating func hover(
        _ drag: DragID, over: Placement?, by connection: ConnectionID, _ ticket: Ticket, now: Duration
    ) -> [Effect]? {
        guard let lease = leases.lease(of: drag, heldBy: connection) else { return nil }
        if lease.over != over { presence.changed(at: now) }
        leases.renew(lease.item, at: now, over: over)
        return answer(ticket, ServerLine.emptyReply(ticket.request))
    }

    mutating func cancelDrag(
        _ drag: DragID, by connection: ConnectionID, _ ticket: Ticket, now: Duration
    ) -> [Effect]? {
        guard let lease = leases.lease(of: drag, heldBy: connection) else { return nil }
        leases.end(lease.item)
        presence.changed(at: now)
        let version = trip.version
        let line = ServerLine.reply(ticket.request) { json in
            json.beginObject()
            json.member("version", version)
            json.endObject()
        }
        return release([
            .answer(ticket, line), .dragOver(connection, drag, expired: false), .open(connection),
        ])
    }

    /// Ends a drag at a place; nil where this connection holds no such drag, and no kept answer matches.
    mutating func drop(
        _ drop: Drop, fingerprint: UInt64, by principal: Principal, _ ticket: Ticket, now: Duration,
        at moment: Timestamp
    ) -> [Effect]? {
        let lease = leases.lease(of: drop.drag, heldBy: principal.connection)
        let isKept =
            drop.options.seq.map {
                retries.verdict(client: principal.client, seq: $0, fingerprint: fingerprint) != .new
            } ?? false
        guard lease != nil || isKept else { return nil }
        let command = ChangeCommand(
            method: .drop, edits: lease.map { [.move($0.item, to: drop.placement)] } ?? [],
            options: drop.options, principal: principal, ticket: ticket, fingerprint: fingerprint,
            takenSlugs: [], at: moment)
        guard let lease, !drop.options.isDryRun else { return change(command) }
        leases.end(lease.item)
        presence.changed(at: now)
        return change(
            command,
            after: [
                .dragOver(principal.connection, drop.drag, expired: false), .open(principal.connection),
            ])
    }

    private func itemNotFound(_ item: ItemID) -> WireError {
        WireError(.itemNotFound, "the trip has no item \(item)")
    }
}
