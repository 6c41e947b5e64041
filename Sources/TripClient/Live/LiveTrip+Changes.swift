import TripModel
import TripProtocol

/// Changes. Every one is shown at once, and rolled back if the daemon refuses it.
///
/// Each asynchronous call submits its change before it waits, and throws `refused`, `notMade` or `outcomeUnknown`; see
/// `ClientError`. If its task is cancelled before, nothing is submitted (`notMade`). If its task is cancelled while it
/// waits, it throws `outcomeUnknown`; the change stays pending and is delivered.
extension LiveTrip {
    /// A change of the trip.
    public enum Change: Equatable, Sendable {
        /// Edits, as one change: all of them are made, or none.
        case edits([Edit])
        /// Puts the item in hand down.
        case drop(Placement)
        /// Takes back this client's last change. It is shown when the daemon has said what that comes to.
        case undo
        /// Makes again what was last taken back.
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

    /// Submits a change and returns at once with the state that shows it, for example for a list that must be changed before
    /// its callback returns. Changes are made in the order of these calls. Does not wait for the daemon.
    @discardableResult
    public func submit(
        _ change: Change, _ options: LiveChangeOptions = LiveChangeOptions()
    ) -> SubmittedChange {
        let outcome = Outcome()
        let shown = driver.submit(change.intent, options) { outcome.settle($0) }
        return SubmittedChange(shown: shown ?? self.shown, outcome: outcome)
    }

    /// Adds an item.
    ///
    /// - Parameters:
    ///   - id: its id, for life.
    ///   - placement: where; left out, at the end of day 1, travel at its first valid place. A game takes none.
    @discardableResult
    public func add(
        _ content: ItemContent, as id: ItemID = .random(), to placement: Placement? = nil,
        _ options: LiveChangeOptions = LiveChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        try await make(.edits([.add(id, content, to: placement)]), options)
    }

    /// Moves an item.
    @discardableResult
    public func move(
        _ item: ItemID, to placement: Placement, _ options: LiveChangeOptions = LiveChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        try await make(.edits([.move(item, to: placement)]), options)
    }

    /// Changes fields of an item.
    @discardableResult
    public func update(
        _ item: ItemID, _ changes: [FieldChange], _ options: LiveChangeOptions = LiveChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        try await make(.edits([.update(item, changes)]), options)
    }

    /// Removes an item.
    @discardableResult
    public func remove(
        _ item: ItemID, _ options: LiveChangeOptions = LiveChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        try await make(.edits([.remove(item)]), options)
    }

    /// Changes the trip's own fields.
    @discardableResult
    public func update(
        _ change: TripChange, _ options: LiveChangeOptions = LiveChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        try await make(.edits([.trip(change)]), options)
    }

    /// Makes several edits as one change: all of them, or none.
    @discardableResult
    public func apply(
        _ edits: [Edit], _ options: LiveChangeOptions = LiveChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        try await make(.edits(edits), options)
    }

    /// Takes back this client's last change. It is shown when the daemon has said what that comes to.
    @discardableResult
    public func undo(
        _ options: LiveChangeOptions = LiveChangeOptions()
    ) async throws(ClientError) -> ChangeResult { try await make(.undo, options) }

    /// Makes again what was last taken back.
    @discardableResult
    public func redo(
        _ options: LiveChangeOptions = LiveChangeOptions()
    ) async throws(ClientError) -> ChangeResult { try await make(.redo, options) }

    private func make(
        _ change: Change, _ options: LiveChangeOptions
    ) async throws(ClientError) -> ChangeResult {
        if Task.isCancelled { throw .cancelledBefore }
        return try await submit(change, options).result
    }

    // MARK: Dragging

