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
    /// A state of the trip to show: the first one, or a newer one.
    case loaded(TripView)
    /// So many changes of others are held back while the user drags; 0 for none.
    case waiting(Int)
    /// The other people on this trip, all of them.
    case people([Person])
    /// One sentence about a change that somebody else made.
    case announced(String)
    /// The answer to `.beginDrag`: the item is ours.
    case dragGranted
    /// The answer to `.beginDrag`: it is not, and why.
    case dragRefused(String)
    /// The answer to `.drop`: it is done. A `.loaded` that shows it follows.
    case dropAccepted
    /// The answer to `.drop`: it is not done, and why. The drag has ended.
    case dropRefused(String)
    /// The drag has ended by itself, and why: its lease is over, the item is gone.
    case dragLost(String)
    /// The answer to the oldest `.apply`, `.undo` or `.redo` not answered yet: done. A sentence to show instead
    /// of the editor's own.
    case editAccepted(String?)
    /// Likewise: not done, and why.
    case editRefused(String)
    /// The answer to `.listTrips`.
    case trips([TripChoice])
    /// The answer to `.previewImport`: what the file would change.
    case importPreview(ImportPreview)
    /// The answer to `.listTrips` or `.previewImport` where that was not possible, and why.
    case failed(String)
    /// How the daemon can be reached from now on.
    case connection(ConnectionStatus)
}

/// How the daemon can be reached.
package enum ConnectionStatus: Equatable, Sendable {
    case connected
    /// Not yet, or not again; what is being done about it.
    case connecting(String)
    /// Not at all, and why. A drag ends with the connection.
    case lost(String)
}
