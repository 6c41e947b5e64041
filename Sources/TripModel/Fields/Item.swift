/// An entry of a trip at its place: a game, a travel or a custom item.
public struct Item: Equatable, Sendable, Identifiable {
    /// The item's permanent id.
    public let id: ItemID
    /// Its place; for a game derived from the schedule.
    public internal(set) var position: Position
    /// Its kind and fields.
    public internal(set) var content: ItemContent {
        get { shared.value }
        set { shared = SharedContent(newValue) }
    }
    /// The content together with the values derived from it.
    package private(set) var shared: SharedContent
    /// The trip's version at the item's last change, including re-spacing.
    public internal(set) var version: Int
    /// The time of the last edit.
    public internal(set) var modifiedAt: Timestamp
    /// The user who made the last edit.
    @Verbatim public internal(set) var modifiedBy: String

    /// Makes an item from the parts stored in a snapshot or a journal.
    public init(
        id: ItemID, position: Position, content: ItemContent, version: Int, modifiedAt: Timestamp,
        modifiedBy: String
    ) {
        self.id = id
        self.position = position
        shared = SharedContent(content)
        self.version = version
        self.modifiedAt = modifiedAt
        self.modifiedBy = modifiedBy
    }

    /// Whether it is a game, whose place the schedule decides.
    public var isGame: Bool { content.isGame }

    /// The UTF-8 length of its fields' texts.
    package var textBytes: Int { shared.textBytes }

    /// This item, with the shared content of another item if both contents are equal.
    func sharingContent(of other: Item) -> Item {
        guard shared !== other.shared, shared == other.shared else { return self }
        var item = self
        item.shared = other.shared
        return item
    }

    /// The item as a user moved it.
    package func moved(to position: Position, version: Int, by author: Author) -> Item {
        var item = placed(at: position, version: version)
        item.modifiedAt = author.at
        item.modifiedBy = author.name
        return item
    }

    /// The item at another position without an edit: re-spaced or displaced.
    package func placed(at position: Position, version: Int) -> Item {
        var item = self
        item.position = position
        item.version = version
        return item
    }
}

/// An item's kind and fields.
///
/// Indirect, because items are copied much more often than they are read: by every sorted list and every
/// change.
public indirect enum ItemContent: Equatable, Sendable {
    /// An event whose place the schedule decides.
    case game(Game)
    /// Travel: after the games of the city it leaves and before those of the city it reaches.
    case travel(Travel)
    /// Anything else, placed freely.
    case custom(CustomItem)

    /// Whether it is a game.
    public var isGame: Bool {
        if case .game = self { true } else { false }
    }

    /// Whether it is a game that binds travel.
    public var isBindingGame: Bool {
        if case .game(let game) = self { game.isBinding } else { false }
    }

    /// Whether it is a cancelled game.
    public var isCancelled: Bool {
        if case .game(let game) = self { game.isCancelled } else { false }
    }

    /// A one-line title for people.
    public var title: String {
        switch self {
        case .game(let game): game.title
        case .travel(let travel): "\(travel.fromCity) → \(travel.toCity)"
        case .custom(let custom): custom.title
        }
    }
}

/// A game of the schedule.
public struct Game: Equatable, Sendable {
    /// The schedule's id for the game, unique in a trip.
    @Verbatim public var gameID: String
    /// The title, such as `Brazil v Morocco`.
    @Verbatim public var title: String
    /// The city; if absent, it is read from a gameID of the form `game-City-xxxx`.
    @Verbatim public var city: String?
    /// The stadium.
    @Verbatim public var venue: String?
    /// The kick-off.
    public var startsAt: OffsetDateTime
    /// The venue's IANA zone; by default the trip's.
    @Verbatim public var timeZone: String?
    /// The duration; by default 120 minutes in the search for problems.
    public var durationMinutes: Int?
    /// The users' note; a schedule has none.
    @Verbatim public var note: String?
    /// The price of a ticket.
    public var cost: Cost?
    /// The name of the person who paid it.
    @Verbatim public var paidBy: String?
    /// The names of the people who share it, separated by commas; by default those of `who`.
    @Verbatim public var sharedBy: String?
    /// The names of the people who take part, separated by commas; by default everybody.
    @Verbatim public var who: String?
    /// A link with more information.
    @Verbatim public var url: String?
    /// The booking or the seat.
    @Verbatim public var reference: String?
    /// The location of the venue.
    public var coordinate: Coordinate?
    /// Whether the users attend it.
    public var isAttended: Bool
    /// Whether it is cancelled.
    public var isCancelled: Bool
    /// The calendar or table it was imported from.
    public var source: ItemSource?

