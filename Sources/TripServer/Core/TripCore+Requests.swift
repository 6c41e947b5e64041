import LocalSystem
import TripModel
import TripProtocol

extension TripCore {
    /// Requests the creation of the trip from the journal.
    ///
    /// - Parameters:
    ///   - encoded: the encoded items, if they exist already.
    ///   - ticket: the request to answer with the snapshot; nil for none.
    mutating func create(_ record: CommitRecord, answering ticket: Ticket?) {
        let payload = record.payload(encoded: record.upserts.map { $0.encoded() })
        storageRequests.append(.create(version: trip.version, payload: payload))
        inFlight.append(.creation(ticket), at: trip.version)
    }

    mutating func delete(
        ifVersion expected: Int?, isDryRun: Bool, _ ticket: Ticket
    ) -> [Effect] {
        if let expected, expected != trip.version {
            return refuse(ticket, .versionConflict(expected: expected, actual: trip.version))
        }
        if isDryRun { return answer(ticket, ServerLine.emptyReply(ticket.request)) }
        if let error = storageError { return refuse(ticket, error) }
        isDeleted = true
        storageRequests.append(.delete(version: trip.version + 1))
        inFlight.append(.deletion(ticket), at: trip.version + 1)
        return []
    }

    /// An answer to a read, encoded when it is sent.
    mutating func late(_ answer: LateAnswer, _ ticket: Ticket) -> [Effect] {
        release([.answerLate(ticket, answer)])
    }

    // MARK: Undo and history

    /// Undoes or redoes the editor's last change by restoring the previous states of its items.
    mutating func reverse(_ kind: EditLog.Kind, _ command: ChangeCommand) -> [Effect] {
        let ticket = command.ticket
        if let again = repeated(command) { return again }
        if isDeleted { return refuse(ticket, .noTrip(.id(id))) }
        let editor = command.principal.editor
        let stacks = inFlight.stacks(of: editor, on: edits.stacks[editor])
        inFlight.keep(stacks, of: editor)
        guard let entry = stacks?.next(kind) else {
            return refuse(
                ticket,
                kind == .redo
                    ? WireError(.nothingToRedo, "there is nothing to redo")
                    : WireError(.nothingToUndo, "there is nothing of yours to undo"))
        }
        var command = command
        command.reversed = (entry, isExact(entry))
        guard !isChangedByOthers(entry, than: editor) else {
            // A failed `ifVersion` precondition must not discard the entry.
            if let expected = command.options.ifVersion, expected != trip.version {
                return refuse(ticket, .versionConflict(expected: expected, actual: trip.version))
            }
            let error = WireError(
                .undoConflict, "someone else has changed that since: \(entry.summary)")
            return refuse(ticket, discarding(command, for: error))
        }
        return change(command)
    }

    /// Discards the entry of an undo or redo that can never succeed, so that the next one targets the entry below.
    ///
    /// - Returns: the error, which reports the discard.
    mutating func discarding(_ command: ChangeCommand, for error: WireError) -> WireError {
        guard command.reversed != nil, !command.options.isDryRun,
            error.reason == .undoConflict || error.reason == .limitExceeded
        else { return error }
        discard(EditLog.Kind(method: command.method.rawValue), of: command.principal.editor)
        return error.with(.dropped)
    }

    /// Whether a line is requested.
    private func isWanted(_ line: EditLog.Line, by request: HistoryRequest) -> Bool {
        guard line.version < request.before ?? .max else { return false }
        // The daemon's clock may have been set back, so every line is tested.
        return switch request.since {
        case .version(let version)?: line.version > version
        case .time(let moment)?: line.by.at.milliseconds >= moment.secondsSince1970 * 1000
        case nil: true
        }
    }

    /// The commits of the requested lines, newest first.
    func commits(of request: HistoryRequest) -> some Sequence<Commit> {
        edits.lines.reversed().lazy.filter { isWanted($0, by: request) }.prefix(request.limit ?? .max)
            .map(\.commit)
    }

    /// The requested lines, newest first. Each version has a line, so the headers of every version follow from the
    /// durable one.
    func history(_ request: HistoryRequest) -> [HistoryLine] {
        var header = durable.header
        var history: [HistoryLine] = []
        for line in edits.lines.reversed() {
            let after = header
            if let change = line.commit.header { header = change.before.applied(to: after) }
            guard isWanted(line, by: request) else { continue }
            history.append(
                HistoryLine(
                    at: line.by.at, user: line.by.user, summary: line.summary, commit: line.commit,
                    headers: line.commit.header == nil ? nil : (header, after)))
            if history.count == request.limit { break }
        }
        return history
    }

