import TripModel

/// A reference to a trip in a request.
public enum TripReference: Hashable, Sendable {
    /// By its id.
    case id(TripID)
    /// By its slug.
    case slug(String)

    /// Parses an id or a slug; any other text is a slug that no trip has.
    public init(_ text: String) {
        if let id = TripID(text) { self = .id(id) } else { self = .slug(text) }
    }

    /// The id or slug as text.
    public var text: String {
        switch self {
        case .id(let id): id.description
        case .slug(let slug): slug
        }
    }
}

/// Identifies a client across its connections.
public typealias ClientID = Identifier<Hello>

/// Identifies a person who uses several clients, which then share their undo history.
public typealias PersonID = Identifier<PresentUser>

/// A decoded request; whether it is allowed and possible is checked by the daemon.
///
/// It is `indirect`, because it is passed on more often than it is read.
package indirect enum Request: Equatable, Sendable {
    /// Answered after all earlier requests.
    case ping
    /// Requests the OpenRPC document.
    case discover
    /// Identifies the client.
    case hello(Hello)
    /// Restricts the access, whatever hello requests.
    case restrict(Restriction)
    /// Sends the row at the cursor; nil for none.
    case focus(TripReference, ListRow?)
    /// Creates a trip.
    case createTrip(TripDraft)
    /// Requests the list of trips.
    case listTrips
    /// Requests a whole trip, optionally with the last imported values of its items.
    case getTrip(TripReference, withSaid: Bool = false)
    /// Deletes a trip, optionally only at one version, or as a dry run.
    case deleteTrip(TripReference, ifVersion: Int?, isDryRun: Bool)
    /// Requests the deleted trips that are kept.
    case listTrash
    /// Restores a deleted trip.
    case restoreTrip(TripReference)
    /// Requests the items that were removed from a trip.
    case removedItems(TripReference)
    /// Changes a trip or its items.
    case change(ChangeRequest)
    /// Opens a batch for a change that does not fit into one line.
    case openBatch(TripReference)
    /// Adds operations to a batch; only its commit applies them.
    case addToBatch(BatchID, [Edit])
    /// Applies a batch as one change.
    case commitBatch(BatchID, ChangeOptions)
    /// Discards a batch.
    case dropBatch(BatchID)
    /// Requests all gaps for an item.
    case gaps(TripReference, ItemID)
    /// Subscribes to a trip's changes.
    case subscribe(Subscribe)
    /// Ends a subscription.
    case unsubscribe(TripReference)
    /// Answered after everything up to now has been sent.
    case sync(TripReference)
    /// Begins to drag an item, optionally with the item's gaps in the answer.
    case beginDrag(TripReference, ItemID, includesGaps: Bool)
    /// Sends the place under a dragged item; nil for none.
    case hover(DragID, over: Placement?)
    /// Drops a dragged item.
    case drop(Drop)
    /// Cancels a drag.
    case cancelDrag(DragID)
    /// Undoes the client's last change.
    case undo(TripReference, ChangeOptions)
    /// Redoes the last undo.
    case redo(TripReference, ChangeOptions)
    /// Requests the history.
    case history(HistoryRequest)
    /// Requests the daemon's counters.
    case stats
    /// Stops the daemon.
    case shutdown
}

extension Request {
    /// The method of the request.
    public var method: Method {
        switch self {
        case .ping: .ping
        case .discover: .discover
        case .hello: .hello
        case .restrict: .restrict
        case .focus: .focus
        case .openBatch: .openBatch
        case .addToBatch: .addToBatch
        case .commitBatch: .commitBatch
        case .dropBatch: .dropBatch
        case .createTrip: .createTrip
        case .listTrips: .listTrips
        case .getTrip: .getTrip
        case .deleteTrip: .deleteTrip
        case .listTrash: .listTrash
        case .restoreTrip: .restoreTrip
        case .removedItems: .removedItems
        case .change(let change): change.method
        case .gaps: .gaps
        case .subscribe: .subscribe
        case .unsubscribe: .unsubscribe
        case .sync: .sync
        case .beginDrag: .beginDrag
        case .hover: .hover
        case .drop: .drop
        case .cancelDrag: .cancelDrag
        case .undo: .undo
        case .redo: .redo
        case .history: .history
        case .stats: .stats
        case .shutdown: .shutdown
        }
    }

