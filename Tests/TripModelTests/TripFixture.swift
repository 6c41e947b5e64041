import Testing
import TripModel

/// A trip under test with helpers. Its default zone is UTC, so a game's minute can be read from its start.
struct TripFixture {
    var trip: Trip
    private var lastID: UInt64 = 0

    static let author = Author(name: "Ann", at: Timestamp(milliseconds: 1_780_000_000_000))

    init(days: Int = 5, start: String = "2026-06-11", zone: String = "UTC") throws {
        let header = try Self.header(days: days, start: start, zone: zone)
        trip = try Trip.create(header, by: Self.author)
    }

    static func header(days: Int = 5, start: String = "2026-06-11", zone: String = "UTC") throws -> TripHeader
    {
        TripHeader(
            id: TripID(high: 0, low: 1), slug: "summer", name: "Summer",
            startDate: try #require(CalendarDate(start)), timeZone: zone, dayCount: days)
    }
}

// MARK: - Content

extension TripFixture {
    /// A game on a day of the trip at a minute of that day, in UTC; its order is 100 + minute.
    func gameContent(
        _ gameID: String, city: String?, day: Int, minute: Int, duration: Int? = nil
    ) throws -> ItemContent {
        let date = try #require(trip.header.date(ofDay: day))
        let clock = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        let start = try #require(OffsetDateTime("\(date)T\(clock):00Z"))
        return .game(
            Game(gameID: gameID, title: gameID, city: city, startsAt: start, durationMinutes: duration))
    }

    static func custom(_ title: String) -> ItemContent { .custom(CustomItem(title: title)) }

    static func travel(
        _ from: String, _ to: String, afterGame: ItemID? = nil, beforeGame: ItemID? = nil
    ) -> ItemContent {
        .travel(
            Travel(
                fromCity: from, toCity: to, afterGame: afterGame.map(TravelSide.game),
                beforeGame: beforeGame.map(TravelSide.game)))
    }
}

// MARK: - Edits

extension TripFixture {
    @discardableResult
    mutating func apply(_ edits: Edit..., guardedBy edit: EditGuard = EditGuard()) throws -> Commit {
        try trip.apply(edits, by: Self.author, guardedBy: edit)
    }

    mutating func add(_ content: ItemContent, to placement: Placement? = nil) throws -> ItemID {
        lastID += 1
        let id = ItemID(high: 0, low: lastID)
        try apply(.add(id, content, to: placement))
        return id
    }

    mutating func game(
        _ gameID: String, city: String? = nil, day: Int, minute: Int, duration: Int? = nil
    ) throws -> ItemID {
        try add(gameContent(gameID, city: city, day: day, minute: minute, duration: duration))
    }

    mutating func custom(_ title: String, at placement: Placement? = nil) throws -> ItemID {
        try add(Self.custom(title), to: placement)
    }

    mutating func travel(_ from: String, _ to: String, at placement: Placement? = nil) throws -> ItemID {
        try add(Self.travel(from, to), to: placement)
    }

    @discardableResult
    mutating func move(_ id: ItemID, to placement: Placement) throws -> Commit {
        try apply(.move(id, to: placement))
    }
}

// MARK: - Looking

extension TripFixture {
    func item(_ id: ItemID) throws -> Item { try #require(trip[id]) }

    func order(_ id: ItemID) throws -> Double { try item(id).position.sortOrder }

    func day(_ id: ItemID) throws -> Int { try item(id).position.day }

    func titles(onDay day: Int) -> [String] { trip.items(onDay: day).map(\.content.title) }

    /// The reason why an edit is refused; nil if it is accepted. Does not change the trip.
    func rejection(of edit: Edit, guardedBy guarding: EditGuard = EditGuard()) -> Rejection? {
        var copy = trip
        do throws(EditFailure) {
            _ = try copy.apply([edit], by: Self.author, guardedBy: guarding)
            return nil
        } catch {
            #expect(copy == trip, "a refused edit leaves the trip as it was")
            return error.rejection
        }
    }

    /// Whether an edit changes nothing.
    func isNoop(_ edit: Edit) throws -> Bool {
        var copy = trip
        let commit = try copy.apply([edit], by: Self.author)
        #expect(commit.isNoop == (copy == trip), "a noop, and nothing else, leaves the trip as it was")
        return commit.isNoop
    }

    func refusal(_ content: ItemContent, day: Int, order: Double) -> PlaceRefusal? {
        trip.refusal(of: content, at: Position(day: day, sortOrder: order))
    }
}
