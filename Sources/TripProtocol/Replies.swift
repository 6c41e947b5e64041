import TripModel

/// What the daemon says to hello.
public struct Welcome: Equatable, Sendable {
    /// The version the daemon speaks.
    public let version: ProtocolVersion
    /// The daemon's process.
    public let serverProcess: Int
    /// The client's id, its own or one the daemon made.
    public let clientID: ClientID
    /// This connection, as presence names it.
    public let connectionID: Int
    /// What this connection may do.
    public let role: Hello.Role
    /// The user's name, as others see it; nil where a daemon of 1.0 does not say.
    public let user: String?
    /// What this connection may do, more exactly than `role`.
    public let access: Access
    /// Whether the user's name came from the system or from a restriction, not from the client.
    public let isVerified: Bool
    /// `sync`: an answer comes after the disk has it; `relaxed`: within 100 ms before.
    public let durability: String
    /// The limits that hold, by their names on the wire; empty where the daemon announces none.
    public let limits: [String: Int]

    /// Makes a welcome.
    package init(
        version: ProtocolVersion, serverProcess: Int, clientID: ClientID, connectionID: Int, user: String?,
        access: Access, isVerified: Bool = false, durability: String,
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
    /// Names the unbroken history that the version belongs to.
    public let epoch: String
    /// What does not fit.
    public let problems: [Problem]

    /// Makes a snapshot.
    package init(trip: Trip, epoch: String, problems: [Problem]) {
        self.trip = trip
        self.epoch = epoch
        self.problems = problems
    }
}

/// One row of the list of trips.
public struct TripSummary: Equatable, Sendable {
    /// What is said of it besides its items.
    public let header: TripHeader
    /// Its version.
    public let version: Int
    /// How many items it has.
    public let itemCount: Int
    /// How many connections are told of its changes.
    public let subscribers: Int
    /// `ok`, `read_only` or `corrupt`.
    public let state: String
    /// What one may do in it, where that is not what hello has told.
    public let access: Access?

    /// Makes a row.
    package init(
        header: TripHeader, version: Int, itemCount: Int, subscribers: Int, state: String, access: Access?
    ) {
        self.header = header
        self.version = version
        self.itemCount = itemCount
        self.subscribers = subscribers
        self.state = state
        self.access = access
    }
}

/// What a change did.
public struct ChangeResult: Equatable, Sendable {
    /// The trip's version after it.
    public let version: Int
    /// Whether nothing changed.
    public let isNoop: Bool
    /// The items added or changed; for a method about one item, that item.
    public let items: [Item]
    /// Items moved because their day is gone.
    public let moved: [Item]
    /// The header, where the trip itself changed.
    public let header: TripHeader?
    /// What an undo or redo took back, in words without a subject.
    public let summary: String?
    /// Whether the change was made when it was sent before, and nothing more is known of it than its version, or a
    /// later one.
    public let isRepeated: Bool
}

/// A drag that has begun.
public struct DragStart: Equatable, Sendable {
    /// Its name.
    public let drag: DragID
    /// How long it lives without a hover.
    public let leaseMilliseconds: Int
    /// The trip's version then; everything up to it has been told before, to a connection that is subscribed.
    public let version: Int

    /// Makes one.
    package init(drag: DragID, leaseMilliseconds: Int, version: Int) {
        self.drag = drag
        self.leaseMilliseconds = leaseMilliseconds
        self.version = version
    }
}

/// Somebody who has a trip open.
public struct PresentUser: Equatable, Sendable {
    /// The connection.
    public let connectionID: Int
    /// The user's name.
    public let user: String
    /// What it may do.
    public let role: Hello.Role
    /// The item it drags.
    public let dragging: ItemID?
    /// Where it holds it.
    public let over: Placement?
    /// The item that its cursor is on, as far as it says; it may be gone by now.
    public let focus: ItemID?

