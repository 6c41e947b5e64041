/// One thing of a trip: a game, a travel or a custom item, at its place.
public struct Item: Equatable, Sendable, Identifiable {
    /// The item's name for life.
    public let id: ItemID
    /// Where it stands; for a game derived from the schedule.
    public internal(set) var position: Position
    /// What it is.
    public internal(set) var content: ItemContent
    /// The trip's version at the item's last change, re-spacing included.
    public internal(set) var version: Int
    /// When somebody last edited it.
    public internal(set) var modifiedAt: Timestamp
    /// The name of the user who did.
    @Verbatim public internal(set) var modifiedBy: String

    /// Makes an item from all its parts, as a snapshot or a journal gives them.
    public init(
        id: ItemID, position: Position, content: ItemContent, version: Int, modifiedAt: Timestamp,
        modifiedBy: String
    ) {
        self.id = id
        self.position = position
        self.content = content
        self.version = version
        self.modifiedAt = modifiedAt
        self.modifiedBy = modifiedBy
    }

    /// Whether the schedule fixes its place.
    public var isGame: Bool { content.isGame }

    /// The item elsewhere, where somebody has moved it as of a version.
    package func moved(to position: Position, version: Int, by author: Author) -> Item {
        var item = placed(at: position, version: version)
        item.modifiedAt = author.at
        item.modifiedBy = author.name
        return item
    }

    /// The item elsewhere, as of a version: it is re-spaced or displaced, not edited.
    package func placed(at position: Position, version: Int) -> Item {
        var item = self
        item.position = position
        item.version = version
        return item
    }
}

/// What an item is.
///
/// It stands behind one reference: items are copied far more often than they are read, by every list that is sorted
/// and every change that is told.
public indirect enum ItemContent: Equatable, Sendable {
    /// Fixed by the schedule.
    case game(Game)
    /// Bound to come after the games of the city it leaves and before those of the city it reaches.
    case travel(Travel)
    /// Free.
    case custom(CustomItem)

    /// Whether it is a game.
    public var isGame: Bool {
        if case .game = self { true } else { false }
    }

    /// What a person calls it, in one line.
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
    /// The schedule's own name for it, unique in a trip.
    @Verbatim public var gameID: String
    /// Who plays whom.
    @Verbatim public var title: String
    /// Where; left out, it is read from a gameID of the form `game-City-xxxx`.
    @Verbatim public var city: String?
    /// The stadium.
    @Verbatim public var venue: String?
    /// The kick-off.
    public var startsAt: OffsetDateTime
    /// The venue's IANA zone; left out, the trip's.
    @Verbatim public var timeZone: String?
    /// How long it lasts; left out, problems count 120 minutes.
    public var durationMinutes: Int?
    /// What somebody notes about it; the schedule says nothing of that.
    @Verbatim public var note: String?
    /// What one's ticket costs.
    public var cost: Cost?
    /// Where more is said of it.
    @Verbatim public var url: String?
    /// The booking or the seat.
    @Verbatim public var reference: String?
    /// Where on the Earth it is played.
    public var coordinate: Coordinate?
    /// The calendar or table that brought it.
    public var source: ItemSource?

    /// Makes a game.
    public init(
        gameID: String, title: String, city: String? = nil, venue: String? = nil, startsAt: OffsetDateTime,
        timeZone: String? = nil, durationMinutes: Int? = nil, note: String? = nil, cost: Cost? = nil,
        url: String? = nil, reference: String? = nil, coordinate: Coordinate? = nil, source: ItemSource? = nil
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
        self.url = url
        self.reference = reference
        self.coordinate = coordinate
        self.source = source
    }

    /// The city it is played in: `city`, else, also where that is blank, what stands between the first and the last
    /// hyphen of `game-City-xxxx`, an underscore for a space.
    public var effectiveCity: String? {
        if let city, city.contains(where: { !$0.isWhitespace }) { return city }
        // By its bytes: to find the last of the characters takes long where they are made of many others.
        let (bytes, head) = (gameID.utf8, "game-".utf8)
        guard bytes.starts(with: head), let last = bytes.lastIndex(of: UInt8(ascii: "-")) else { return nil }
        let name = bytes[..<last].dropFirst(head.count).map {
            $0 == UInt8(ascii: "_") ? UInt8(ascii: " ") : $0
        }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }
}