    /// The trip that must be open for it; nil for none, or if its drag determines the trip.
    package var trip: TripReference? {
        switch self {
        case .getTrip(let trip, _), .deleteTrip(let trip, _, _), .gaps(let trip, _), .unsubscribe(let trip),
            .sync(let trip), .beginDrag(let trip, _, _), .undo(let trip, _), .redo(let trip, _),
            .focus(let trip, _), .openBatch(let trip), .removedItems(let trip):
            trip
        case .history(let history): history.trip
        case .change(let change): change.trip
        case .subscribe(let subscribe): subscribe.trip
        case .createTrip(let draft): draft.id.map { .id($0) }
        case .drop(let drop): drop.trip
        // A commit of a batch has a trip once `resolveBatch` has turned it into a change.
        case .ping, .discover, .hello, .restrict, .listTrips, .listTrash, .restoreTrip, .hover, .cancelDrag,
            .stats, .shutdown, .addToBatch, .commitBatch, .dropBatch:
            nil
        }
    }

    /// The drag that it continues or ends.
    package var drag: DragID? {
        switch self {
        case .hover(let drag, _), .cancelDrag(let drag): drag
        case .drop(let drop): drop.drag
        default: nil
        }
    }

    /// True if later requests of the connection wait until its answer is sent.
    package var blocksLater: Bool {
        switch method.traits.blocksLater {
        case .never: false
        case .always: true
        case .renames:
            if case .change(let change) = self { change.edits.contains { $0.slug != nil } } else { false }
        }
    }

    /// Whether its fingerprint is needed: to recognize a retry, or by the commit of its batch.
    package var isRepeatable: Bool {
        switch self {
        case .change(let change): change.options.seq != nil
        case .undo(_, let options), .redo(_, let options), .commitBatch(_, let options):
            options.seq != nil
        case .drop(let drop): drop.options.seq != nil
        // Only a draft with an id can be retried.
        case .createTrip(let draft): draft.id != nil
        case .addToBatch: true
        case .ping, .discover, .hello, .restrict, .focus, .listTrips, .getTrip, .deleteTrip, .listTrash,
            .restoreTrip, .removedItems, .openBatch, .dropBatch, .gaps, .subscribe, .unsubscribe, .sync,
            .beginDrag, .hover, .cancelDrag, .history,
            .stats, .shutdown:
            false
        }
    }
}

extension Edit {
    /// The slug that the request gives its trip.
    package var slug: String? {
        if case .trip(let change) = self { change.slug } else { nil }
    }
}

/// Identifies a drag; opaque to clients.
public struct DragID: Hashable, Sendable {
    /// The id on the wire.
    public let text: String

    /// Creates an id from its text.
    public init(_ text: String) { self.text = text }
}

/// Identifies a batch of one connection; opaque to clients.
public struct BatchID: Hashable, Sendable {
    /// The id on the wire.
    public let text: String

    /// Creates an id from its text.
    public init(_ text: String) { self.text = text }
}

/// An upper bound of a connection's access, set by the process that opened the socket for another one.
public struct Restriction: Equatable, Sendable {
    /// The user; nil if hello may choose one.
    public var user: String?
    /// The highest role; nil for the role of hello.
    public var role: Hello.Role?

    /// Creates a restriction.
    public init(user: String? = nil, role: Hello.Role? = nil) {
        self.user = user
        self.role = role
    }
}

/// A request for the history, newest first.
public struct HistoryRequest: Equatable, Sendable {
    /// A lower bound of the history.
    public enum Since: Equatable, Sendable {
        /// Only later versions.
        case version(Int)
        /// Only changes at this time or later.
        case time(OffsetDateTime)
    }

    /// The trip.
    public var trip: TripReference
    /// An upper bound of the versions, exclusive.
    public var before: Int?
    /// The lower bound.
    public var since: Since?
    /// The maximum number of entries; 50 if nil, and at most 500.
    public var limit: Int?

    /// Creates a request.
    public init(trip: TripReference, before: Int? = nil, since: Since? = nil, limit: Int? = nil) {
        self.trip = trip
        self.before = before
        self.since = since
        self.limit = limit
    }
}

/// The first request of a connection.
public struct Hello: Equatable, Sendable {
    /// The role of a connection.
    public enum Role: String, CaseIterable, Sendable {
        /// May read and change.
        case editor
        /// May read.
        case viewer
    }

    /// The client's version.
    public var version: ProtocolVersion
    /// The program's name.
    public var clientName: String
    /// The program's version.
    public var clientVersion: String
    /// The user's name; nil for the account's.
    public var user: String?
    /// The client's id across reconnects; nil for a generated one.
    public var clientID: ClientID?
    /// The person, whose clients share their undo history; nil if the client has its own.
    public var person: PersonID?
    /// The role.
    public var role: Role

    /// Creates a hello.
    public init(
        version: ProtocolVersion = .current, clientName: String, clientVersion: String, user: String? = nil,
        clientID: ClientID? = nil, person: PersonID? = nil, role: Role = .editor
    ) {
        self.version = version
        self.clientName = clientName
        self.clientVersion = clientVersion
        self.user = user
        self.clientID = clientID
        self.person = person
        self.role = role
    }
}

