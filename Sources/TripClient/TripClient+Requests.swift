import JSONLine
import TripModel
import TripProtocol

/// The requests to the daemon; every call throws a `ClientError`.
extension TripClient {
    /// All trips of the daemon.
    public func trips() async throws(ClientError) -> [TripSummary] {
        let result = try await perform(.listTrips)
        return try Self.decode { () throws(WireError) in try TripSummary.list(result: result) }
    }

    /// The current snapshot of a trip.
    ///
    /// - Parameter includingSourceValues: whether to include the last imported values of its items.
    public func snapshot(
        of trip: TripReference, includingSourceValues: Bool = false
    ) async throws(ClientError) -> Snapshot {
        let result = try await perform(.getTrip(trip, withSaid: includingSourceValues))
        return try Self.decode { () throws(WireError) in try Snapshot(result: result) }
    }

    /// Creates a trip.
    public func create(_ draft: TripDraft) async throws(ClientError) -> Snapshot {
        let result = try await perform(.createTrip(draft))
        return try Self.decode { () throws(WireError) in try Snapshot(result: result) }
    }

    /// Deletes a trip, which can be restored for 30 days.
    ///
    /// - Parameter version: the only version that may be deleted; nil for any.
    public func delete(_ trip: TripReference, ifVersion version: Int? = nil) async throws(ClientError) {
        _ = try await perform(.deleteTrip(trip, ifVersion: version, isDryRun: false))
    }

    /// The deleted trips that can be restored, the newest first.
    ///
    /// Needs a daemon of 1.2.
    public func trash() async throws(ClientError) -> [TrashedTrip] {
        let result = try await perform(.listTrash)
        return try Self.decode { () throws(WireError) in try TrashedTrip.list(result: result) }
    }

    /// Restores a deleted trip: as it was, with its history. Its slug is another one if a trip has that now.
    ///
    /// Needs a daemon of 1.2.
    public func restore(_ trip: TripReference) async throws(ClientError) -> Snapshot {
        let result = try await perform(.restoreTrip(trip))
        return try Self.decode { () throws(WireError) in try Snapshot(result: result) }
    }

    /// The items that were removed from a trip and are not back.
    ///
    /// Needs a daemon of 1.2.
    public func removedItems(from trip: TripReference) async throws(ClientError) -> ItemTrash {
        let result = try await perform(.removedItems(trip))
        return try Self.decode { () throws(WireError) in try ItemTrash(result: result) }
    }

    /// Changes a trip: one edit by its own method, several as one batch.
    package func change(_ change: ChangeRequest) async throws(ClientError) -> ChangeResult {
        let result = try await perform(.change(change))
        return try Self.decode { () throws(WireError) in try ChangeResult(result: result) }
    }

    /// Applies any number of edits as one change: in one line if they fit, otherwise as a batch. A batch that
    /// fails leaves nothing behind.
    ///
    /// More than `TripLimits.operations` edits, or more than fit into a line, need a daemon of version 1.1.
    public func apply(
        _ edits: [Edit], in trip: TripReference, options: ChangeOptions = ChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        let result = try await applied(edits, in: trip, options)
        return try Self.decode { () throws(WireError) in try ChangeResult(result: result) }
    }

    /// Like `apply`, with the daemon's raw answer; a single edit uses its own method.
    package func applied(
        _ edits: [Edit], in trip: TripReference, _ options: ChangeOptions
    ) async throws(ClientError) -> JSONNode {
        let pieces = Self.pieces(of: edits)
        guard pieces.count > 1 else {
            let method = edits.count == 1 ? edits[0].method : .apply
            return try await perform(
                .change(ChangeRequest(method: method, trip: trip, edits: edits, options: options)))
        }
        let batch = try await openBatch(in: trip)
        do throws(ClientError) {
            for piece in pieces { try await add(piece, to: batch) }
        } catch {
            try? await drop(batch)
            throw error
        }
        return try await perform(.commitBatch(batch, options))
    }

    /// Splits edits into pieces that each fit into one line.
    static func pieces(of edits: [Edit]) -> [[Edit]] {
        // The rest of the line needs some bytes, too.
        let mostBytes = WireLimits.lineBytes - 4096
        var pieces: [[Edit]] = []
        var (piece, byteCount): ([Edit], Int) = ([], 0)
        for edit in edits {
            let size = edit.operationBytes + 1
            if !piece.isEmpty, piece.count == TripLimits.operations || byteCount + size > mostBytes {
                pieces.append(piece)
                (piece, byteCount) = ([], 0)
            }
            piece.append(edit)
            byteCount += size
        }
        return piece.isEmpty ? pieces : pieces + [piece]
    }

