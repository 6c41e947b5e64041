import TerminalCore
import TripModel

/// Everything that can happen to the editor.
package enum EditorEvent: Sendable {
    /// The user did something.
    case input(InputEvent)
    /// The terminal has this size now, in cells.
    case resized(columns: Int, rows: Int)
    /// The time asked for by `EditorEffect.wake` has come.
    case timer
    /// What there is to show: the first view, or a newer one. After each effect that does something to the trip the
    /// view that shows it comes before the next input.
    case shown(TripView)
    /// What became of a change, by the number that the editor gave it. Comes once for each.
    case outcome(Int, ChangeOutcome)
    /// The answer to `.listTrips`; and what was done to one of them, in a sentence.
    case trips(TripList, said: String?)
    /// The answer to `.listHistory`: the newest first.
    case history([HistoryLine])
    /// There is no trip to show: one is to be chosen or made.
    case lobby(Lobby)
    /// The answer to `.previewImport` and to `.takeImport` where the trip has changed: what the file would change.
    case importPreview(ImportPreview)
    /// The answer to `.takeImport`: the edits that are agreed to, in parts that each fit into one request.
    case importEdits([Edit])
    /// Something that was asked for beside the trip was not possible, and why.
    case failed(Errand.Wish, String)
    /// The answer to `.changeTrip` where somebody else has changed the same: what the trip is now, nothing being done.
    case conflict(TripPlan)
    /// The editor, or the trip that is open, is left as soon as what is on its way has arrived, which takes its time.
    case leaving(opensOther: Bool)
    /// The trip that is open has gone, and why: it is left by `EditorEffect.leaveTrip` when that has been read.
    case ended(String)
    /// The editor has to be left, other than by a key; answered by `EditorEffect.quit`.
    case leave(Departure)
    /// What was not done in a session before, a sentence each, where nobody was there to be told.
    case unsaid([String])
    /// One sentence about something that is not of the trip.
    case announced(String)
}

/// What became of one of the user's changes.
package enum ChangeOutcome: Equatable, Sendable {
    /// It is made. What an undo or redo took back, in words; and the items that it brought or changed.
    case made(summary: String?, items: [ItemID])
    /// It is not made, and why.
    case refused(String)
    /// Nobody knows, and why.
    case unknown(String)
}
