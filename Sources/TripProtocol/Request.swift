import TripModel

/// How a request names a trip.
public enum TripReference: Hashable, Sendable {
    /// By its id.
    case id(TripID)
    /// By its slug.
    case slug(String)

    /// Reads an id or a slug; what is neither is a slug that no trip has.
    public init(_ text: String) {
        if let id = TripID(text) { self = .id(id) } else { self = .slug(text) }
    }

    /// The text that names it.
    public var text: String {
        switch self {
        case .id(let id): id.description
        case .slug(let slug): slug
        }
    }
}

/// Names one client across its connections.
public enum ClientSubject {}
/// Names one client across its connections.
public typealias ClientID = Identifier<ClientSubject>

/// Names a person who uses several clients; for undo it stands in place of theirs.
public typealias PersonID = ClientID

/// A request, checked for form; whether it can be done is for the daemon to say.
///
/// It stands behind one reference: on its way through the daemon it is handed on more often than it is read.
public indirect enum Request: Equatable, Sendable {
    /// Answered after everything before it.
    case ping
    /// For the protocol as an OpenRPC document.
    case discover
    /// Who calls.
    case hello(Hello)
    /// To be no more than this, whatever hello says.
    case restrict(Restriction)
    /// To tell where the cursor is; nil for on no item.
    case focus(TripReference, ItemID?)
    /// To make a trip.
    case createTrip(TripDraft)
    /// For all trips.
    case listTrips
    /// For a whole trip.
    case getTrip(TripReference)
    /// To delete a trip, perhaps only if it has a version, or to hear whether that would work.
    case deleteTrip(TripReference, ifVersion: Int?, isDryRun: Bool)
    /// Every change of a trip or its items.
    case change(ChangeRequest)
    /// To begin a change that does not fit into one line.
    case openBatch(TripReference)
    /// To bring operations of it; they are made only by its commit.
    case addToBatch(BatchID, [Edit])
    /// To make all that a batch holds, as one change.
    case commitBatch(BatchID, ChangeOptions)
    /// To give a batch up.
    case dropBatch(BatchID)
    /// For all places for an item.
    case gaps(TripReference, ItemID)
    /// To be told of a trip's changes.
    case subscribe(Subscribe)
    /// To be told no longer.
    case unsubscribe(TripReference)
    /// For an answer after everything up to now has been told.
    case sync(TripReference)
    /// To take hold of an item, and to be told all places for it where that is wanted.
    case beginDrag(TripReference, ItemID, tellsGaps: Bool)
    /// To tell where a dragged item is held; nil for nowhere in particular.
    case hover(DragID, over: Placement?)
    /// To put a dragged item down.
    case drop(Drop)
    /// To give a dragged item back.
    case cancelDrag(DragID)
    /// To take back the client's last change.
    case undo(TripReference, ChangeOptions)
    /// To make again what was taken back.
    case redo(TripReference, ChangeOptions)
    /// For what was changed.
    case history(HistoryRequest)
    /// For what the daemon has done.
    case stats
    /// To end the daemon.
    case shutdown
}

/// Names a drag; opaque to clients.
public struct DragID: Hashable, Sendable {
    /// As it stands on the wire.
    public let text: String

    /// Makes an id from its text.
    public init(_ text: String) { self.text = text }
}

/// Names a batch of one connection; opaque to clients.
public struct BatchID: Hashable, Sendable {
    /// As it stands on the wire.
    public let text: String

    /// Makes an id from its text.
    public init(_ text: String) { self.text = text }
}

/// What whoever opened a socket allows the one who is to speak on it.
public struct Restriction: Equatable, Sendable {
    /// The user that it is; nil where hello may say so.
    public var user: String?
    /// What it may do at most; nil for what hello asks for.
    public var role: Hello.Role?

    /// Makes a restriction.
    public init(user: String? = nil, role: Hello.Role? = nil) {
        self.user = user
        self.role = role
    }
}

/// A question for what was changed, the newest first.
public struct HistoryRequest: Equatable, Sendable {
    /// Where to stop.
    public enum Since: Equatable, Sendable {
        /// Only what came after this version.
        case version(Int)
        /// Only what was done at this moment or later.
        case time(OffsetDateTime)
    }

    /// The trip.
    public var trip: TripReference
    /// Only versions below it.
    public var before: Int?
    /// Only what is newer.
    public var since: Since?
    /// The most entries; 50 if it is left out, and never more than 500.
    public var limit: Int?