    /// Opens a batch for a change that does not fit into one line.
    ///
    /// - Returns: the batch's id on this connection; it expires a minute after the last addition.
    public func openBatch(in trip: TripReference) async throws(ClientError) -> BatchID {
        let result = try await perform(.openBatch(trip))
        return try Self.decode { () throws(WireError) in try BatchID(result: result) }
    }

    /// Adds edits to a batch, at most `TripLimits.operations` at a time; nothing is applied before the commit.
    public func add(_ edits: [Edit], to batch: BatchID) async throws(ClientError) {
        _ = try await perform(.addToBatch(batch, edits))
    }

    /// Applies all edits of a batch as one change, and ends the batch, unless this is a dry run.
    ///
    /// - Parameter options: `ifItemVersion` is ignored.
    public func commit(
        _ batch: BatchID, options: ChangeOptions = ChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        let result = try await perform(.commitBatch(batch, options))
        return try Self.decode { () throws(WireError) in try ChangeResult(result: result) }
    }

    /// Discards a batch.
    public func drop(_ batch: BatchID) async throws(ClientError) { _ = try await perform(.dropBatch(batch)) }

    /// The trip's changes, newest first.
    public func history(_ request: HistoryRequest) async throws(ClientError) -> [HistoryEntry] {
        let result = try await perform(.history(request))
        return try Self.decode { () throws(WireError) in try HistoryEntry.list(result: result) }
    }

    /// Sends the row at the cursor to the other users of a trip; nil for none. Requires a subscription.
    public func focus(on row: ListRow?, in trip: TripReference) async throws(ClientError) {
        _ = try await perform(.focus(trip, row))
    }

    /// Undoes this client's last change of a trip.
    public func undo(
        in trip: TripReference, options: ChangeOptions = ChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        let result = try await perform(.undo(trip, options))
        return try Self.decode { () throws(WireError) in try ChangeResult(result: result) }
    }

    /// Redoes the last undo.
    public func redo(
        in trip: TripReference, options: ChangeOptions = ChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        let result = try await perform(.redo(trip, options))
        return try Self.decode { () throws(WireError) in try ChangeResult(result: result) }
    }

    /// Subscribes to a trip's changes as snapshots: `mode` and `since` are ignored.
    ///
    /// - Returns: the current trip, from which the notifications continue, and its users.
    public func subscribe(
        _ subscribe: Subscribe
    ) async throws(ClientError) -> (snapshot: Snapshot, users: [PresentUser]) {
        var subscribe = subscribe
        (subscribe.mode, subscribe.since) = (.snapshot, nil)
        let result = try await perform(.subscribe(subscribe))
        return try Self.decode { () throws(WireError) in
            let subscription = try Subscription(result: result)
            guard case .snapshot(let snapshot) = subscription.start else {
                throw WireError(.internalError, "the answer to a subscription has no snapshot")
            }
            return (snapshot, subscription.users)
        }
    }

    /// Begins to drag an item.
    public func beginDrag(of item: ItemID, in trip: TripReference) async throws(ClientError) -> DragStart {
        let result = try await perform(.beginDrag(trip, item, includesGaps: false))
        return try Self.decode { () throws(WireError) in try DragStart(result: result) }
    }

    /// Sends the place under the dragged item, and renews the lease.
    public func hover(_ drag: DragID, over placement: Placement?) async throws(ClientError) {
        _ = try await perform(.hover(drag, over: placement))
    }

    /// Drops the dragged item; the drag ends, whatever the answer.
    public func drop(_ drop: Drop) async throws(ClientError) -> ChangeResult {
        let result = try await perform(.drop(drop))
        return try Self.decode { () throws(WireError) in try ChangeResult(result: result) }
    }

    /// Cancels the drag.
    public func cancel(_ drag: DragID) async throws(ClientError) {
        _ = try await perform(.cancelDrag(drag))
    }

    static func decode<Value>(
        _ body: () throws(WireError) -> Value
    ) throws(ClientError) -> Value {
        do throws(WireError) { return try body() } catch { throw .garbled(error.message) }
    }
}
