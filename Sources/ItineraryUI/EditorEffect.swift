import TripModel

/// What the editor wants done, in the given order. Whoever does it shows the view that comes of it by `.shown` before
/// the next event. Changes have numbers, which rise; what became of one is told by its number.
package enum EditorEffect: Equatable, Sendable {
    /// Take hold of an item; the views say how far that has come.
    case beginDrag(ItemID)
    /// Tell the others where the lifted item hovers; nil where it does not.
    case hover(Placement?)
    /// Put the lifted item there; a change. What is in hand need not have been granted yet.
    case drop(Int, Placement)
    /// Give the item back.
    case cancelDrag
    /// Something that is not of the trip yet is in hand: the view stays as it is but for the user's changes.
    case hold
    /// It is not in hand any more.
    case release
    /// Make these edits, all of them or none; a change.
    case apply(Int, [Edit])
    /// Take back the user's last change; a change.
    case undo(Int)
    /// Make it again; a change.
    case redo(Int)
    /// Tell the others which item the cursor is on; nil for none.
    case focus(ItemID?)
    /// Find out what happened to the trip; answered by `.history` or `.failed`.
    case listHistory
    /// Find out which trips there are; answered by `.trips` or `.failed`.
    case listTrips
    /// Open another trip instead of this one; `.failed` where it cannot be opened.
    case openTrip(TripID)
    /// Leave the trip, which has gone; answered by `.lobby`.
    case leaveTrip
    /// Make a trip of this id and open it; `.failed` where it is not known to be made. Asked for again with the same id, it
    /// is made once.
    case createTrip(TripPlan, as: TripID)
    /// Change a trip that is not the one that is open, and that was this when the change was written; answered by `.trips`,
    /// by `.conflict` where others have changed the same, or by `.failed` where it is not known to be changed.
    case changeTrip(TripID, TripChange, from: TripPlan)
    /// Make a trip of this id with the items of another one and open it; as `createTrip`.
    case copyTrip(TripID, TripPlan, as: TripID)
    /// Delete a trip of this name, so that it can be restored for a while; answered by `.trips`, or by `.failed` where it is
    /// not known to be deleted, or called otherwise by now.
    case deleteTrip(TripID, named: String)
    /// Make a trip again that was deleted, by its key, under this id, and open it; as `createTrip`.
    case restoreTrip(String, as: TripID)
    /// Read a file with a schedule; answered by `.importPreview` or `.failed`.
    case previewImport(path: String)
    /// Import what was previewed; answered by `.importEdits`, or by `.importPreview` where it is another thing by now.
    case takeImport
    /// Have the system's program open an address, which begins with `http:`, `https:` or `mailto:`; `.failed` where that is
    /// not possible.
    case openLink(String)
    /// Start the daemon that somebody has stopped; `.failed` where that is not possible.
    case startDaemon
    /// Have the mouse reported, or leave it to the terminal.
    case captureMouse(Bool)
    /// Ring the terminal's bell.
    case bell
    /// Leave the editor.
    case quit
    /// Stop the process as Ctrl-Z does, and draw everything again when it goes on.
    case suspend
    /// Send `.timer` in so long; a later one replaces it.
    case wake(after: Duration)
}