    /// Begins to drag an item, and returns when the daemon holds it for this client; the state has it in hand at
    /// once. Until it is dropped, cancelled or lost, the shown trip stays as it is but for this client's changes.
    ///
    /// There has to be a connection, and a drag ends with it. Call `hover` while the item moves: without a call for
    /// `Options.dragTimeout` the drag ends as abandoned.
    ///
    /// - Throws: `ClientError`; if the task is cancelled, `notMade`, and the item is given back.
    public func beginDrag(of item: ItemID) async throws(ClientError) {
        // Another caller may have an item in hand.
        if Task.isCancelled { throw .cancelledBefore }
        do throws(ClientError) {
            _ = try await outcome(of: .beginDrag(item)).value
        } catch {
            guard case .outcomeUnknown = error else { throw error }
            cancelDrag()
            throw .notMade("the task was cancelled, and the item is given back")
        }
    }

    /// Begins to drag an item and returns at once; `LiveTripState.drag` says whether the daemon grants it.
    @discardableResult
    public func submitDrag(of item: ItemID) -> LiveTripState {
        (driver.submit(.beginDrag(item), caller: nil) ?? shown).state
    }

    /// Tells the others where the item in hand is held; nil for nowhere in particular. Extends the drag by
    /// `Options.dragTimeout`. May be called as often as the pointer moves.
    public func hover(over placement: Placement?) { driver.submit(.hover(placement), caller: nil) }

    /// Drops the item in hand. From now on the newest state is shown, whatever the answer.
    @discardableResult
    public func drop(
        _ placement: Placement, _ options: LiveChangeOptions = LiveChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        try await make(.drop(placement), options)
    }

    /// Gives the item in hand back, to where it was.
    public func cancelDrag() { driver.submit(.cancelDrag, caller: nil) }

    /// Tells the others which item the cursor is on; nil for none. They see it in `LiveTripState.people`.
    ///
    /// May be called as often as the cursor moves, also without a connection: the newest is sent when it can be.
    public func focus(on item: ItemID?) { driver.submit(.focus(item), caller: nil) }

    /// Keeps the shown trip as it is, but for this client's changes: the user has something in hand that is not in the
    /// trip yet, such as a new item. Changes of others are counted. Until `release`, also without a connection.
    public func hold() { driver.submit(.hold, caller: nil) }

    /// Ends `hold`: the newest state is shown again.
    public func release() { driver.submit(.release, caller: nil) }

    // MARK: Questions

    /// The result that edits would have as one change, without making it; this client's earlier changes count.
    ///
    /// - Throws: `refused` as the change would be; `cancelled`, or the reason why there is no answer.
    public func dryRun(
        _ edits: [Edit], _ options: LiveChangeOptions = LiveChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        guard case .changed(let result) = try await answer(to: .dryRun(edits), options) else {
            throw .garbled("the answer to a dry run is no result")
        }
        return result
    }

    /// The trip's changes, the newest first.
    ///
    /// - Parameters:
    ///   - before: only versions below it.
    ///   - since: only newer ones.
    ///   - limit: the most entries; 50 if left out, and never more than 500.
    ///   - timeout: how long to wait; nil: as long as it takes.
    /// - Throws: `cancelled`, or the reason why there is no answer.
    public func history(
        before: Int? = nil, since: HistoryRequest.Since? = nil, limit: Int? = nil, timeout: Duration? = nil
    ) async throws(ClientError) -> [HistoryEntry] {
        let question = Question.history(before: before, since: since, limit: limit)
        guard case .history(let entries) = try await answer(to: question, .init(timeout: timeout)) else {
            throw .garbled("the answer to a question for the history is none")
        }
        return entries
    }

    private func answer(
        to question: Question, _ options: LiveChangeOptions
    ) async throws(ClientError) -> LiveTripCore.Settlement {
        if Task.isCancelled { throw .cancelled }
        do throws(ClientError) {
            return try await outcome(of: .ask(question), options).value
        } catch {
            if case .outcomeUnknown = error { throw .cancelled }
            throw error
        }
    }

    private func outcome(
        of intent: LiveTripCore.Intent, _ options: LiveChangeOptions = .init()
    ) -> Outcome {
        let outcome = Outcome()
        driver.submit(intent, options) { outcome.settle($0) }
        return outcome
    }
}