    /// Makes an entry.
    public init(
        connectionID: Int, user: String, role: Hello.Role, dragging: ItemID?, over: Placement?,
        focus: ItemID? = nil
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
public struct HistoryEntry: Equatable, Sendable {
    /// The version that it made.
    public let version: Int
    /// When, by the daemon's clock.
    public let at: Timestamp
    /// Who.
    public let user: String
    /// What was done, in words without a subject.
    public let summary: String
    /// The items that were edited.
    public let items: [ItemID]
    /// What became of each of them, and of the trip itself.
    public let operations: [HistoryOperation]

    /// Makes a line about the items of its operations.
    package init(
        version: Int, at: Timestamp, user: String, summary: String, operations: [HistoryOperation]
    ) {
        self.version = version
        self.at = at
        self.user = user
        self.summary = summary
        self.operations = operations
        items = operations.compactMap(\.item)
    }
}

/// What one change did to one item, or to the trip itself.
public struct HistoryOperation: Equatable, Sendable {
    /// `add`, `move`, `update`, `remove` or `trip`; a newer daemon may know others.
    public let name: String
    /// The item; nil for the trip itself.
    public let item: ItemID?
    /// What it was called then.
    public let title: String?
    /// The fields that have other values since, of an item that stayed or of the trip itself.
    public let fields: [HistoryField]

    /// Makes an operation.
    package init(name: String, item: ItemID?, title: String?, fields: [HistoryField]) {
        self.name = name
        self.item = item
        self.title = title
        self.fields = fields
    }
}

/// A field that one change gave another value.
public struct HistoryField: Equatable, Sendable {
    /// A value: a text as it is, anything else as its JSON.
    public enum Value: Equatable, Sendable {
        /// A text.
        case text(String)
        /// A number or an object, as JSON.
        case json(String)
    }

    /// The field's name on the wire.
    public let field: String
    /// Its value before; nil where it had none.
    public let before: Value?
    /// Its value then; nil where it had none.
    public let after: Value?

    /// Makes one.
    package init(field: String, before: Value?, after: Value?) {
        self.field = field
        self.before = before
        self.after = after
    }
}

/// Who made the change that a notification brings.
public struct Cause: Equatable, Sendable {
    /// The user's name.
    public let user: String
    /// The client.
    public let clientID: ClientID
    /// The method.
    public let method: String

    /// Makes a cause.
    public init(user: String, clientID: ClientID, method: String) {
        self.user = user
        self.clientID = clientID
        self.method = method
    }
}

/// What the daemon says unasked.
public enum Notification: Equatable, Sendable {
    /// A newer state of a trip; `skipped` counts the versions in between that were not told.
    case snapshot(Snapshot, previous: Int, skipped: Int, cause: Cause?)
    /// Who has a trip open, who drags what.
    case presence(TripID, [PresentUser])
    /// A drag of this connection is over, not by its own doing.
    case dragEnded(DragID, item: ItemID, reason: DragEnd)
    /// A trip is gone.
    case tripDeleted(TripID)
    /// The connection's last line.
    case goodbye(GoodbyeReason)
}

/// Why a drag ended by itself.
public enum DragEnd: String, Sendable {
    /// Nothing was heard of it for too long.
    case expired
    /// The item is gone.
    case itemRemoved = "item_removed"
    /// The trip is gone.
    case tripDeleted = "trip_deleted"
}

/// Why the daemon closes a connection.
public enum GoodbyeReason: String, Sendable {
    /// The daemon ends.
    case shuttingDown = "shutting_down"
    /// The client did not read.
    case slowConsumer = "slow_consumer"
    /// The client sent too many bad lines.
    case badLines = "bad_lines"
    /// The client said no hello in time.
    case handshakeTimeout = "handshake_timeout"
    /// The account may do something else than when it said hello.
    case accessChanged = "access_changed"
}

/// An error as a client gets it; the reason may be one that this version does not know.
public struct RemoteError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The JSON-RPC code.
    public let code: Int
    /// The reason, for programs.
    public let reason: String
    /// One sentence, for a person.
    public let message: String
    /// What belongs to it, as the JSON text that came; nil where nothing did.
    package let data: [UInt8]?

    /// Makes an error.
    public init(code: Int, reason: String, message: String) {
        self.init(code: code, reason: reason, message: message, data: nil)
    }

    /// Makes an error with what belongs to it, as JSON text.
    package init(code: Int, reason: String, message: String, data: [UInt8]?) {
        self.code = code
        self.reason = reason
        self.message = message
        self.data = data
    }

    /// The reason where this version knows it.
    public var known: ErrorReason? { ErrorReason(rawValue: reason) }

    /// Whether this answer to a repeat leaves open what became of the change when it was sent before: the daemon says so
    /// before it looks the number up, or cannot look. Any other reason comes after that, and a reason that this version
    /// does not know may be either.
    public var leavesRepeatOpen: Bool {
        switch known {
        case .parseError, .lineTooLong, .invalidRequest, .methodNotFound, .invalidParams, .internalError,
            .notInitialized, .unsupportedProtocol, .tripNotFound, .storageFailed, .outcomeUnknown,
            .tripCorrupt,
            .shuttingDown, .readOnly, .accessDenied, .sequenceReuse, .batchNotFound, nil:
            true
        case .itemNotFound, .dragNotFound, .gameImmovable, .dayOutOfRange, .outsideValidDays,
            .beforeDepartureGame, .afterArrivalGame, .noValidPosition, .slugTaken, .textNotAllowed,
            .versionConflict, .itemHeld, .alreadyDragging, .anchorMoved, .leaseExpired, .undoConflict,
            .nothingToUndo, .nothingToRedo, .duplicateID, .sequenceTooOld, .limitExceeded, .storageFull:
            false
        }
    }

    /// The message and the reason.
    public var description: String { "\(message) (\(reason))" }
}
