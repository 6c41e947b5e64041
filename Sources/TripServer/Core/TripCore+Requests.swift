import LocalSystem
import TripModel
import TripProtocol

extension TripCore {
    /// Asks the journal to make the trip.
    ///
    /// - Parameters:
    ///   - encoded: the items' bytes, where they have been made already.
    ///   - ticket: gets the snapshot; nil where nobody waits.
    mutating func create(_ record: CommitRecord, encoded: [[UInt8]]? = nil, answering ticket: Ticket?) {
        let encoded = encoded ?? record.upserts.map { $0.encoded() }
        durable.know(zip(record.upserts, encoded))
        storageRequests.append(.create(version: trip.version, payload: record.payload(encoded: encoded)))
        releases.append(Release(version: trip.version, body: .creation(ticket)))
    }

    mutating func delete(
        ifVersion expected: Int?, isDryRun: Bool, _ ticket: Ticket
    ) -> [Effect] {
        if isDeleted { return answer(ticket, tripNotFound(ticket)) }
        if let expected, expected != trip.version {
            return refuse(ticket, .versionConflict(expected: expected, actual: trip.version))
        }
        if isDryRun { return answer(ticket, ServerLine.emptyReply(ticket.request)) }
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
        return answer(ticket, ServerLine.gaps(ticket.request, version: trip.version, report))
    }

    // MARK: Undo and history

    /// Takes back the editor's last change, or makes it again, by the states that its items had.
    mutating func reverse(_ kind: EditLog.Kind, _ command: ChangeCommand) -> [Effect] {
        let ticket = command.ticket
        if let again = repeated(command) { return again }
        if isDeleted { return answer(ticket, tripNotFound(ticket)) }
        let editor = command.principal.editor
        guard let entry = edits.next(kind, of: editor) else {
            return refuse(
                ticket,
                kind == .redo
                    ? WireError(.nothingToRedo, "there is nothing to do again")
                    : WireError(.nothingToUndo, "there is nothing of yours to undo"))
        }
        var command = command
        command.takingBack = TakingBack(kind: kind, entry: entry, reversal: Reversal(of: entry.commit))
        guard !edits.isTouchedByOthers(entry, than: editor) else {
            // Who expects another version than this wants nothing done, and nothing given up.
            if let expected = command.options.ifVersion, expected != trip.version {
                return refuse(ticket, .versionConflict(expected: expected, actual: trip.version))
            }
            let error = WireError(
                .undoConflict, "somebody else has changed that since: \(entry.summary)")
            return refuse(ticket, givingUp(command, for: error))
        }
        return change(command)
    }

    /// Drops the entry of an undo or redo that is refused for good, so that the next one gets the change before it.
    ///
    /// - Returns: the error, which says so.
    mutating func givingUp(_ command: ChangeCommand, for error: WireError) -> WireError {
        guard let undo = command.takingBack, !command.options.isDryRun,
            error.reason == .undoConflict || error.reason == .limitExceeded
        else { return error }
        edits.giveUp(
            undo.kind, of: command.principal.editor,
            restingOn: trip.version > durable.version || !isCreated ? trip.version : nil)
        return error.with(.dropped)
    }

    /// Lines of the history, newest first, as of what is durable.
    func history(_ request: HistoryRequest) -> [HistoryLine] {
        let end = min(request.before ?? .max, durable.version + 1)
        let lines = edits.lines.reversed().lazy.filter { line in
            guard line.version < end else { return false }
            // The daemon's clock may have been set back: each line is asked for its own time.
            return switch request.since {
            case .version(let version)?: line.version > version
            case .time(let moment)?: line.at.milliseconds >= moment.secondsSince1970 * 1000
            case nil: true
            }
        }
        return lines.prefix(request.limit ?? .max).map(\.told)
    }

    // MARK: Subscriptions

    mutating func subscribe(
        _ subscribe: Subscribe, by principal: Principal, _ ticket: Ticket, now: Duration
    ) -> [Effect] {
        if isDeleted { return answer(ticket, tripNotFound(ticket)) }
        subscribers[principal.connection] = principal
        switch subscribe.mode {
        case .delta: deltaReaders.insert(principal.connection)
        case .snapshot: stopDeltas(to: principal.connection)
        }
        presence.changed(at: now)
        let isDragging = leases.lease(of: principal.connection) != nil
        return release([.subscribe(ticket, subscribe, isDragging: isDragging)])
    }

    mutating func unsubscribe(_ connection: ConnectionID, _ ticket: Ticket, now: Duration) -> [Effect] {
        if isDeleted { return answer(ticket, tripNotFound(ticket)) }
        stopDeltas(to: connection)
        focuses[connection] = nil
        if subscribers.removeValue(forKey: connection) != nil { presence.changed(at: now) }
        return release([.unsubscribe(connection), .answer(ticket, ServerLine.emptyReply(ticket.request))])
    }

    /// A connection is over: its drag and its subscription with it.
    mutating func leave(_ connection: ConnectionID, now: Duration) {
        stopDeltas(to: connection)
        focuses[connection] = nil
        let wasThere = subscribers.removeValue(forKey: connection) != nil
        let wasDragging = PlantedBug.leaseNotReleased.isPlanted ? false : leases.end(heldBy: connection)
        if wasThere || wasDragging { presence.changed(at: now) }
    }

