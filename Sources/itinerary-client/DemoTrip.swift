import ScheduleFiles
import TripModel
import TripProtocol

/// The trip that `demo` makes: one finalist of the World Cup 2026, from its first game to the final.
enum DemoTrip {
    static let slug = "world-cup-2026"
    static let team = "Spain"

    /// Items that no schedule has, by the day they are on and whether they come first or last on it.
    private static let extras: [(day: Int, atStart: Bool, item: CustomItem)] = [
        (1, true, CustomItem(title: "Arrive in Atlanta", icon: "🛬", city: "Atlanta")),
        (1, false, CustomItem(title: "Dinner at Krog Street Market", icon: "🍲", city: "Atlanta")),
        (3, true, CustomItem(title: "Georgia Aquarium", icon: "🐋", city: "Atlanta", durationMinutes: 180)),
        (8, true, CustomItem(title: "Hotel in Guadalajara", icon: "🏨", city: "Guadalajara")),
        (10, true, CustomItem(title: "Lunch in Tlaquepaque", icon: "🌮", city: "Guadalajara")),
        (15, true, CustomItem(title: "Griffith Observatory", icon: "🔭", city: "Los Angeles")),
        (24, true, CustomItem(title: "The Sixth Floor Museum", icon: "🚗", city: "Dallas")),
        (33, true, CustomItem(title: "Walk the High Line", icon: "🗽", city: "New York")),
        (35, false, CustomItem(title: "Fly home", icon: "🛫", city: "New York")),
    ]

    /// The trip as a draft, from a schedule's games.
    ///
    /// - Returns: nil where the team does not play in the schedule.
    static func draft(from schedule: [Game]) -> TripDraft? {
        let games = schedule.filter { plays(team, in: $0.title) }
            .sorted { $0.startsAt.secondsSince1970 < $1.startsAt.secondsSince1970 }
        guard let first = games.first, let last = games.last, let start = localDate(of: first),
            let end = localDate(of: last)
        else { return nil }
        let dayCount = end.daysSince1970 - start.daysSince1970 + 1
        let placed = games.map { (id: ItemID.random(), game: $0) }
        var items = placed.map { Edit.add($0.id, .game($0.game), to: nil) }
        for (before, after) in zip(placed, placed.dropFirst()) {
            guard let from = before.game.effectiveCity, let to = after.game.effectiveCity, from != to else {
                continue
            }
            // The trip returns to cities: each leg names the games it lies between.
            let travel = Travel(
                fromCity: from, toCity: to, mode: "plane", afterGame: .game(before.id),
                beforeGame: .game(after.id))
            items.append(.add(.random(), .travel(travel), to: nil))
        }
        for extra in extras where extra.day <= dayCount {
            items.append(
                .add(
                    .random(), .custom(extra.item),
                    to: extra.atStart ? .start(day: extra.day) : .end(day: extra.day)))
        }
        return TripDraft(
            name: "World Cup 2026: \(team)", startDate: start, timeZone: first.timeZone ?? "America/New_York",
            dayCount: dayCount, slug: slug, items: items)
    }

    private static func plays(_ team: String, in title: String) -> Bool {
        title.hasPrefix("\(team) v ") || title.hasSuffix(" v \(team)")
    }

    /// The date that the schedule writes: the venue's own.
    private static func localDate(of game: Game) -> CalendarDate? {
        CalendarDate(String(game.startsAt.text.prefix(10)))
    }
}
