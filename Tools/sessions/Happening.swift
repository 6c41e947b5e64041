import ItineraryUI
import TerminalCore
import TripModel

/// An event for an editor: by the user, the daemon or other users.
package enum Happening: Sendable {
    case input(InputEvent)
    case resized(columns: Int, rows: Int)
    case timer
    /// The daemon sends a newer state.
    case loaded(TripView)
    case waiting(Int)
    case people([Person])
    case announced(String)
    case dragGranted
    /// The drag ends without a drop.
    case dragLost(String)
    /// The oldest drop succeeds.
    case dropAccepted
    case dropRefused(String)
    /// The oldest change succeeds.
    case editAccepted(String?, [ItemID] = [])
    case editRefused(String)
    case noneLeft(String)
    case editUnknown(String)
    case trips(TripList, said: String? = nil)
    case lobby(Lobby)
    case history([HistoryLine])
    case importPreview(ImportPreview)
    case importEdits([Edit])
    /// The awaited operation, or another one, fails.
    case failed(String)
    case conflict(TripPlan)
    case leaving
    case ended(String)
    /// The editor is closed from outside.
    case leave(Departure)
    case connection(ConnectionStatus)
}

/// An effect of an editor, without the numbers of changes and without effects that only pause the view.
package enum Did: Equatable {
    case beginDrag(ItemID)
    case hover(Placement?)
    case drop(Placement)
    case cancelDrag
    case apply([Edit])
    case undo
    case redo
    case listTrips
    case listHistory
    case openTrip(TripID)
    case leaveTrip
    case createTrip(TripPlan)
    case changeTrip(TripID, TripChange)
    case copyTrip(TripID, TripPlan)
    case deleteTrip(TripID)
    case restoreTrip(TripID)
    case previewImport(path: String)
    case takeImport
    case openLink(String)
    case startDaemon
    case captureMouse(Bool)
    case bell
    case quit
    case suspend

    /// Nil for an effect that is not compared.
    package init?(_ effect: EditorEffect) {
        switch effect {
        case .beginDrag(let item): self = .beginDrag(item)
        case .hover(let placement): self = .hover(placement)
        case .drop(_, let placement): self = .drop(placement)
        case .cancelDrag: self = .cancelDrag
        case .apply(_, let edits): self = .apply(edits)
        case .undo: self = .undo
        case .redo: self = .redo
        case .listTrips: self = .listTrips
        case .listHistory: self = .listHistory
        case .openTrip(let id): self = .openTrip(id)
        case .leaveTrip: self = .leaveTrip
        case .createTrip(let plan, _): self = .createTrip(plan)
        case .changeTrip(let id, let change, _): self = .changeTrip(id, change)
        case .copyTrip(let id, let plan, _): self = .copyTrip(id, plan)
        case .deleteTrip(let id, _, _): self = .deleteTrip(id)
        case .restoreTrip(let id): self = .restoreTrip(id)
        case .previewImport(let path): self = .previewImport(path: path)
        case .takeImport: self = .takeImport
        case .openLink(let address): self = .openLink(address)
        case .startDaemon: self = .startDaemon
        case .captureMouse(let captures): self = .captureMouse(captures)
        case .bell: self = .bell
        case .quit: self = .quit
        case .suspend: self = .suspend
        case .focus, .hold, .release, .wake: return nil
        }
    }
}

extension PlayedTrip {
    /// Applies an event to the simulated trip, and returns the editor's events.
    ///
    /// - Parameter awaited: the operation that the editor waits for.
    package mutating func happen(_ happening: Happening, awaited: PendingOperation.Kind? = nil)
        -> [EditorEvent]
    {
        switch happening {
        case .input(let input): return [.input(input)]
        case .resized(let columns, let rows): return [.resized(columns: columns, rows: rows)]
        case .timer: return [.timer]
        case .announced(let sentence): return [.announced(sentence)]
        case .trips(let trips, let said): return [.trips(trips, said: said)]
        case .lobby(let lobby): return [.lobby(lobby)]
        case .history(let lines): return [.history(lines)]
        case .importPreview(let preview): return [.importPreview(preview)]
        case .importEdits(let edits): return [.importEdits(edits)]
        case .failed(let reason): return [.failed(awaited ?? .aside, reason)]
        case .conflict(let plan): return [.conflict(plan)]
        case .leaving: return [.leaving(opensOther: false)]
        case .ended(let reason): return [.ended(reason)]
        case .leave(let departure): return [.leave(departure)]
        case .loaded(let view):
            load(view.trip, view.problems, news: view.news)
        case .waiting(let count): wait(for: count)
        case .people(let people): meet(people)
        case .dragGranted: grant()
        case .dragLost(let reason): lose(reason)
        case .connection(let status): connect(status)
        case .dropAccepted: return answer(.made(summary: nil, items: []), dropsOnly: true)
        case .dropRefused(let reason): return answer(.refused(reason), dropsOnly: true)
        case .editAccepted(let summary, let items): return answer(.made(summary: summary, items: items))
        case .editRefused(let reason): return answer(.refused(reason))
        case .noneLeft(let reason): return answer(.noneLeft(reason))
        case .editUnknown(let reason): return answer(.unknown(reason))
        }
        return [.shown(takeView())]
    }

    private mutating func answer(_ outcome: ChangeOutcome, dropsOnly: Bool = false) -> [EditorEvent] {
        let isMade = if case .made = outcome { true } else { false }
        guard let number = answer(isMade: isMade, dropsOnly: dropsOnly) else { return [] }
        return [.shown(takeView()), .outcome(number, outcome)]
    }
}
