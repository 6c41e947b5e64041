import ItineraryUI
import TripModel

/// Plays a live trip for an editor: shows the user's changes upon the daemon's trip until that contains them, and
/// holds still while something is in hand. What the daemon answers, and when, is for the script to say.
package struct PlayedTrip: Sendable {
    private struct Asked {
        let number: Int
        let edits: [Edit]
        let isDrop: Bool
    }

    /// What the daemon has told last.
    package private(set) var daemon: TripView
    private var held: TripView?
    private var asked: [Asked] = []
    /// Answered, and not in the daemon's trip yet.
    private var made: [[Edit]] = []
    private var hasNewItem = false
    /// The item of the trip in the user's hand.
    package private(set) var inHand: ItemID?
    /// How many newer states came while something was in hand.
    private var deferredCount = 0

    /// A trip that is open and that nobody else has open.
    package init(_ view: TripView) { daemon = view }

    /// What the editor is to show.
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

    /// Takes over what an effect does to the trip; whether there is another view then.
    package mutating func perform(_ effect: EditorEffect) -> Bool {
        switch effect {
        case .beginDrag(let item):
            inHand = item
            daemon.drag = .asked
            held = held ?? daemon
        case .drop(let number, let placement):
            guard let item = inHand else { return false }
            asked.append(Asked(number: number, edits: [.move(item, to: placement)], isDrop: true))
            letGo()
        case .cancelDrag: letGo()
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

    /// Of an item that was changed more than once only the whole is told.
    private mutating func note(_ edit: RemoteEdit) {
        guard let id = (edit.before ?? edit.after)?.id,
            let index = daemon.news.firstIndex(where: { ($0.before ?? $0.after)?.id == id })
        else { return daemon.news.append(edit) }
        let before = daemon.news[index].before
        daemon.news[index] = RemoteEdit(user: edit.user, before: before, after: edit.after)
    }

    private mutating func letGo() {
        inHand = nil
        daemon.drag = .none
        unhold()
    }

    private mutating func unhold() {
        if inHand != nil || hasNewItem { return }
        if deferredCount > 0 { made = [] }
        held = nil
        deferredCount = 0
    }

    // MARK: The daemon's part

    /// The daemon tells a newer state, in which everything is that it has answered.
    package mutating func load(_ trip: Trip, _ problems: [Problem], news: [RemoteEdit] = []) {
        (daemon.trip, daemon.problems) = (trip, problems)
        for edit in news { note(edit) }
        if held == nil { made = [] } else { deferredCount += 1 }
    }

    /// The daemon grants what is in hand.
    package mutating func grant() { if daemon.drag == .asked { daemon.drag = .held } }

    /// The drag ends by itself.
    package mutating func lose(_ reason: String) {
        guard inHand != nil else { return }
        let wasHeld = daemon.drag == .held
        letGo()
        daemon.drag = .lost(reason, wasHeld: wasHeld)
    }

    /// The oldest change that is not answered is, or the oldest drop; its number, if there is one.
    package mutating func answer(isMade: Bool, dropsOnly: Bool = false) -> Int? {
        guard let index = asked.firstIndex(where: { !dropsOnly || $0.isDrop }) else { return nil }
        let change = asked.remove(at: index)
        if isMade { made.append(change.edits) }
        return change.number
    }

    /// The edits of the oldest change that is not answered.
    package var oldest: [Edit]? { asked.first?.edits }

    package mutating func meet(_ people: [Person]) { daemon.people = people }
    package mutating func wait(for count: Int) { daemon.waitingCount = max(count, 0) }

    /// The connection changes; a drag ends with it.
    package mutating func connect(_ status: ConnectionStatus) {
        if case .lost(let reason) = status { lose(reason) }
        daemon.connection = status
    }

    /// What is to be shown now, with what others have done since it was asked last.
    package mutating func takeView() -> TripView {
        let view = view
        if held == nil { daemon.news = [] }
        return view
    }
}
