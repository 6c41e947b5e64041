import TripModel

/// What the editor wants done. The driver does it in the given order and tells the outcome as an event.
package enum EditorEffect: Equatable, Sendable {
    /// Ask for the item; answered by `.dragGranted` or `.dragRefused`, and by neither after `.cancelDrag`.
    case beginDrag(ItemID)
    /// Tell the others where the lifted item hovers; nil where it does not.
    case hover(Placement?)
    /// Put the lifted item there; answered by `.dropAccepted` or `.dropRefused`.
    case drop(Placement)
    /// Give the item back; not answered. The drag may only be asked for yet.
    case cancelDrag
    /// Every other change; answered by `.editAccepted` or `.editRefused`.
    case apply([Edit])
    /// Take back the user's last change; answered as `.apply`.
    case undo
    /// Make it again; answered as `.apply`.
    case redo
    /// Find out which trips there are; answered by `.trips` or `.failed`.
    case listTrips
    /// Open another trip instead of this one.
    case openTrip(TripID)
    /// Read a file with a schedule; answered by `.importPreview` or `.failed`.
    case previewImport(path: String)
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
