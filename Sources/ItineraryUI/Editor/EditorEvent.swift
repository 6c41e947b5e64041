import TerminalCore
import TripModel

/// An event for the editor.
package enum EditorEvent: Sendable {
    /// Input of the user.
    case input(InputEvent)
    /// A new size of the terminal, in cells.
    case resized(columns: Int, rows: Int)
    /// The timer set by `EditorEffect.wake` fires.
    case timer
    /// A new view to show. After each effect on the trip, the view with its result comes before the next
    /// input.
    case shown(TripView)
    /// The outcome of a change, by its number; once for each change.
    case outcome(Int, ChangeOutcome)
    /// The answer to `.listTrips`, with a sentence about a finished operation.
    case trips(TripList, said: String?)
    /// The answer to `.listHistory`, the newest change first.
    case history([HistoryLine])
    /// No trip is open; the user must choose or create one.
    case lobby(Lobby)
    /// The answer to `.previewImport`, and to `.takeImport` if the trip has changed: the changes that the
    /// file would make.
    case importPreview(ImportPreview)
    /// The answer to `.takeImport`: the confirmed edits.
    case importEdits([Edit])
    /// An operation failed, with the reason.
    case failed(PendingOperation.Kind, String)
    /// The answer to `.changeTrip` if another user has changed the same fields: the present state. Nothing
    /// was changed.
    case conflict(TripPlan)
    /// The editor or the trip will be closed when changes in flight have arrived, which takes some time.
    case leaving(opensOther: Bool)
    /// The open trip is gone, with the reason. The user is told, and then `EditorEffect.leaveTrip` follows.
    case ended(String)
    /// The editor must be closed, other than by a key; answered by `EditorEffect.quit`.
    case leave(Departure)
    /// Failed changes of an earlier session that could not be reported, a sentence each.
    case unsaid([String])
    /// A sentence that is not about the trip.
    case announced(String)
}

/// The outcome of a change.
package enum ChangeOutcome: Equatable, Sendable {
    /// It was applied. `summary` describes an undo or redo; `items` are the added and changed ones.
    case made(summary: String?, items: [ItemID])
    /// It was an undo or redo, and there is none left, with the sentence of the daemon.
    case noneLeft(String)
    /// It was refused, with the reason.
    case refused(String)
    /// The outcome is unknown, with the reason.
    case unknown(String)
}
