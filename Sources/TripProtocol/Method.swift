/// The methods of the protocol.
package enum Method: String, CaseIterable, Sendable {
    /// Answered after all earlier requests.
    case ping
    /// The protocol as an OpenRPC document.
    case discover = "rpc.discover"
    /// Identifies the client.
    case hello
    /// Restricts the connection, before hello.
    case restrict = "session.restrict"
    /// Sends the item at the user's cursor.
    case focus = "session.focus"
    /// Creates a trip.
    case createTrip = "trip.create"
    /// Lists all trips.
    case listTrips = "trip.list"
    /// Returns a whole trip.
    case getTrip = "trip.get"
    /// Changes the trip's own fields.
    case updateTrip = "trip.update"
    /// Marks a problem as intended, or no longer.
    case accept = "trip.accept"
    /// Adds, changes or removes a thing to do.
    case todo = "trip.todo"
    /// Deletes a trip, which is kept for a while.
    case deleteTrip = "trip.delete"
    /// Returns the deleted trips that are kept.
    case listTrash = "trip.trash"
    /// Restores a deleted trip.
    case restoreTrip = "trip.restore"
    /// Subscribes to a trip's changes.
    case subscribe = "trip.subscribe"
    /// Ends the subscription.
    case unsubscribe = "trip.unsubscribe"
    /// Answered after everything up to now has been sent.
    case sync = "trip.sync"
    /// Applies several edits as one change.
    case apply = "trip.apply"
    /// Opens a batch for a change that does not fit into one line.
    case openBatch = "batch.open"
    /// Adds operations to a batch.
    case addToBatch = "batch.add"
    /// Applies a batch as one change.
    case commitBatch = "batch.commit"
    /// Discards a batch.
    case dropBatch = "batch.drop"
    /// Adds an item.
    case addItem = "item.add"
    /// Moves an item.
    case moveItem = "item.move"
    /// Changes fields of an item.
    case updateItem = "item.update"
    /// Removes an item.
    case removeItem = "item.remove"
    /// Returns the items that were removed from a trip.
    case removedItems = "item.trash"
    /// Returns all gaps for an item, each with its verdict.
    case gaps = "item.gaps"
    /// Begins to drag an item.
    case beginDrag = "drag.begin"
    /// Sends the place under a dragged item, and renews the lease.
    case hover = "drag.hover"
    /// Drops a dragged item.
    case drop = "drag.drop"
    /// Cancels a drag.
    case cancelDrag = "drag.cancel"
    /// Undoes the client's last change.
    case undo = "trip.undo"
    /// Redoes the last undo.
    case redo = "trip.redo"
    /// Returns the history of all users' changes.
    case history = "trip.history"
    /// Returns the daemon's counters.
    case stats = "daemon.stats"
    /// Stops the daemon.
    case shutdown = "daemon.shutdown"
}

extension Method {
    /// The method with this name in UTF-8; nil if there is none.
    package init?(utf8 name: UnsafeBufferPointer<UInt8>) {
        guard let words = Self.words(of: name), let known = Self.known.first(where: { $0.words == words })
        else { return nil }
        self = known.method
    }

    /// A name as two numbers, for a lookup without creating a string.
    private static let known = allCases.compactMap { method in
        var name = method.rawValue
        return name.withUTF8 { words(of: $0) }.map { (words: $0, method: method) }
    }

    /// A name of up to sixteen bytes, none of them 0, padded with zeros; nil for others, which are not methods.
    private static func words(of name: UnsafeBufferPointer<UInt8>) -> SIMD2<UInt64>? {
        guard name.count <= 16 else { return nil }
        var words = SIMD2<UInt64>(0, 0)
        for (index, byte) in name.enumerated() {
            if byte == 0 { return nil }
            words[index / 8] |= UInt64(byte) << UInt64(8 * (index % 8))
        }
        return words
    }
}