    private mutating func stopDeltas(to connection: ConnectionID) {
        if deltaReaders.remove(connection) != nil, deltaReaders.isEmpty { durable.forgetLines() }
    }

    /// Notes where a subscriber's cursor is, for the others to see; whether it is anywhere is not looked at.
    mutating func focus(
        on item: ItemID?, by connection: ConnectionID, _ ticket: Ticket, now: Duration
    ) -> [Effect] {
        if isDeleted { return answer(ticket, tripNotFound(ticket)) }
        if subscribers[connection] != nil, focuses[connection] != item {
            focuses[connection] = item
            presence.changed(at: now)
        }
        return answer(ticket, ServerLine.emptyReply(ticket.request))
    }

    // MARK: What may not be done

    /// Refuses what somebody's access does not allow: what it names must be there first.
    mutating func refuseAccess(of access: Access, to request: Request, _ ticket: Ticket) -> [Effect] {
        if isDeleted { return answer(ticket, tripNotFound(ticket)) }
        if case .beginDrag(_, let item, _) = request, trip[item] == nil {
            return refuse(ticket, itemNotFound(item))
        }
        return refuse(ticket, .notAllowed(access))
    }

    /// Tells what a batch on this trip is called.
    mutating func openBatch(_ batch: BatchID, _ ticket: Ticket) -> [Effect] {
        answer(ticket, isDeleted ? tripNotFound(ticket) : ServerLine.batch(ticket.request, batch))
    }

    // MARK: Drags

    mutating func beginDrag(
        of item: ItemID, as drag: DragID, tellingGaps tellsGaps: Bool, by principal: Principal,
        _ ticket: Ticket, now: Duration
    ) -> [Effect] {
        if isDeleted { return answer(ticket, tripNotFound(ticket)) }
        guard let content = trip[item]?.content else { return refuse(ticket, itemNotFound(item)) }
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
        leases.grant(Lease(drag: drag, item: item, holder: principal, expires: now + leases.length))
        let begun = BegunDrag(
            drag: drag, item: item, leaseMilliseconds: Int(leases.length / .milliseconds(1)),
            tellsGaps: tellsGaps)
        // It is told of the trip as that is when the answer leaves: others go on meanwhile.
        let effects = release([
            .answerLate(ticket, .dragStart(id, begun)), .shut(principal.connection),
        ])
        for effect in effects { note(effect, now: now) }
        return [.dragBegan(principal.connection, drag)] + effects
    }

    mutating func hover(
        _ drag: DragID, over: Placement?, by connection: ConnectionID, _ ticket: Ticket, now: Duration
    ) -> [Effect]? {
        guard let lease = leases.lease(of: drag, heldBy: connection) else {
            // If the removal fails, it goes on.
            return leases.isEnding(drag, heldBy: connection) ? refuse(ticket, Self.removed(drag)) : nil
        }
        if lease.over != over { presence.changed(at: now) }
        leases.renew(lease.item, at: now, over: over)
        return answer(ticket, ServerLine.emptyReply(ticket.request))
    }

    /// Lets a drag go on from the moment when something was asked of it.
    mutating func renew(_ drag: DragID, heldBy connection: ConnectionID, at now: Duration) {
        guard let lease = leases.lease(of: drag, heldBy: connection) else { return }
        leases.renew(lease.item, at: now, over: lease.over)
    }

    mutating func cancelDrag(
        _ drag: DragID, by connection: ConnectionID, _ ticket: Ticket, now: Duration
    ) -> [Effect]? {
        guard let lease = leases.lease(of: drag, heldBy: connection) else {
            return lettingGo(of: drag, by: connection, ticket)
        }
        leases.end(lease.item)
        presence.changed(at: now)
        let line = ServerLine.dragCancelled(ticket.request, version: trip.version)
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
        // A repeat needs no drag; a viewer and a dry run have nothing to repeat.
        let isKept =
            principal.may(.drop) && !drop.options.isDryRun
            && drop.options.seq.map {
                retries.verdict(client: principal.repeater, seq: $0, fingerprint: fingerprint) != .new
            } ?? false
        guard lease != nil || isKept else {
            return lettingGo(of: drop.drag, by: principal.connection, ticket)
        }
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

    /// Answers the end of a drag whose item a commit in flight removes; nil where there is no such drag. It has been let
    /// go, so it does not come back with the item.
    private mutating func lettingGo(
        of drag: DragID, by connection: ConnectionID, _ ticket: Ticket
    ) -> [Effect]? {
        guard leases.isEnding(drag, heldBy: connection) else { return nil }
        leases.letGoOfEnding(heldBy: connection)
        let over: [Effect] = [.dragOver(connection, drag, expired: false)]
        let opens = leases.lease(of: connection) == nil ? [Effect.open(connection)] : []
        return release([.answer(ticket, line(ticket, Self.removed(drag)))] + over + opens)
    }

    private static func removed(_ drag: DragID) -> WireError {
        WireError(.dragNotFound, "the item of the drag \(drag.text) has been removed")
    }

    private func itemNotFound(_ item: ItemID) -> WireError {
        WireError(.itemNotFound, "the trip has no item \(item)")
    }
}