    /// Makes a game.
    public init(
        gameID: String, title: String, city: String? = nil, venue: String? = nil, startsAt: OffsetDateTime,
        timeZone: String? = nil, durationMinutes: Int? = nil, note: String? = nil, cost: Cost? = nil,
        paidBy: String? = nil, sharedBy: String? = nil, who: String? = nil, url: String? = nil,
        reference: String? = nil, coordinate: Coordinate? = nil, isAttended: Bool = true,
        isCancelled: Bool = false, source: ItemSource? = nil
    ) {
        self.gameID = gameID
        self.title = title
        self.city = city
        self.venue = venue
        self.startsAt = startsAt
        self.timeZone = timeZone
        self.durationMinutes = durationMinutes
        self.note = note
        self.cost = cost
        self.paidBy = paidBy
        self.sharedBy = sharedBy
        self.who = who
        self.url = url
        self.reference = reference
        self.coordinate = coordinate
        self.isAttended = isAttended
        self.isCancelled = isCancelled
        self.source = source
    }

    /// Whether it binds travel and can be in a problem: the users attend it, and it is not cancelled.
    public var isBinding: Bool { isAttended && !isCancelled }

    /// `cancelled` and `not attending`, as far as they apply.
    package var absence: [String] {
        [isCancelled ? "cancelled" : nil, isAttended ? nil : "not attending"].compactMap(\.self)
    }

    /// The city it is played in: `city` or, if that is absent or blank, the text between the first and the
    /// last hyphen of `game-City-xxxx`, with spaces for underscores.
    public var effectiveCity: String? {
        if let city, city.contains(where: { !$0.isWhitespace }) { return city }
        // Searched by bytes: finding the last character is slow if characters consist of many scalars.
        let (bytes, head) = (gameID.utf8, "game-".utf8)
        guard bytes.starts(with: head), let last = bytes.lastIndex(of: UInt8(ascii: "-")) else { return nil }
        let name = bytes[..<last].dropFirst(head.count).map {
            $0 == UInt8(ascii: "_") ? UInt8(ascii: " ") : $0
        }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }
}

/// A trip from one city to another.
public struct Travel: Equatable, Sendable {
    /// The city it leaves; it must follow that city's games.
    @Verbatim public var fromCity: String
    /// The city it reaches; it must precede that city's games.
    @Verbatim public var toCity: String
    /// The means of transport, such as `train`.
    @Verbatim public var mode: String?
    /// The duration.
    public var durationMinutes: Int?
    /// The users' note.
    @Verbatim public var note: String?
    /// The price.
    public var cost: Cost?
    /// The name of the person who paid it.
    @Verbatim public var paidBy: String?
    /// The names of the people who share it, separated by commas; by default those of `who`.
    @Verbatim public var sharedBy: String?
    /// The names of the people who take part, separated by commas; by default everybody.
    @Verbatim public var who: String?
    /// The only game that it must follow, or `none` (R-LEG); if absent, the games of the city bind it.
    public var afterGame: TravelSide?
    /// The only game that it must precede, likewise.
    public var beforeGame: TravelSide?
    /// The local time of departure, in `timeZone`.
    public var time: ClockTime?
    /// Whether that is after the midnight that ends its day; ignored from noon on.
    public var isLateNight: Bool
    /// The IANA zone of the departure; by default that of a nearby game (`TripClocks`).
    @Verbatim public var timeZone: String?
    /// The IANA zone of the arrival; likewise.
    @Verbatim public var arrivalTimeZone: String?
    /// A link with more information.
    @Verbatim public var url: String?
    /// The booking or the seat.
    @Verbatim public var reference: String?
    /// The calendar or table it was imported from.
    public var source: ItemSource?

