import LocalSystem
import TripModel
import TripProtocol

/// What the user does. Every change is shown at once, and taken back where the daemon refuses it.
extension LiveTrip {
    /// Adds an item.
    ///
    /// - Parameters:
    ///   - id: its id, for life.
    ///   - placement: where; left out, at the end of day 1, travel at its first valid place. A game takes none.
    @discardableResult
    public func add(
        _ content: ItemContent, as id: ItemID = .random(), to placement: Placement? = nil
    ) async throws(ClientError) -> ChangeResult {
        try await apply([.add(id, content, to: placement)])
    }

    /// Moves an item.
    @discardableResult
    public func move(_ item: ItemID, to placement: Placement) async throws(ClientError) -> ChangeResult {
        try await apply([.move(item, to: placement)])
    }

    /// Changes fields of an item.
    @discardableResult
    public func update(_ item: ItemID, _ changes: [FieldChange]) async throws(ClientError) -> ChangeResult {
        try await apply([.update(item, changes)])
    }

    /// Removes an item.
    @discardableResult
    public func remove(_ item: ItemID) async throws(ClientError) -> ChangeResult {
        try await apply([.remove(item)])
    }

    /// Changes the trip's own fields.
    @discardableResult
    public func update(_ change: TripChange) async throws(ClientError) -> ChangeResult {
        try await apply([.trip(change)])
    }

    /// Makes several edits as one change: all of them, or none.
    @discardableResult
    public func apply(_ edits: [Edit]) async throws(ClientError) -> ChangeResult {
        try await change(.edit(edits))
    }

    /// Takes back this client's last change. It is shown when the daemon says what that comes to.
    @discardableResult
    public func undo() async throws(ClientError) -> ChangeResult { try await change(.undo) }

    /// Makes again what was last taken back.
    @discardableResult
    public func redo() async throws(ClientError) -> ChangeResult { try await change(.redo) }

    // MARK: Dragging

    /// Takes an item in hand, and returns when the daemon holds it for this client; the state has it in hand at
    /// once. Until it is put down, given back or lost, the shown trip stays as it is but for this client's changes.
    /// A caller that is cancelled gives the item back.
    ///
    /// There has to be a connection, and a drag ends with it.
    public func beginDrag(of item: ItemID) async throws(ClientError) {
        // What is in hand then is another caller's.
        if Task.isCancelled { throw .cancelled }
        do throws(ClientError) { _ = try await settlement(of: .beginDrag(item)) } catch {
            if case .cancelled = error { cancelDrag() }
            throw error
        }
    }

    /// Tells the others where the item in hand is held; nil for nowhere in particular. A drag that rests is kept
    /// without it.
    public func hover(over placement: Placement?) { perform(.hover(placement)) { _ in } }

    /// Puts the item in hand down. From now on the newest state is shown, whatever the answer.
    @discardableResult
    public func drop(_ placement: Placement) async throws(ClientError) -> ChangeResult {
        try await change(.drop(placement))
    }

    /// Tells the others which item the cursor is on; nil for none. They see it in `LiveTripState.people`.
    ///
    /// It may be called as often as the cursor moves, also without a connection: the newest is told, when it can be.
    public func focus(on item: ItemID?) { perform(.focus(item)) { _ in } }

    /// Keeps what is shown as it is, but for this client's changes: the user has something in hand that is not of the
    /// trip yet, such as a new item. What others do is counted meanwhile. Until `release`, also without a connection.
    public func hold() { perform(.hold) { _ in } }

    /// Ends `hold`: the newest state is shown again.
    public func release() { perform(.release) { _ in } }

    /// Gives the item in hand back, to where it was.
    public func cancelDrag() { perform(.cancelDrag) { _ in } }

    // MARK: Waiting

    private func change(_ intent: LiveTripCore.Intent) async throws(ClientError) -> ChangeResult {
        guard case .changed(let result) = try await settlement(of: intent) else {
            preconditionFailure("a change is settled as one")
        }
        return result
    }

    private func settlement(
        of intent: LiveTripCore.Intent
    ) async throws(ClientError) -> LiveTripCore.Settlement {
        if Task.isCancelled { throw .cancelled }
        let number = nextIntent
        let settlement = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                perform(intent) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            // Runs after the wait has begun: that happens on the loop without a pause in between.
            loop.execute { [self] in
                enter { $0.callers.removeValue(forKey: number)?(.failed(.cancelled)) }
            }
        }
        if case .failed(let error) = settlement { throw error }
        return settlement
    }

    /// Does what the user wants, in the order of these calls, and tells later what became of it; what comes to
    /// nothing that is told never is.
    package func perform(
        _ intent: LiveTripCore.Intent, then tell: @escaping @Sendable (LiveTripCore.Settlement) -> Void
    ) {
        let number = nextIntent
        nextIntent += 1
        switch intent {
        case .edit, .undo, .redo, .drop, .beginDrag: callers[number] = tell
        case .hover, .cancelDrag, .focus, .hold, .release: break
        }
        let moment = Timestamp(milliseconds: LocalSystem.WallClock.nowMilliseconds)
        run(core.perform(intent, id: number, at: moment, now: loop.now))
    }
}
