import ItineraryUI
import TripModel

/// Simulates a live trip for an editor. It shows the user's changes on top of the daemon's trip, and the same
/// state during a drag. The script decides the daemon's answers and their time.
package struct PlayedTrip: Sendable {
    private struct Asked {
        let number: Int
        let edits: [Edit]
        let isDrop: Bool
    }

    /// The daemon's last state.
    package private(set) var daemon: TripView
    private var held: TripView?
    private var asked: [Asked] = []
    /// Changes that are answered, but not in the daemon's state yet.
    private var made: [[Edit]] = []
    private var hasNewItem = false
    /// The dragged item.
    package private(set) var dragged: ItemID?
    /// The number of newer states since the drag began.
    private var deferredCount = 0

    /// An open trip without other users.
    package init(_ view: TripView) { daemon = view }

    /// The view for the editor.
    package var view: TripView {
        var view = daemon
        let shown = held ?? daemon
        (view.trip, view.problems) = (shown.trip, shown.problems)
        var isChanged = false
        for edits in made + asked.map(\.edits) where !edits.isEmpty {
            let author = Author(name: "Ann", at: Timestamp(milliseconds: 0))
            if (try? view.trip.apply(edits, by: author)) != nil { isChanged = true }
        }
        if isChanged { view.problems = view.trip.problems }
        if held != nil { view.news = [] }
        view.waitingCount = max(daemon.waitingCount, deferredCount)
        view.unanswered = asked.count
        return view
    }

    /// Applies an effect to the trip; returns whether the view changed.
    package mutating func perform(_ effect: EditorEffect) -> Bool {
        switch effect {
        case .beginDrag(let item):
            dragged = item
            daemon.drag = .asked
            held = held ?? daemon
        case .drop(let number, let placement):
            guard let item = dragged else { return false }
            asked.append(Asked(number: number, edits: [.move(item, to: placement)], isDrop: true))
            endDrag()
        case .cancelDrag: endDrag()
        case .hold:
            hasNewItem = true
            held = held ?? daemon
        case .release:
            hasNewItem = false
            unhold()
        case .apply(let number, let edits): asked.append(Asked(number: number, edits: edits, isDrop: false))
        case .undo(let number), .redo(let number):
            asked.append(Asked(number: number, edits: [], isDrop: false))
        default: return false
        }
        return true
    }

    /// Several changes of one item are reported as one.
    private mutating func note(_ edit: RemoteEdit) {
        guard let id = (edit.before ?? edit.after)?.id,
            let index = daemon.news.firstIndex(where: { ($0.before ?? $0.after)?.id == id })
        else { return daemon.news.append(edit) }
        let before = daemon.news[index].before
        daemon.news[index] = RemoteEdit(user: edit.user, before: before, after: edit.after)
    }

    private mutating func endDrag() {
        dragged = nil
        daemon.drag = .none
        unhold()
    }

    private mutating func unhold() {
        if dragged != nil || hasNewItem { return }
        if deferredCount > 0 { made = [] }
        held = nil
        deferredCount = 0
    }

    // MARK: The daemon

    /// The daemon sends a newer state, which contains all answered changes.
    package mutating func load(_ trip: Trip, _ problems: [Problem], news: [RemoteEdit] = []) {
        (daemon.trip, daemon.problems) = (trip, problems)
        for edit in news { note(edit) }
        if held == nil { made = [] } else { deferredCount += 1 }
    }

    /// The daemon grants the lease of the dragged item.
    package mutating func grant() { if daemon.drag == .asked { daemon.drag = .held } }

    /// The drag ends without a drop.
    package mutating func lose(_ reason: String) {
        guard dragged != nil else { return }
        let wasHeld = daemon.drag == .held
        endDrag()
        daemon.drag = .lost(reason, wasHeld: wasHeld)
    }

    /// Answers the oldest pending change or drop; returns its number, if there is one.
    package mutating func answer(isMade: Bool, dropsOnly: Bool = false) -> Int? {
        guard let index = asked.firstIndex(where: { !dropsOnly || $0.isDrop }) else { return nil }
        let change = asked.remove(at: index)
        if isMade { made.append(change.edits) }
        return change.number
    }

    /// The edits of the oldest pending change.
    package var oldest: [Edit]? { asked.first?.edits }

    package mutating func meet(_ people: [Person]) { daemon.people = people }
    package mutating func wait(for count: Int) { daemon.waitingCount = max(count, 0) }

    /// The connection changes, which ends a drag.
    package mutating func connect(_ status: ConnectionStatus) {
        if case .lost(let reason) = status { lose(reason) }
        daemon.connection = status
    }

    /// The current view, with others' changes since the last call.
    package mutating func takeView() -> TripView {
        let view = view
        if held == nil { daemon.news = [] }
        return view
    }
}