/// A way from one city to another.
public struct Travel: Equatable, Sendable {
    /// The city it leaves: it comes after that city's games.
    @Verbatim public var fromCity: String
    /// The city it reaches: it comes before that city's games.
    @Verbatim public var toCity: String
    /// Train, plane, …
    @Verbatim public var mode: String?
    /// How long it takes.
    public var durationMinutes: Int?
    /// Anything else.
    @Verbatim public var note: String?
    /// What it costs.
    public var cost: Cost?
    /// The game it follows, which then alone binds that side, or none (R-LEG); if absent, the city's games bind it.
    public var afterGame: TravelSide?
    /// The game it precedes, likewise.
    public var beforeGame: TravelSide?
    /// When it departs, on the clocks of that day.
    public var time: ClockTime?
    /// Where more is said of it.
    @Verbatim public var url: String?
    /// The booking or the seat.
    @Verbatim public var reference: String?
    /// The calendar or table that brought it.
    public var source: ItemSource?

    /// Makes a travel.
    public init(
        fromCity: String, toCity: String, mode: String? = nil, durationMinutes: Int? = nil,
        note: String? = nil, cost: Cost? = nil, afterGame: TravelSide? = nil, beforeGame: TravelSide? = nil,
        time: ClockTime? = nil, url: String? = nil, reference: String? = nil, source: ItemSource? = nil
    ) {
        self.fromCity = fromCity
        self.toCity = toCity
        self.mode = mode
        self.durationMinutes = durationMinutes
        self.note = note
        self.cost = cost
        self.afterGame = afterGame
        self.beforeGame = beforeGame
        self.time = time
        self.url = url
        self.reference = reference
        self.source = source
    }
}

/// Anything else: a hotel, a lunch, a walk.
public struct CustomItem: Equatable, Sendable {
    /// What it is; never empty.
    @Verbatim public var title: String
    /// One symbol in front of the title.
    @Verbatim public var icon: String?
    /// Where.
    @Verbatim public var city: String?
    /// Anything else.
    @Verbatim public var note: String?
    /// How long it takes.
    public var durationMinutes: Int?
    /// What it costs.
    public var cost: Cost?
    /// When it begins, on the clocks of that day.
    public var time: ClockTime?
    /// Its address, or what the place is called.
    @Verbatim public var place: String?
    /// Where on the Earth it is.
    public var coordinate: Coordinate?
    /// Where more is said of it.
    @Verbatim public var url: String?
    /// The booking or the seat.
    @Verbatim public var reference: String?
    /// The calendar or table that brought it.
    public var source: ItemSource?

    /// Makes a custom item.
    public init(
        title: String, icon: String? = nil, city: String? = nil, note: String? = nil,
        durationMinutes: Int? = nil, cost: Cost? = nil, time: ClockTime? = nil, place: String? = nil,
        coordinate: Coordinate? = nil, url: String? = nil, reference: String? = nil, source: ItemSource? = nil
    ) {
        self.title = title
        self.icon = icon
        self.city = city
        self.note = note
        self.durationMinutes = durationMinutes
        self.cost = cost
        self.time = time
        self.place = place
        self.coordinate = coordinate
        self.url = url
        self.reference = reference
        self.source = source
    }
}

/// An amount of money.
public struct Cost: Equatable, Sendable {
    /// How much, within ±1e15.
    public var amount: Double
    /// Of what, `EUR`.
    @Verbatim public var currency: String

    /// Makes an amount.
    public init(amount: Double, currency: String) {
        self.amount = amount
        self.currency = currency
    }
}
