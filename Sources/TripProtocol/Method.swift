/// The methods of the wire.
public enum Method: String, CaseIterable, Sendable {
    /// Answered after everything before it.
    case ping
    /// The protocol as an OpenRPC document.
    case discover = "rpc.discover"
    /// Who calls.
    case hello
    /// Narrows what the connection may be, before hello.
    case restrict = "session.restrict"
    /// Tells where the person's cursor is.
    case focus = "session.focus"
    /// Makes a trip.
    case createTrip = "trip.create"
    /// All trips.
    case listTrips = "trip.list"
    /// A whole trip.
    case getTrip = "trip.get"
    /// Changes the trip's own fields.
    case updateTrip = "trip.update"
    /// Deletes a trip for good.
    case deleteTrip = "trip.delete"
    /// Asks to be told of a trip's changes.
    case subscribe = "trip.subscribe"
    /// Asks no longer.
    case unsubscribe = "trip.unsubscribe"
    /// Answered after everything up to now has been told.
    case sync = "trip.sync"
    /// Several changes as one.
    case apply = "trip.apply"
    /// Begins a change that does not fit into one line.
    case openBatch = "batch.open"
    /// Brings more operations of it.
    case addToBatch = "batch.add"
    /// Makes all of them, as one change.
    case commitBatch = "batch.commit"
    /// Gives it up.
    case dropBatch = "batch.drop"
    /// Adds an item.
    case addItem = "item.add"
    /// Moves an item.
    case moveItem = "item.move"
    /// Changes fields of an item.
    case updateItem = "item.update"
    /// Removes an item.
    case removeItem = "item.remove"
    /// All places for an item, each with its verdict.
    case gaps = "item.gaps"
    /// Takes hold of an item.
    case beginDrag = "drag.begin"
    /// Tells where a dragged item is held, and keeps the drag.
    case hover = "drag.hover"
    /// Puts a dragged item down.
    case drop = "drag.drop"
    /// Gives a dragged item back.
    case cancelDrag = "drag.cancel"
    /// Takes back the client's last change.
    case undo = "trip.undo"
    /// Makes again what was taken back.
    case redo = "trip.redo"
    /// What everybody has changed.
    case history = "trip.history"
    /// What the daemon has done.
    case stats = "daemon.stats"
    /// Ends the daemon.
    case shutdown = "daemon.shutdown"
}

extension Method {
    /// The method with this name, as UTF-8; nil where there is none.
    package init?(utf8 name: UnsafeBufferPointer<UInt8>) {
        guard let words = Self.words(of: name), let known = Self.known.first(where: { $0.words == words })
        else { return nil }
        self = known.method
    }

    /// A name as two numbers: no text has to be made to find it.
    private static let known = allCases.compactMap { method in
        var name = method.rawValue
        return name.withUTF8 { words(of: $0) }.map { (words: $0, method: method) }
    }

    /// Up to sixteen bytes, none of them 0, filled up with zeros; nil for others, which are no method's name.
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
