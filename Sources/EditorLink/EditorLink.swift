import ItineraryUI
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// Connects an editor to its live trip: converts states to views, effects to intents, and results to
/// outcomes. It has no state of its own.
package enum EditorLink {
    // MARK: To the editor

    /// The editor's view of a state.
    ///
    /// - Parameter news: others' edits since the previous view.
    package static func view(of state: LiveTrip.State, news: [LiveTrip.OthersEdit]) -> TripView {
        var view = TripView(trip: state.trip, problems: state.problems)
        view.userName = state.user
        view.people = state.people.filter { $0.connectionID != state.connectionID }
            .map {
                Person(
                    name: $0.role == .viewer ? "\($0.user) (viewing)" : $0.user, id: $0.connectionID,
                    dragging: $0.dragging, over: $0.over, focus: $0.focus)
            }
        view.waitingCount = state.waitingVersions
        view.connection = connection(of: state)
        view.mayChange = state.role == .editor
        view.drag = drag(of: state)
        view.unanswered = state.pendingCount
        view.isCatchingUp = state.isCatchingUp
        view.doubtful = state.connection == .connected ? state.doubtfulCount : 0
        view.news = news.map { RemoteEdit(user: $0.user ?? "somebody", before: $0.before, after: $0.after) }
        return view
    }

    private static func connection(of state: LiveTrip.State) -> ConnectionStatus {
        switch state.connection {
        case .connected: return state.isSilent ? .silent : .connected
        case .connecting(_, let reason):
            if state.lastLoss == .closed(.shuttingDown) { return .stopped }
            // Reconnects fail for other reasons; the reason of the loss says more.
            return .lost((state.lastLoss ?? reason).map(\.description) ?? "")
        case .ended(let error): return .lost(error.description)
        }
    }

    private static func drag(of state: LiveTrip.State) -> DragStatus {
        switch state.drag {
        case .none: .none
        case .asked: .asked
        case .held: .held
        case .lost(_, .notBegun(let reason)): .lost(reason, wasHeld: false)
        case .lost(_, .refused(let error)): .lost(error.sentence, wasHeld: false)
        case .lost(_, .ended(let end)): .lost(end.explanation, wasHeld: true)
        case .lost(_, .abandoned): .lost("it was idle for too long", wasHeld: true)
        case .lost(_, .disconnected):
            .lost(state.lastLoss?.description ?? "the connection was lost", wasHeld: true)
        }
    }

    /// The outcome of a change.
    package static func outcome(of resolution: LiveTripCore.Resolution) -> ChangeOutcome {
        switch resolution {
        case .changed(let result): .made(summary: result.summary, items: result.items.map(\.id))
        case .granted, .history: .made(summary: nil, items: [])
        case .failed(.outcomeUnknown(let reason)): .unknown(reason)
        case .failed(.refused(let error)) where [.nothingToUndo, .nothingToRedo].contains(error.known):
            .noneLeft(error.message)
        case .failed(.refused(let error)): .refused(error.sentence)
        case .failed(let error): .refused(error.description)
        }
    }

    // MARK: To the trip

    /// The live trip's intent for an effect, and its number if it is a change; nil for all other effects.
    package static func intent(of effect: EditorEffect) -> (intent: LiveTripCore.Intent, change: Int?)? {
        switch effect {
        case .beginDrag(let item): (.beginDrag(item), nil)
        case .hover(let placement): (.hover(placement), nil)
        case .drop(let number, let placement): (.drop(placement), number)
        case .cancelDrag: (.cancelDrag, nil)
        case .focus(let row): (.focus(row), nil)
        case .hold: (.hold, nil)
        case .release: (.release, nil)
        case .apply(let number, let edits): (.edit(edits), number)
        case .undo(let number): (.undo, number)
        case .redo(let number): (.redo, number)
        case .listTrips, .listHistory, .openTrip, .leaveTrip, .createTrip, .changeTrip, .copyTrip,
            .deleteTrip,
            .restoreTrip, .previewImport, .takeImport, .openLink, .startDaemon, .captureMouse, .bell, .quit,
            .suspend, .wake:
            nil
        }
    }
}
