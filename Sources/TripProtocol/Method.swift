/// The methods of the wire.
public enum Method: String, CaseIterable, Sendable {
    case ping
    case discover = "rpc.discover"
    case hello
    case createTrip = "trip.create"
    case listTrips = "trip.list"
    case getTrip = "trip.get"
    case updateTrip = "trip.update"
    case deleteTrip = "trip.delete"
    case subscribe = "trip.subscribe"
    case unsubscribe = "trip.unsubscribe"
    case sync = "trip.sync"
    case apply = "trip.apply"
    case addItem = "item.add"
    case moveItem = "item.move"
    case updateItem = "item.update"
    case removeItem = "item.remove"
    case gaps = "item.gaps"
    case beginDrag = "drag.begin"
    case hover = "drag.hover"
    case drop = "drag.drop"
    case cancelDrag = "drag.cancel"
    case undo = "trip.undo"
    case redo = "trip.redo"
    case history = "trip.history"
    case stats = "daemon.stats"
    case shutdown = "daemon.shutdown"

    /// Whether it may come before hello.
    package var needsNoHello: Bool { self == .ping || self == .discover || self == .hello }
}
