import TripModel
import TripProtocol

/// Changes. Each one is shown at once, and rolled back if the daemon refuses it.
///
/// Each asynchronous call submits its change before it waits, and throws `refused`, `notMade` or `outcomeUnknown`; see
/// `ClientError`. If its task is cancelled before, nothing is submitted (`notMade`). If its task is cancelled while it
/// waits, it throws `outcomeUnknown`; the change stays pending and is delivered.
extension LiveTrip {
    /// A change of the trip.
    public enum Change: Equatable, Sendable {
        /// Edits that are applied together as one change, or not at all.
        case edits([Edit])
        /// Drops the dragged item.
        case drop(Placement)
        /// Undoes this client's last change. The daemon's answer comes first, then the state that shows it.
        case undo
        /// Redoes the last undo.
        case redo

        var intent: LiveTripCore.Intent {
            switch self {
            case .edits(let edits): .edit(edits)
            case .drop(let placement): .drop(placement)
            case .undo: .undo
            case .redo: .redo
            }
        }
    }

    /// Submits a change and returns at once with the state that shows it, for example for a list that must change
    /// before its callback returns. Changes are applied in the order of these calls. Does not wait for the daemon.
    @discardableResult
    public func submit(
        _ change: Change, options: ChangeOptions = ChangeOptions()
    ) -> SubmittedChange {
        let outcome = Outcome()
        let shown = driver.submit(change.intent, options) { outcome.resolve($0) }
        return SubmittedChange(shown: shown ?? self.shown, outcome: outcome)
    }

    /// Adds an item.
    ///
    /// - Parameters:
    ///   - id: its permanent id.
    ///   - placement: its place; nil for the end of day 1, or for the first valid place of travel. A game has
    ///     no placement.
    @discardableResult
    public func add(
        _ content: ItemContent, as id: ItemID = .random(), to placement: Placement? = nil,
        options: ChangeOptions = ChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        try await make(.edits([.add(id, content, to: placement)]), options)
    }

    /// Moves an item.
    @discardableResult
    public func move(
        _ item: ItemID, to placement: Placement, options: ChangeOptions = ChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        try await make(.edits([.move(item, to: placement)]), options)
    }

    /// Changes fields of an item.
    @discardableResult
    public func update(
        _ item: ItemID, _ changes: [FieldChange], options: ChangeOptions = ChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        try await make(.edits([.update(item, changes)]), options)
    }

    /// Removes an item.
    @discardableResult
    public func remove(
        _ item: ItemID, options: ChangeOptions = ChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        try await make(.edits([.remove(item)]), options)
    }

    /// Changes the trip's own fields.
    @discardableResult
    public func update(
        _ change: TripChange, options: ChangeOptions = ChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        try await make(.edits([.trip(change)]), options)
    }

    /// Applies several edits as one change, or none of them.
    @discardableResult
    public func apply(
        _ edits: [Edit], options: ChangeOptions = ChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        try await make(.edits(edits), options)
    }

    /// Undoes this client's last change, and returns when the state shows that; during a drag, when the daemon has
    /// answered.
    @discardableResult
    public func undo(
        options: ChangeOptions = ChangeOptions()
    ) async throws(ClientError) -> ChangeResult { try await make(.undo, options) }

    /// Redoes the last undo, and returns like `undo`.
    @discardableResult
    public func redo(
        options: ChangeOptions = ChangeOptions()
    ) async throws(ClientError) -> ChangeResult { try await make(.redo, options) }

    private func make(
        _ change: Change, _ options: ChangeOptions
    ) async throws(ClientError) -> ChangeResult {
        if Task.isCancelled { throw .cancelledBefore }
        return try await submit(change, options: options).result
    }

    // MARK: Dragging

