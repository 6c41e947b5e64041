import TripModel

/// The answer to hello.
public struct Welcome: Equatable, Sendable {
    /// Whether the daemon answers a change before or after it is on disk.
    public enum Durability: String, CaseIterable, Sendable {
        /// When the change is on disk.
        case sync
        /// Up to 100 ms before the change is on disk. A mode that this version does not know counts as this one.
        case relaxed
    }

    /// The daemon's version.
    public let version: ProtocolVersion
    /// The daemon's process id.
    public let serverProcess: Int
    /// The client's id, chosen by the client or generated.
    public let clientID: ClientID
    /// The id of this connection in presence updates.
    public let connectionID: Int
    /// The role of this connection.
    public let role: Hello.Role
    /// The user's name as shown to others; nil from a daemon of 1.0.
    public let user: String?
    /// The access of this connection, more precise than `role`.
    public let access: Access
    /// True if the user's name comes from the system or from a restriction, not from the client.
    public let isVerified: Bool
    /// Whether the daemon answers a change before or after it is on disk.
    public let durability: Durability
    /// The limits by their names on the wire; empty if the daemon announces none.
    public let limits: [String: Int]

    package init(
        version: ProtocolVersion, serverProcess: Int, clientID: ClientID, connectionID: Int, user: String?,
        access: Access, isVerified: Bool = false, durability: Durability,
        limits: [String: Int] = WireLimits.byName
    ) {
        self.version = version
        self.serverProcess = serverProcess
        self.clientID = clientID
        self.connectionID = connectionID
        self.user = user
        self.access = access
        role = access.role
        self.isVerified = isVerified
        self.durability = durability
        self.limits = limits
    }
}

/// A whole trip at one version.
public struct Snapshot: Equatable, Sendable {
    /// The trip.
    public let trip: Trip
    /// The epoch of the version.
    public let epoch: String
    /// The scheduling problems.
    public let problems: [Problem]

    package init(trip: Trip, epoch: String, problems: [Problem]) {
        self.trip = trip
        self.epoch = epoch
        self.problems = problems
    }
}

/// One row of the list of trips.
public struct TripSummary: Equatable, Sendable, Identifiable {
    /// The trip's id.
    public var id: TripID { header.id }
    /// The state of a trip in the daemon.
    public enum State: String, CaseIterable, Sendable {
        /// The trip can be read and changed.
        case usable = "ok"
        /// The disk has failed, so the trip can only be read until the daemon is restarted.
        case readOnly = "read_only"
        /// The journal is damaged, so the trip is not served.
        case corrupt
        /// A state of a newer daemon.
        case unknown
    }

    /// The trip's header.
    public let header: TripHeader
    /// Its version.
    public let version: Int
    /// The number of items.
    public let itemCount: Int
    /// The number of subscribed connections.
    public let subscribers: Int
    /// The trip's state in the daemon.
    public let state: State
    /// The access to it, if it differs from that in hello.
    public let access: Access?

    package init(
        header: TripHeader, version: Int, itemCount: Int, subscribers: Int, state: State, access: Access?
    ) {
        self.header = header
        self.version = version
        self.itemCount = itemCount
        self.subscribers = subscribers
        self.state = state
        self.access = access
    }
}

/// A deleted trip that can be restored.
public struct TrashedTrip: Equatable, Sendable, Identifiable {
    /// The trip's id.
    public var id: TripID { header.id }
    /// The trip's own fields.
    public let header: TripHeader
    /// Its version.
    public let version: Int
    /// The number of items.
    public let itemCount: Int
    /// When it was deleted.
    public let deletedAt: Timestamp
    /// Until when it is kept.
    public var keptUntil: Timestamp {
        Timestamp(milliseconds: deletedAt.milliseconds + WireLimits.trashMilliseconds)
    }

    package init(header: TripHeader, version: Int, itemCount: Int, deletedAt: Timestamp) {
        self.header = header
        self.version = version
        self.itemCount = itemCount
        self.deletedAt = deletedAt
    }
}

/// An item that was removed from a trip.
public struct RemovedItem: Equatable, Sendable, Identifiable {
    /// The item's id.
    public var id: ItemID { item.id }
    /// The item, as it was.
    public let item: Item
    /// When it was removed.
    public let removedAt: Timestamp
    /// The user who removed it.
    public let removedBy: String
    /// Its former neighbours; nil if unknown.
    public let neighbours: Neighbours?

    package init(item: Item, removedAt: Timestamp, removedBy: String, neighbours: Neighbours?) {
        self.item = item
        self.removedAt = removedAt
        self.removedBy = removedBy
        self.neighbours = neighbours
    }
}

/// The items that were removed from a trip and are not back.
public struct ItemTrash: Equatable, Sendable {
    /// The items, the one that was removed last first.
    public let items: [RemovedItem]
    /// Items that were removed before this moment are missing, or some of them.
    public let since: Timestamp

    package init(items: [RemovedItem], since: Timestamp) {
        self.items = items
        self.since = since
    }
}

/// The result of a change.
public struct ChangeResult: Equatable, Sendable {
    /// The trip's version after it.
    public let version: Int
    /// True if nothing changed.
    public let isNoop: Bool
    /// The added or changed items; for a method about one item, that item.
    public let items: [Item]
    /// Items that were moved because their day is gone.
    public let moved: [Item]
    /// The header, if the trip itself changed.
    public let header: TripHeader?
    /// A summary of the change that an undo or redo reversed, without a subject.
    public let summary: String?
    /// True for a retry of an applied change of which only the version, or a later one, is known.
    public let isRepeated: Bool
}