/// The access of a connection, in ascending order.
public enum Access: String, CaseIterable, Comparable, Sendable {
    /// May read.
    case viewer
    /// May change everything that can be undone.
    case editor
    /// May also delete and restore trips and stop the daemon.
    case owner

    /// Compares by permissions.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    /// The role in hello, which distinguishes only viewers and editors.
    public var role: Hello.Role { self == .viewer ? .viewer : .editor }

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .editor: 1
        case .owner: 2
        }
    }
}

/// A trip to be created.
public struct TripDraft: Equatable, Sendable {
    /// Its id, if the client chose one: then the creation can be retried safely.
    public var id: TripID?
    /// Its name.
    public var name: String
    /// The date of day 1.
    public var startDate: CalendarDate
    /// Its time zone.
    public var timeZone: String
    /// Its number of days.
    public var dayCount: Int
    /// Its slug; nil to generate it from the name.
    public var slug: String?
    /// Its first items, each an `Edit.add`.
    public var items: [Edit]
    /// Whether the daemon only returns the result without creating the trip.
    public var isDryRun: Bool

    /// Creates a draft.
    public init(
        id: TripID? = nil, name: String, startDate: CalendarDate, timeZone: String, dayCount: Int,
        slug: String? = nil, items: [Edit] = [], isDryRun: Bool = false
    ) {
        self.id = id
        self.name = name
        self.startDate = startDate
        self.timeZone = timeZone
        self.dayCount = dayCount
        self.slug = slug
        self.items = items
        self.isDryRun = isDryRun
    }
}

/// A change of one trip: one edit, or a batch.
package struct ChangeRequest: Equatable, Sendable {
    /// The method, which determines the form of the answer.
    public var method: Method
    /// The trip.
    public var trip: TripReference
    /// The edits.
    public var edits: [Edit]
    /// The options of the change.
    public var options: ChangeOptions

    /// Creates a change.
    public init(
        method: Method, trip: TripReference, edits: [Edit], options: ChangeOptions = ChangeOptions()
    ) {
        self.method = method
        self.trip = trip
        self.edits = edits
        self.options = options
    }
}

/// The options of every change.
public struct ChangeOptions: Equatable, Sendable {
    /// The sequence number per client and trip; a retry with the same number gets the first answer again.
    public var seq: Int?
    /// The version that the trip must have.
    public var ifVersion: Int?
    /// The version that the item must have.
    public var ifItemVersion: Int?
    /// Whether to return only the result, without applying the change.
    public var isDryRun: Bool

    /// Creates options.
    public init(
        seq: Int? = nil, ifVersion: Int? = nil, ifItemVersion: Int? = nil, isDryRun: Bool = false
    ) {
        self.seq = seq
        self.ifVersion = ifVersion
        self.ifItemVersion = ifItemVersion
        self.isDryRun = isDryRun
    }
}

/// A subscription to a trip's changes.
public struct Subscribe: Equatable, Sendable {
    /// The form of updates.
    public enum Mode: String, Sendable {
        /// The whole trip.
        case snapshot
        /// Only the changes.
        case delta
    }

    /// The trip.
    public var trip: TripReference
    /// The form of updates.
    public var mode: Mode
    /// The state that the client already has.
    public var since: Since?
    /// Whether states are not sent while this connection drags.
    public var defersWhileDragging: Bool

    /// Creates a subscription.
    public init(
        trip: TripReference, mode: Mode = .snapshot, since: Since? = nil, defersWhileDragging: Bool = true
    ) {
        self.trip = trip
        self.mode = mode
        self.since = since
        self.defersWhileDragging = defersWhileDragging
    }
}

/// A version in one epoch of a trip.
public struct Since: Hashable, Sendable {
    /// The epoch.
    public var epoch: String
    /// The version.
    public var version: Int

    /// Creates a version.
    public init(epoch: String, version: Int) {
        self.epoch = epoch
        self.version = version
    }
}

/// The end of a drag at a place.
public struct Drop: Equatable, Sendable {
    /// The drag.
    public var drag: DragID
    /// The item's new place.
    public var placement: Placement
    /// The trip, so that the drop can be retried after its drag has ended.
    public var trip: TripReference?
    /// The options of the change.
    public var options: ChangeOptions

    /// Creates a drop.
    public init(
        drag: DragID, placement: Placement, trip: TripReference? = nil,
        options: ChangeOptions = ChangeOptions()
    ) {
        self.drag = drag
        self.placement = placement
        self.trip = trip
        self.options = options
    }
}