    /// The items that were removed since a moment and not restored, the newest first.
    func removedItems(since: Timestamp) -> ItemTrash {
        var seen: Set<ItemID> = []
        var items: [RemovedItem] = []
        var oldest = since
        for line in edits.lines.reversed() {
            if line.by.at < since { return ItemTrash(items: items, since: since) }
            oldest = line.by.at
            let added = Set(line.commit.changes.filter { $0.before == nil }.compactMap(\.after?.sourceKey))
            for change in line.commit.changes where seen.insert(change.id).inserted && change.isRemoval {
                guard let item = change.before else { continue }
                // An import has put an item of another kind in its place.
                if let source = item.sourceKey, added.contains(source) { continue }
                items.append(
                    RemovedItem(
                        item: item, removedAt: line.by.at, removedBy: line.by.user,
                        neighbours: change.neighboursBefore))
            }
        }
        // The making of the trip, which removes nothing, has no line.
        let isWhole = (edits.lines.first?.version ?? durable.version + 1) <= 2
        return ItemTrash(items: items, since: isWhole ? since : oldest)
    }

    // MARK: Subscriptions

    mutating func subscribe(
        _ subscribe: Subscribe, by principal: Principal, _ ticket: Ticket, now: Duration
    ) -> [Effect] {
        changeRoom { $0.enter(principal, readingDeltas: subscribe.mode == .delta, at: now) }
        let isDragging = room.leases.lease(of: principal.connection) != nil
        return release([.subscribe(ticket, subscribe, isDragging: isDragging)])
    }

    mutating func unsubscribe(_ connection: ConnectionID, _ ticket: Ticket, now: Duration) -> [Effect] {
        changeRoom { if $0.leave(connection) { $0.changed(at: now) } }
        return release([.unsubscribe(connection), .answer(ticket, ServerLine.emptyReply(ticket.request))])
    }

    /// Ends the drag and the subscription of a closed connection.
    mutating func leave(_ connection: ConnectionID, now: Duration) {
        changeRoom { room in
            let wasThere = room.leave(connection)
            let wasDragging = room.leases.end(heldBy: connection)
            if wasThere || wasDragging { room.changed(at: now) }
        }
    }

    /// Lines of past commits are kept as long as somebody reads deltas.
    private mutating func changeRoom(_ body: (inout Room) -> Void) {
        let hadReaders = room.hasDeltaReaders
        body(&room)
        if hadReaders, !room.hasDeltaReaders { durable.dropLines() }
    }

    /// Records a subscriber's cursor, which is shown to the others. The row need not exist.
    mutating func focus(
        on row: ListRow?, by connection: ConnectionID, _ ticket: Ticket, now: Duration
    ) -> [Effect] {
        room.focus(connection, on: row, at: now)
        return answer(ticket, ServerLine.emptyReply(ticket.request))
    }

    // MARK: Access

    /// Answers a request that the access forbids. A missing item is reported first.
    mutating func refuseAccess(of access: Access, to request: Request, _ ticket: Ticket) -> [Effect] {
        if case .beginDrag(_, let item, _) = request, trip[item] == nil {
            return refuse(ticket, Self.itemNotFound(item))
        }
        return refuse(ticket, .notAllowed(access))
    }

    /// Answers with the id of a new batch.
    mutating func openBatch(_ batch: BatchID, _ ticket: Ticket) -> [Effect] {
        answer(ticket, ServerLine.batch(ticket.request, batch))
    }

    // MARK: Drags

    mutating func beginDrag(
        of item: ItemID, as drag: DragID, includingGaps includesGaps: Bool, by principal: Principal,
        _ ticket: Ticket, now: Duration
    ) -> [Effect] {
        guard let content = trip[item]?.content else { return refuse(ticket, Self.itemNotFound(item)) }
        if let lease = room.leases.byItem[item], lease.holder.connection != principal.connection {
            return refuse(
                ticket,
                WireError(.itemHeld, "\(lease.holder.user) is dragging it", .by(lease.holder.user)))
        }
        if room.leases.lease(of: principal.connection) != nil {
            return refuse(
                ticket,
                WireError(
                    .alreadyDragging, "this connection holds a drag of this trip; drop or cancel it first"))
        }
        if content.isGame { return refuse(ticket, WireError(PlaceRefusal.gameImmovable, in: trip)) }
        room.leases.grant(Lease(drag: drag, item: item, holder: principal, expires: now + room.leases.length))
        let begun = BegunDrag(
            drag: drag, item: item, leaseMilliseconds: Int(room.leases.length / .milliseconds(1)),
            includesGaps: includesGaps)
        // Its version is that of the sending time, because others may change the trip until then.
        let effects = release([
            .answerLate(ticket, .dragStart(id, begun)), .pauseUpdates(principal.connection),
        ])
        for effect in effects { note(effect, now: now) }
        return [.dragBegan(principal.connection, drag)] + effects
    }