    /// Makes a travel.
    public init(
        fromCity: String, toCity: String, mode: String? = nil, durationMinutes: Int? = nil,
        note: String? = nil, cost: Cost? = nil, paidBy: String? = nil, sharedBy: String? = nil,
        who: String? = nil, afterGame: TravelSide? = nil, beforeGame: TravelSide? = nil,
        time: ClockTime? = nil, isLateNight: Bool = false, timeZone: String? = nil,
        arrivalTimeZone: String? = nil, url: String? = nil,
        reference: String? = nil, source: ItemSource? = nil
    ) {
        self.fromCity = fromCity
        self.toCity = toCity
        self.mode = mode
        self.durationMinutes = durationMinutes
        self.note = note
        self.cost = cost
        self.paidBy = paidBy
        self.sharedBy = sharedBy
        self.who = who
        self.afterGame = afterGame
        self.beforeGame = beforeGame
        self.time = time
        self.isLateNight = isLateNight
        self.timeZone = timeZone
        self.arrivalTimeZone = arrivalTimeZone
        self.url = url
        self.reference = reference
        self.source = source
    }
}

/// Anything else: a hotel, a lunch, a walk.
public struct CustomItem: Equatable, Sendable {
    /// The title; never empty.
    @Verbatim public var title: String
    /// One symbol shown before the title.
    @Verbatim public var icon: String?
    /// The city.
    @Verbatim public var city: String?
    /// The users' note.
    @Verbatim public var note: String?
    /// The duration.
    public var durationMinutes: Int?
    /// The price.
    public var cost: Cost?
    /// The name of the person who paid it.
    @Verbatim public var paidBy: String?
    /// The names of the people who share it, separated by commas; by default those of `who`.
    @Verbatim public var sharedBy: String?
    /// The names of the people who take part, separated by commas; by default everybody.
    @Verbatim public var who: String?
    /// The local time at which it begins.
    public var time: ClockTime?
    /// Whether that is after the midnight that ends its day; ignored from noon on.
    public var isLateNight: Bool
    /// The local time at which it ends, or of the check-out on the last day of a stay.
    public var endTime: ClockTime?
    /// The nights of a stay, 0…365: from its day to its day + nights.
    public var nights: Int?
    /// The address or name of the place.
    @Verbatim public var place: String?
    /// The location.
    public var coordinate: Coordinate?
    /// A link with more information.
    @Verbatim public var url: String?
    /// The booking or the seat.
    @Verbatim public var reference: String?
    /// The calendar or table it was imported from.
    public var source: ItemSource?

    /// Makes a custom item.
    public init(
        title: String, icon: String? = nil, city: String? = nil, note: String? = nil,
        durationMinutes: Int? = nil, cost: Cost? = nil, paidBy: String? = nil, sharedBy: String? = nil,
        who: String? = nil, time: ClockTime? = nil, isLateNight: Bool = false, endTime: ClockTime? = nil,
        nights: Int? = nil, place: String? = nil, coordinate: Coordinate? = nil, url: String? = nil,
        reference: String? = nil, source: ItemSource? = nil
    ) {
        self.title = title
        self.icon = icon
        self.city = city
        self.note = note
        self.durationMinutes = durationMinutes
        self.cost = cost
        self.paidBy = paidBy
        self.sharedBy = sharedBy
        self.who = who
        self.time = time
        self.isLateNight = isLateNight
        self.endTime = endTime
        self.nights = nights
        self.place = place
        self.coordinate = coordinate
        self.url = url
        self.reference = reference
        self.source = source
    }
}

/// An amount of money.
public struct Cost: Equatable, Sendable {
    /// The amount, within ±1e15.
    public var amount: Double
    /// The currency, such as `EUR`.
    @Verbatim public var currency: String

    /// Makes a cost.
    public init(amount: Double, currency: String) {
        self.amount = amount
        self.currency = currency
    }
}