    /// Begins to drag an item, and returns when the daemon has granted the lease; the state shows the drag at once.
    /// Until the item is dropped, cancelled or lost, the shown trip changes only by this client's changes.
    ///
    /// A drag needs a connection, and ends with it. Call `hover` while the item moves: without a call for
    /// `Options.dragTimeout` the drag is abandoned.
    ///
    /// - Throws: `ClientError`; if the task is cancelled, `notMade`, and the drag is cancelled.
    public func beginDrag(of item: ItemID) async throws(ClientError) {
        // Checked first, because another caller may have a drag.
        if Task.isCancelled { throw .cancelledBefore }
        do throws(ClientError) {
            _ = try await outcome(of: .beginDrag(item)).value
        } catch {
            guard case .outcomeUnknown = error else { throw error }
            cancelDrag()
            throw .notMade("the task was cancelled, and so was the drag")
        }
    }

    /// Begins to drag an item and returns at once; `LiveTrip.State.drag` shows whether the daemon grants it.
    @discardableResult
    public func submitDrag(of item: ItemID) -> State {
        (driver.submit(.beginDrag(item), caller: nil) ?? shown).state
    }

    /// Sends the place under the dragged item to the others; nil for none. Extends the drag by
    /// `Options.dragTimeout`. May be called as often as the pointer moves.
    public func hover(over placement: Placement?) { driver.submit(.hover(placement), caller: nil) }

    /// Drops the dragged item. From now on the newest state is shown, whatever the answer.
    @discardableResult
    public func drop(
        _ placement: Placement, options: ChangeOptions = ChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        try await make(.drop(placement), options)
    }

    /// Cancels the drag; the item returns to its place.
    public func cancelDrag() { driver.submit(.cancelDrag, caller: nil) }

    /// Sends the row at the cursor to the others, who see it in `LiveTrip.State.people`; nil for none.
    ///
    /// May be called as often as the cursor moves, also without a connection: the newest row is sent when possible.
    public func focus(on row: ListRow?) { driver.submit(.focus(row), caller: nil) }

    /// Pauses remote changes of the shown trip, because the user drags something that is not in the trip yet, such as a
    /// new item. Changes of others are counted. It lasts until `release`, also without a connection.
    public func hold() { driver.submit(.hold, caller: nil) }

    /// Ends `hold`: the newest state is shown again.
    public func release() { driver.submit(.release, caller: nil) }

    // MARK: Questions

    /// The result of edits as one change, without applying them; this client's earlier changes count.
    ///
    /// - Throws: `refused` if the daemon would refuse the change; `cancelled`, or the reason why there is no answer.
    public func dryRun(
        _ edits: [Edit], options: ChangeOptions = ChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        guard case .changed(let result) = try await answer(to: .dryRun(edits), options) else {
            throw .garbled("the answer to a dry run has no result")
        }
        return result
    }

    /// The trip's changes, newest first.
    ///
    /// - Parameters:
    ///   - before: an upper bound of the versions, exclusive.
    ///   - since: a lower bound, exclusive.
    ///   - limit: the maximum number of entries; 50 if nil, and at most 500.
    ///   - timeout: the timeout for the answer; nil for none.
    /// - Throws: `cancelled`, or the reason why there is no answer.
    public func history(
        before: Int? = nil, since: HistoryRequest.Since? = nil, limit: Int? = nil, timeout: Duration? = nil
    ) async throws(ClientError) -> [HistoryEntry] {
        let question = Question.history(before: before, since: since, limit: limit)
        guard case .history(let entries) = try await answer(to: question, .init(timeout: timeout)) else {
            throw .garbled("the answer has no history")
        }
        return entries
    }

    private func answer(
        to question: Question, _ options: ChangeOptions
    ) async throws(ClientError) -> LiveTripCore.Resolution {
        if Task.isCancelled { throw .cancelled }
        do throws(ClientError) {
            return try await outcome(of: .ask(question), options).value
        } catch {
            if case .outcomeUnknown = error { throw .cancelled }
            throw error
        }
    }

    private func outcome(
        of intent: LiveTripCore.Intent, _ options: ChangeOptions = .init()
    ) -> Outcome {
        let outcome = Outcome()
        driver.submit(intent, options) { outcome.resolve($0) }
        return outcome
    }
}