/// A drag that has begun.
public struct DragStart: Equatable, Sendable {
    /// Its id.
    public let drag: DragID
    /// The duration of its lease without a hover.
    public let leaseMilliseconds: Int
    /// The trip's version; a subscribed connection has received everything up to it.
    public let version: Int

    package init(drag: DragID, leaseMilliseconds: Int, version: Int) {
        self.drag = drag
        self.leaseMilliseconds = leaseMilliseconds
        self.version = version
    }
}

/// A user who has a trip open.
public struct PresentUser: Equatable, Sendable, Identifiable {
    /// The connection, which is also its id here: a user may have several.
    public let connectionID: Int
    /// The connection.
    public var id: Int { connectionID }
    /// The user's name.
    public let user: String
    /// The user's role.
    public let role: Hello.Role
    /// The dragged item.
    public let dragging: ItemID?
    /// The place under the dragged item.
    public let over: Placement?
    /// The row at the cursor, if the client sends it; it may be gone.
    public let focus: ListRow?

    /// Creates an entry.
    public init(
        connectionID: Int, user: String, role: Hello.Role = .editor, dragging: ItemID? = nil,
        over: Placement? = nil, focus: ListRow? = nil
    ) {
        self.connectionID = connectionID
        self.user = user
        self.role = role
        self.dragging = dragging
        self.over = over
        self.focus = focus
    }
}

/// One line of the history of a trip.
public struct HistoryEntry: Equatable, Sendable, Identifiable {
    /// The version of the change, which identifies it in an epoch.
    public let version: Int
    /// The version of the change.
    public var id: Int { version }
    /// The time of the change, by the daemon's clock.
    public let changedAt: Timestamp
    /// The user.
    public let user: String
    /// A summary of the change, without a subject.
    public let summary: String
    /// The edited items.
    public let items: [ItemID]
    /// The operations on the items and on the trip itself.
    public let operations: [HistoryOperation]

    /// Creates an entry with the items of its operations.
    package init(
        version: Int, changedAt: Timestamp, user: String, summary: String, operations: [HistoryOperation]
    ) {
        self.version = version
        self.changedAt = changedAt
        self.user = user
        self.summary = summary
        self.operations = operations
        items = operations.compactMap(\.item)
    }
}

/// The effect of one change on one item, or on the trip itself.
public struct HistoryOperation: Equatable, Sendable {
    /// The kind of an operation.
    public enum Kind: String, CaseIterable, Sendable {
        /// The item was added, moved, changed or removed.
        case add, move, update, remove
        /// The trip itself was changed.
        case trip
        /// A kind of a newer daemon.
        case unknown
    }

    /// The kind of the operation.
    public let kind: Kind
    /// The item; nil for the trip itself.
    public let item: ItemID?
    /// Its title at that time.
    public let title: String?
    /// The fields that the change modified, of a remaining item or of the trip itself.
    public let fields: [HistoryField]
}

/// A field that a change modified.
public struct HistoryField: Equatable, Sendable {
    /// A value: text, or JSON for anything else.
    public enum Value: Equatable, Sendable {
        /// A text.
        case text(String)
        /// A number or an object, as JSON.
        case json(String)
    }

    /// The field's name on the wire.
    public let field: String
    /// Its value before; nil if it had none.
    public let before: Value?
    /// Its value after; nil if it has none.
    public let after: Value?
}

/// The author of the change in a notification.
public struct Cause: Equatable, Sendable {
    /// The user's name.
    @Verbatim public private(set) var user: String
    /// The client.
    public let clientID: ClientID
    /// The method.
    public let method: String

    /// Creates a cause.
    public init(user: String, clientID: ClientID, method: String) {
        self.user = user
        self.clientID = clientID
        self.method = method
    }
}

/// A notification from the daemon.
@nonexhaustive
public enum TripNotification: Equatable, Sendable {
    /// A newer state of a trip; `skipped` counts the omitted versions in between.
    case snapshot(Snapshot, previous: Int, skipped: Int, cause: Cause?)
    /// The users who have a trip open, and their drags.
    case presence(TripID, [PresentUser])
    /// The daemon has ended a drag of this connection.
    case dragEnded(DragID, item: ItemID, reason: DragEnd)
    /// A trip was deleted.
    case tripDeleted(TripID)
    /// The last line of the connection.
    case goodbye(GoodbyeReason)
}

/// The reason why the daemon has ended a drag.
@nonexhaustive
public enum DragEnd: String, Sendable {
    /// There was no hover for too long.
    case expired
    /// The item was removed.
    case itemRemoved = "item_removed"
    /// The trip was deleted.
    case tripDeleted = "trip_deleted"
}

/// The reason why the daemon closes a connection.
@nonexhaustive
public enum GoodbyeReason: String, Sendable {
    /// The daemon is stopping.
    case shuttingDown = "shutting_down"
    /// The client did not read.
    case slowConsumer = "slow_consumer"
    /// The client sent too many bad lines.
    case badLines = "bad_lines"
    /// The client has not sent hello in time.
    case handshakeTimeout = "handshake_timeout"
    /// The account's access has changed since hello.
    case accessChanged = "access_changed"
}
