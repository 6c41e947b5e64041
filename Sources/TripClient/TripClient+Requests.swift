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
    public func delete(_ trip: TripReference) async throws(ClientError) {
        _ = try await perform(.deleteTrip(trip, ifVersion: nil, isDryRun: false))
    }

    /// Changes a trip: one edit by its own method, several as one batch.
    public func change(_ change: ChangeRequest) async throws(ClientError) -> ChangeResult {
        let result = try await perform(.change(change))
        return try Self.decode { () throws(WireError) in try ChangeResult(result: result) }
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
            guard let snapshot = result["snapshot"] else {
                throw WireError(.internalError, "a subscription without its snapshot")
            }
            return (try Snapshot(result: snapshot), try PresentUser.list(in: result))
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