    mutating func hover(
        _ drag: DragID, over: Placement?, by connection: ConnectionID, _ ticket: Ticket, now: Duration
    ) -> [Effect]? {
        guard let lease = room.leases.lease(of: drag, heldBy: connection) else {
            // If the removal fails, the drag continues.
            return room.leases.isEnding(drag, heldBy: connection) ? refuse(ticket, Self.removed(drag)) : nil
        }
        if lease.over != over { room.changed(at: now) }
        room.leases.renew(lease.item, at: now, over: over)
        return answer(ticket, ServerLine.emptyReply(ticket.request))
    }

    /// Renews the lease of a drag after a request for it.
    mutating func renew(_ drag: DragID, heldBy connection: ConnectionID, at now: Duration) {
        guard let lease = room.leases.lease(of: drag, heldBy: connection) else { return }
        room.leases.renew(lease.item, at: now, over: lease.over)
    }

    mutating func cancelDrag(
        _ drag: DragID, by connection: ConnectionID, _ ticket: Ticket, now: Duration
    ) -> [Effect]? {
        guard let lease = room.leases.lease(of: drag, heldBy: connection) else {
            return endingEndedDrag(of: drag, by: connection, ticket)
        }
        room.leases.end(lease.item)
        room.changed(at: now)
        let line = ServerLine.dragCancelled(ticket.request, version: trip.version)
        return release([
            .answer(ticket, line), .dragOver(connection, drag, expired: false), .resumeUpdates(connection),
        ])
    }

    /// Ends a drag at a place; nil if this connection has no such drag, and no cached answer matches.
    mutating func drop(
        _ drop: Drop, fingerprint: UInt64, by principal: Principal, _ ticket: Ticket, now: Duration,
        at moment: Timestamp
    ) -> [Effect]? {
        let lease = room.leases.lease(of: drop.drag, heldBy: principal.connection)
        // A retry needs no drag; a viewer and a dry run have nothing to retry.
        let isCached =
            principal.may(.drop) && !drop.options.isDryRun
            && drop.options.seq.map {
                verdict(client: principal.repeater, seq: $0, fingerprint: fingerprint) != .new
            } ?? false
        guard lease != nil || isCached else {
            return endingEndedDrag(of: drop.drag, by: principal.connection, ticket)
        }
        let command = ChangeCommand(
            method: .drop, edits: lease.map { [.move($0.item, to: drop.placement)] } ?? [],
            options: drop.options, principal: principal, ticket: ticket, fingerprint: fingerprint,
            takenSlugs: [], at: moment)
        guard let lease, !drop.options.isDryRun else { return change(command) }
        room.leases.end(lease.item)
        room.changed(at: now)
        return change(
            command,
            after: [
                .dragOver(principal.connection, drop.drag, expired: false),
                .resumeUpdates(principal.connection),
            ])
    }

    /// Answers the end of a drag whose item a commit in flight removes; nil if there is no such drag. A
    /// rollback does not restore the drag.
    private mutating func endingEndedDrag(
        of drag: DragID, by connection: ConnectionID, _ ticket: Ticket
    ) -> [Effect]? {
        guard room.leases.isEnding(drag, heldBy: connection) else { return nil }
        room.leases.confirmEnding(heldBy: connection)
        let over: [Effect] = [.dragOver(connection, drag, expired: false)]
        let opens = room.leases.lease(of: connection) == nil ? [Effect.resumeUpdates(connection)] : []
        return release([.answer(ticket, line(ticket, Self.removed(drag)))] + over + opens)
    }

    private static func removed(_ drag: DragID) -> WireError {
        WireError(.dragNotFound, "the item of the drag \(drag.text) has been removed")
    }

    static func itemNotFound(_ item: ItemID) -> WireError {
        WireError(.itemNotFound, "the trip has no item \(item)")
    }
}

extension Item {
    /// The name of its source and its id in the source, as one text; nil if it was not imported.
    fileprivate var sourceKey: String? {
        content.source.map { "\($0.name)\u{0}\($0.id)" }
    }
}
