import Observation
import TripModel
import TripProtocol

/// A live trip for SwiftUI. Everything is on the main actor, and every change returns with an updated
/// `state`, so that a list's `onMove` has changed its source before it returns.
///
/// It closes its live trip when there are no more references, as a `LiveTrip` does; `close()` waits for that.
@MainActor @Observable
public final class ObservableTrip {
    /// A change that was not applied, or may not have been.
    public struct Failure: Identifiable, Sendable {
        /// Identifies it among the failures of an observable trip.
        public let id: Int
        /// The change.
        public let change: LiveTrip.Change
        /// The reason.
        public let error: ClientError
    }

    /// Maximum number of retained failures, and of edits of others; the oldest are dropped.
    public static let capacity = 256

    /// The state to show.
    public private(set) var state: LiveTrip.State
    /// Changes that were not applied, or may not have been, the oldest first, until `dismiss`.
    public private(set) var failures: [Failure] = []
    /// Edits of others since `dismissNews`, in the order of arrival.
    public private(set) var news: [LiveTrip.OthersEdit] = []

    /// The live trip, for asynchronous calls such as `history`.
    @ObservationIgnored public let live: LiveTrip
    @ObservationIgnored private var revision: Int
    @ObservationIgnored private var nextFailure = 1
    @ObservationIgnored private var reader: Task<Void, Never>?

    /// Observes an open live trip.
    public init(_ live: LiveTrip) {
        self.live = live
        let shown = live.shown
        (state, revision) = (shown.state, shown.revision)
        // Cancelled in `deinit`, which can run because the task does not retain this object while it waits.
        reader = Task { [weak self] in
            var states = live.states.makeAsyncIterator()
            while await states.nextShown() != nil {
                guard let self else { return }
                // The edits are read first, so that the state that is read next contains all of them.
                let news = live.takeNews()
                self.show(live.shown)
                self.news = (self.news + news).suffix(Self.capacity)
            }
        }
    }

    deinit { reader?.cancel() }

    /// Opens a trip.
    ///
    /// - Throws: as `LiveTrip.open`.
    public static func open(
        _ trip: TripReference, at address: DaemonAddress = .standard,
        options: LiveTrip.Options = LiveTrip.Options()
    ) async throws(ClientError) -> ObservableTrip {
        ObservableTrip(try await LiveTrip.open(trip, at: address, options: options))
    }

    /// Delivers pending changes up to a timeout, and closes; see `LiveTrip.close`.
    @discardableResult
    public func close(waitingUpTo timeout: Duration = LiveTrip.deliveryTime) async -> Int {
        await live.close(waitingUpTo: timeout)
    }

    /// The trip with the user's changes.
    public var trip: Trip { state.trip }
    /// How the daemon can be reached.
    public var connection: LiveTrip.Connection { state.connection }
    /// The number of changes without an answer.
    public var pendingCount: Int { state.pendingCount }
    /// The user's drag.
    public var drag: LiveTrip.Drag { state.drag }

    /// Submits a change: `state` shows it at once. If it is not applied, or may not have been, `failures`
    /// contains it later.
    @discardableResult
    public func submit(
        _ change: LiveTrip.Change, options: LiveTrip.ChangeOptions = LiveTrip.ChangeOptions()
    ) -> LiveTrip.SubmittedChange {
        let submitted = live.submit(change, options: options)
        show(submitted.shown)
        // Ends with the outcome of the change, which always comes: at the latest when the live trip is closed.
        Task { [weak self] in
            do throws(ClientError) { _ = try await submitted.result } catch { self?.fail(change, error) }
        }
        return submitted
    }

    /// Adds an item; see `LiveTrip.add`.
    @discardableResult
    public func add(
        _ content: ItemContent, as id: ItemID = .random(), to placement: Placement? = nil
    ) -> LiveTrip.SubmittedChange { submit(.edits([.add(id, content, to: placement)])) }

    /// Moves an item.
    @discardableResult
    public func move(_ item: ItemID, to placement: Placement) -> LiveTrip.SubmittedChange {
        submit(.edits([.move(item, to: placement)]))
    }

    /// Changes fields of an item.
    @discardableResult
    public func update(_ item: ItemID, _ changes: [FieldChange]) -> LiveTrip.SubmittedChange {
        submit(.edits([.update(item, changes)]))
    }

    /// Removes an item.
    @discardableResult
    public func remove(_ item: ItemID) -> LiveTrip.SubmittedChange { submit(.edits([.remove(item)])) }

    /// Undoes this client's last change.
    @discardableResult
    public func undo() -> LiveTrip.SubmittedChange { submit(.undo) }

    /// Redoes the last undo.
    @discardableResult
    public func redo() -> LiveTrip.SubmittedChange { submit(.redo) }

    /// Begins to drag an item; `drag` shows whether the daemon grants it. Call `hover` while it moves.
    public func beginDrag(of item: ItemID) {
        live.submitDrag(of: item)
        show(live.shown)
    }

    /// Sends the place under the dragged item to the others, and extends the drag; see `LiveTrip.hover`.
    public func hover(over placement: Placement?) { live.hover(over: placement) }

    /// Drops the dragged item.
    @discardableResult
    public func drop(_ placement: Placement) -> LiveTrip.SubmittedChange { submit(.drop(placement)) }

    /// Cancels the drag.
    public func cancelDrag() {
        live.cancelDrag()
        show(live.shown)
    }

    /// Removes failures that the user has seen.
    public func dismiss(_ seen: Failure.ID...) { failures.removeAll { seen.contains($0.id) } }

    /// Removes all edits of others that the user has seen.
    public func dismissNews() { news = [] }

    /// Shows a state unless a newer one is shown already: a submitted change overtakes the states on their way here.
    private func show(_ shown: ShownState) {
        guard shown.revision > revision else { return }
        (state, revision) = (shown.state, shown.revision)
    }

    private func fail(_ change: LiveTrip.Change, _ error: ClientError) {
        failures = (failures + [Failure(id: nextFailure, change: change, error: error)]).suffix(Self.capacity)
        nextFailure += 1
    }
}
