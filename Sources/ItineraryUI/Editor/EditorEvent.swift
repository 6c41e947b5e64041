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

/// A request of the editor, to be executed in order. The resulting view must be sent by `.shown` before the
/// next event. Changes have ascending numbers, which identify their outcomes.
package enum EditorEffect: Equatable, Sendable {
    /// Begin to drag an item; views report the state of the lease.
    case beginDrag(ItemID)
    /// Send the others the current place of the dragged item; nil for none.
    case hover(Placement?)
    /// Drop the item; a change. The lease need not have been granted yet.
    case drop(Int, Placement)
    /// Cancel the drag.
    case cancelDrag
    /// A new item is being dragged: defer others' changes in views.
    case hold
    /// End that deferral.
    case release
    /// Apply these edits, all or none; a change.
    case apply(Int, [Edit])
    /// Undo the user's last change; a change.
    case undo(Int)
    /// Redo it; a change.
    case redo(Int)
    /// Send the others the row under the cursor; nil for none.
    case focus(ListRow?)
    /// Fetch the history; answered by `.history` or `.failed`.
    case listHistory
    /// Fetch the list of trips; answered by `.trips` or `.failed`.
    case listTrips
    /// Open another trip; answered by `.failed` if that is impossible.
    case openTrip(TripID)
    /// Close the trip, which is gone; answered by `.lobby`.
    case leaveTrip
    /// Create a trip with this id and open it; answered by `.failed` if it fails or the outcome is unknown.
    /// Repeated with the same id, it is created once.
    case createTrip(TripPlan, as: TripID)
    /// Change a trip that is not open. `from` is its state when the form was opened. Answered by `.trips`, by
    /// `.conflict` if others have changed the same fields, or by `.failed`.
    case changeTrip(TripID, TripChange, from: TripPlan)
    /// Copy a trip to a new one with this id and open it; otherwise like `createTrip`.
    case copyTrip(TripID, TripPlan, as: TripID)
    /// Delete a trip, which can be restored for some time. Answered by `.trips`, or by `.failed`, also if its
    /// name or number of items has changed.
    case deleteTrip(TripID, named: String, itemCount: Int)
    /// Restore a deleted trip and open it; answered by `.failed` if it fails or the outcome is unknown.
    case restoreTrip(TripID)
    /// Preview the import of a file; answered by `.importPreview` or `.failed`.
    case previewImport(path: String)
    /// Import the previewed file; answered by `.importEdits`, or by `.importPreview` if the result would
    /// differ by now.
    case takeImport
    /// Open a URL that begins with `http:`, `https:` or `mailto:`; answered by `.failed` if that is
    /// impossible.
    case openLink(String)
    /// Start a stopped daemon; answered by `.failed` if that is impossible.
    case startDaemon
    /// Enable or disable mouse reports.
    case captureMouse(Bool)
    /// Ring the terminal's bell.
    case bell
    /// Close the editor.
    case quit
    /// Suspend the process, as Ctrl-Z does, and redraw everything afterwards.
    case suspend
    /// Send `.timer` after this time; replaces an earlier timer.
    case wake(after: Duration)
}

/// Feedback for a grab, a drop and a refusal besides the message (`--feedback`).
package enum Feedback: String, Equatable, Sendable, CaseIterable {
    /// Flashes and fades.
    case visual
    /// The terminal's bell, at a refusal.
    case bell
    case both
    case off

    /// Whether anything flashes or fades.
    var isVisible: Bool { self == .visual || self == .both }
    /// Whether the bell rings.
    var isAudible: Bool { self == .bell || self == .both }
}
