import ItineraryUI
import Testing
import TripModel

/// The trip of most tests: five days, three games, two travels, four custom items.
///
///     Day 1   18:00 Brazil v Morocco (New York), Dinner in Hoboken
///     Day 2   New York → Philadelphia, Liberty Bell
///     Day 3   (nothing)
///     Day 4   Coffee, 21:00 Brazil v Haiti (Philadelphia), Philadelphia → Miami
///     Day 5   18:00 Scotland v Brazil (Miami), Beach
struct SampleTrip {
    var trip: Trip
    private var lastID: UInt64 = 0

    let brazilMorocco: ItemID
    let dinner: ItemID
    let toPhiladelphia: ItemID
    let bell: ItemID
    let coffee: ItemID
    let brazilHaiti: ItemID
    let toMiami: ItemID
    let scotlandBrazil: ItemID
    let beach: ItemID

    static let author = Author(name: "Ann", at: Timestamp(milliseconds: 1_780_000_000_000))

    init() throws {
        let ids = (1...9).map { ItemID(high: 0, low: $0) }
        (brazilMorocco, dinner, toPhiladelphia, bell, coffee) = (ids[0], ids[1], ids[2], ids[3], ids[4])
        (brazilHaiti, toMiami, scotlandBrazil, beach) = (ids[5], ids[6], ids[7], ids[8])
        lastID = 9
        trip = try Trip.create(Self.header(days: 5), by: Self.author)
        try apply(
            .add(brazilMorocco, Self.game("Brazil v Morocco", "New York", "2026-06-13T18:00:00Z"), to: nil),
            .add(dinner, Self.custom("Dinner in Hoboken", icon: "🍝"), to: .end(day: 1)),
            .add(toPhiladelphia, Self.travel("New York", "Philadelphia", "train", 85), to: .start(day: 2)),
            .add(bell, Self.custom("Liberty Bell", city: "Philadelphia"), to: .end(day: 2)),
            .add(brazilHaiti, Self.game("Brazil v Haiti", "Philadelphia", "2026-06-16T21:00:00Z"), to: nil),
            .add(coffee, Self.custom("Coffee", icon: "☕️"), to: .start(day: 4)),
            .add(toMiami, Self.travel("Philadelphia", "Miami", "plane", 180), to: .end(day: 4)),
            .add(scotlandBrazil, Self.game("Scotland v Brazil", "Miami", "2026-06-17T18:00:00Z"), to: nil),
            .add(beach, Self.custom("Beach"), to: .end(day: 5)))
    }

    static func header(days: Int, name: String = "World Cup with Brazil") throws -> TripHeader {
        TripHeader(
            id: TripID(high: 0, low: 1), slug: "world-cup", name: name,
            startDate: try #require(CalendarDate("2026-06-13")), timeZone: "UTC", dayCount: days)
    }

    /// An entry of the trip menu.
    static func choice(_ number: UInt64, _ name: String, days: Int, items: Int = 0) -> TripChoice {
        let plan = TripPlan(
            name: name, startDate: CalendarDate("2026-07-01") ?? .epoch, timeZone: "UTC", dayCount: days)
        return TripChoice(
            id: TripID(high: 0, low: number), slug: TripHeader.slug(of: name), plan: plan, itemCount: items)
    }

    static func game(_ title: String, _ city: String, _ start: String) throws -> ItemContent {
        .game(Game(gameID: title, title: title, city: city, startsAt: try #require(OffsetDateTime(start))))
    }

    static func custom(_ title: String, icon: String? = nil, city: String? = nil) -> ItemContent {
        .custom(CustomItem(title: title, icon: icon, city: city))
    }

    static func travel(_ from: String, _ to: String, _ mode: String, _ minutes: Int) -> ItemContent {
        .travel(Travel(fromCity: from, toCity: to, mode: mode, durationMinutes: minutes))
    }

    mutating func apply(_ edits: Edit...) throws {
        _ = try trip.apply(edits, by: Self.author)
    }

    var view: TripView { TripView(trip: trip, problems: trip.problems) }
}
