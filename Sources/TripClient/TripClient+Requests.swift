import JSONLine
import TripModel
import TripProtocol

/// What can be asked of the daemon; every call throws a `ClientError`.
extension TripClient {
    /// All trips of the daemon.
    public func trips() async throws(ClientError) -> [TripSummary] {
        let result = try await perform(.listTrips)
        return try Self.decode { () throws(WireError) in try TripSummary.list(result: result) }
    }

    /// A whole trip as it is now.
    public func snapshot(of trip: TripReference) async throws(ClientError) -> Snapshot {
        let result = try await perform(.getTrip(trip))
        return try Self.decode { () throws(WireError) in try Snapshot(result: result) }
    }

    /// Makes a trip.
    public func create(_ draft: TripDraft) async throws(ClientError) -> Snapshot {
        let result = try await perform(.createTrip(draft))
        return try Self.decode { () throws(WireError) in try Snapshot(result: result) }
    }

    /// Deletes a trip.
    ///
    /// - Parameter version: the only version that may be deleted; left out, any.
    public func delete(_ trip: TripReference, ifVersion version: Int? = nil) async throws(ClientError) {
        _ = try await perform(.deleteTrip(trip, ifVersion: version, isDryRun: false))
    }

    /// Changes a trip: one edit by its own method, several as one batch.
    public func change(_ change: ChangeRequest) async throws(ClientError) -> ChangeResult {
        let result = try await perform(.change(change))
        return try Self.decode { () throws(WireError) in try ChangeResult(result: result) }
    }

    /// Makes any number of edits of a trip as one change: in one line where they fit, else as a batch. A batch that
    /// cannot be brought or is refused leaves nothing behind.
    ///
    /// Needs a daemon of 1.1 where there are more than `TripLimits.operations` edits, or more than a line of them.
    public func apply(
        _ edits: [Edit], in trip: TripReference, _ options: ChangeOptions = ChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        let result = try await applied(edits, in: trip, options)
        return try Self.decode { () throws(WireError) in try ChangeResult(result: result) }
    }

    /// As `apply`, with the daemon's answer as it came; a single edit goes by its own method.
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

    /// Edits, cut into as many as one line may have.
    static func pieces(of edits: [Edit]) -> [[Edit]] {
        // The rest of the line has its own needs.
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

    /// Begins a change that does not fit into one line.
    ///
    /// - Returns: what it is called on this connection; it is held there until a minute after what was brought last.
    public func openBatch(in trip: TripReference) async throws(ClientError) -> BatchID {
        let result = try await perform(.openBatch(trip))
        return try Self.decode { () throws(WireError) in try BatchID(result: result) }
    }

    /// Brings edits of a batch, at most `TripLimits.operations` at a time; nothing is changed before it is committed.
    public func add(_ edits: [Edit], to batch: BatchID) async throws(ClientError) {
        _ = try await perform(.addToBatch(batch, edits))
    }

    /// Makes all that a batch holds, as one change; the batch is over then, unless this is a dry run.
    ///
    /// - Parameter options: `ifItemVersion` is not heeded here.
    public func commit(
        _ batch: BatchID, _ options: ChangeOptions = ChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        let result = try await perform(.commitBatch(batch, options))
        return try Self.decode { () throws(WireError) in try ChangeResult(result: result) }
    }

    /// Gives up what a batch holds.
    public func drop(_ batch: BatchID) async throws(ClientError) { _ = try await perform(.dropBatch(batch)) }

    /// What was changed in a trip, the newest first.
    public func history(_ request: HistoryRequest) async throws(ClientError) -> [HistoryEntry] {
        let result = try await perform(.history(request))
        return try Self.decode { () throws(WireError) in try HistoryEntry.list(result: result) }
    }

    /// Tells the others which item of a trip the cursor is on; nil for none. Only for a connection that is subscribed.
    public func focus(on item: ItemID?, in trip: TripReference) async throws(ClientError) {
        _ = try await perform(.focus(trip, item))
    }

    /// Takes back this client's last change of a trip.
    public func undo(
        in trip: TripReference, _ options: ChangeOptions = ChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        let result = try await perform(.undo(trip, options))
        return try Self.decode { () throws(WireError) in try ChangeResult(result: result) }
    }

    /// Makes again what was last taken back.
    public func redo(
        in trip: TripReference, _ options: ChangeOptions = ChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        let result = try await perform(.redo(trip, options))
        return try Self.decode { () throws(WireError) in try ChangeResult(result: result) }
    }

    /// Subscribes to a trip's changes, which are told as snapshots: `mode` and `since` are not heeded here.
    ///
    /// - Returns: the trip as it is now, which the notifications go on from, and who has it open.
    public func subscribe(
        _ subscribe: Subscribe
    ) async throws(ClientError) -> (snapshot: Snapshot, users: [PresentUser]) {
        var subscribe = subscribe
        (subscribe.mode, subscribe.since) = (.snapshot, nil)
        let result = try await perform(.subscribe(subscribe))
        return try Self.decode { () throws(WireError) in
            let subscription = try Subscription(result: result)
            guard case .snapshot(let snapshot) = subscription.start else {
                throw WireError(.internalError, "a subscription without its snapshot")
            }
            return (snapshot, subscription.users)
        }
    }

    /// Takes hold of an item.
    public func beginDrag(of item: ItemID, in trip: TripReference) async throws(ClientError) -> DragStart {
        let result = try await perform(.beginDrag(trip, item, tellsGaps: false))
        return try Self.decode { () throws(WireError) in try DragStart(result: result) }
    }

    /// Tells where the dragged item is held, and keeps the drag alive.
    public func hover(_ drag: DragID, over placement: Placement?) async throws(ClientError) {
        _ = try await perform(.hover(drag, over: placement))
    }

    /// Puts the dragged item down; the drag is over, whatever the answer.
    public func drop(_ drop: Drop) async throws(ClientError) -> ChangeResult {
        let result = try await perform(.drop(drop))
        return try Self.decode { () throws(WireError) in try ChangeResult(result: result) }
    }

    /// Lets go of the dragged item where it was.
    public func cancel(_ drag: DragID) async throws(ClientError) {
        _ = try await perform(.cancelDrag(drag))
    }

    static func decode<Value>(
        _ body: () throws(WireError) -> Value
    ) throws(ClientError) -> Value {
        do throws(WireError) { return try body() } catch { throw .garbled(error.message) }
    }
}