    /// Makes a question.
    public init(trip: TripReference, before: Int? = nil, since: Since? = nil, limit: Int? = nil) {
        self.trip = trip
        self.before = before
        self.since = since
        self.limit = limit
    }
}

/// What a connection says first.
public struct Hello: Equatable, Sendable {
    /// What the connection may do.
    public enum Role: String, CaseIterable, Sendable {
        /// Everything.
        case editor
        /// It may look.
        case viewer
    }

    /// The version it speaks.
    public var version: ProtocolVersion
    /// The program's name.
    public var clientName: String
    /// The program's version.
    public var clientVersion: String
    /// The user's name; left out, the account's.
    public var user: String?
    /// The client, across reconnects; left out, the server makes one.
    public var clientID: ClientID?
    /// The person, whose programs share what can be undone; left out, each client has its own.
    public var person: PersonID?
    /// What it may do; an editor unless it says otherwise.
    public var role: Role

    /// Makes a hello.
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

/// A trip to be made.
public struct TripDraft: Equatable, Sendable {
    /// Its id, if the client chose one: then creating it can be repeated safely.
    public var id: TripID?
    /// Its name.
    public var name: String
    /// The date of day 1.
    public var startDate: CalendarDate
    /// Its zone.
    public var timeZone: String
    /// Its number of days.
    public var dayCount: Int
    /// Its slug; left out, it is made from the name.
    public var slug: String?
    /// Its first items, each an `Edit.add`.
    public var items: [Edit]
    /// Whether the daemon only tells what it would make.
    public var isDryRun: Bool

    /// Makes a draft.
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
public struct ChangeRequest: Equatable, Sendable {
    /// The method it came by, or goes by; it decides the shape of the answer.
    public var method: Method
    /// The trip.
    public var trip: TripReference
    /// What is to change.
    public var edits: [Edit]
    /// What goes with every change.
    public var options: ChangeOptions

    /// Makes a change.
    public init(
        method: Method, trip: TripReference, edits: [Edit], options: ChangeOptions = ChangeOptions()
    ) {
        self.method = method
        self.trip = trip
        self.edits = edits
        self.options = options
    }
}

/// What goes with every change.
public struct ChangeOptions: Equatable, Sendable {
    /// Rises per client and trip; a repeat of a number gets the first answer again.
    public var seq: Int?
    /// The version the trip must have.
    public var ifVersion: Int?
    /// The version the item must have.
    public var ifItemVersion: Int?
    /// Whether only to say what it would do.
    public var isDryRun: Bool

    /// Makes options.
    public init(
        seq: Int? = nil, ifVersion: Int? = nil, ifItemVersion: Int? = nil, isDryRun: Bool = false
    ) {
        self.seq = seq
        self.ifVersion = ifVersion
        self.ifItemVersion = ifItemVersion
        self.isDryRun = isDryRun
    }
}

/// A wish to be told of a trip's changes.
public struct Subscribe: Equatable, Sendable {
    /// How changes are told.
    public enum Mode: String, Sendable {
        /// By the whole trip.
        case snapshot
        /// By what has changed.
        case delta
    }

    /// The trip.
    public var trip: TripReference
    /// How changes are told.
    public var mode: Mode
    /// What the client has of the trip already.
    public var since: Since?
    /// Whether nothing is told of the trip's content while this connection drags.
    public var defersWhileDragging: Bool

    /// Makes a wish.
    public init(
        trip: TripReference, mode: Mode = .snapshot, since: Since? = nil, defersWhileDragging: Bool = true
    ) {
        self.trip = trip
        self.mode = mode
        self.since = since
        self.defersWhileDragging = defersWhileDragging
    }
}

/// A version of one unbroken history of a trip.
public struct Since: Hashable, Sendable {
    /// Names the history.
    public var epoch: String
    /// The version.
    public var version: Int

    /// Makes one.
    public init(epoch: String, version: Int) {
        self.epoch = epoch
        self.version = version
    }
}

/// The end of a drag at a place.
public struct Drop: Equatable, Sendable {
    /// The drag.
    public var drag: DragID
    /// Where the item is to go.
    public var placement: Placement
    /// The trip, so that the drop can be repeated when its drag is gone.
    public var trip: TripReference?
    /// As in every change.
    public var options: ChangeOptions

    /// Makes a drop.
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
