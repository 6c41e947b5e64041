import ScheduleFiles
import TripModel
import TripProtocol

/// The trip that `demo` creates: one finalist of the World Cup 2026, from its first game to the final.
enum DemoTrip {
    static let slug = "world-cup-2026"
    static let team = "Spain"

    /// Additional items by day, at its start or its end.
    private static let extras: [(day: Int, atStart: Bool, item: CustomItem)] = [
        (1, true, CustomItem(title: "Arrive in Atlanta", icon: "🛬", city: "Atlanta")),
        (1, false, CustomItem(title: "Dinner at Krog Street Market", icon: "🍲", city: "Atlanta")),
        (3, true, CustomItem(title: "Georgia Aquarium", icon: "🐋", city: "Atlanta", durationMinutes: 180)),
        (8, true, CustomItem(title: "Hotel in Guadalajara", icon: "🏨", city: "Guadalajara")),
        (10, true, CustomItem(title: "Lunch in Tlaquepaque", icon: "🌮", city: "Guadalajara")),
        (15, true, CustomItem(title: "Griffith Observatory", icon: "🔭", city: "Los Angeles")),
        (24, true, CustomItem(title: "The Sixth Floor Museum", icon: "🚗", city: "Dallas")),
        (33, true, CustomItem(title: "Walk the High Line", icon: "🗽", city: "New York")),
    ]

    /// The games that the travellers do not attend.
    private static let unattended: Set = ["game-Dallas-093", "game-Los_Angeles-098"]

    /// The trip as a draft, from a schedule's games.
    ///
    /// - Returns: nil if the team is not in the schedule.
    static func draft(from schedule: [Game]) -> TripDraft? {
        let games = schedule.filter { plays(team, in: $0.title) }
            .sorted { $0.startsAt.secondsSince1970 < $1.startsAt.secondsSince1970 }
        guard let first = games.first, let last = games.last, let start = localDate(of: first),
            let end = localDate(of: last)
        else { return nil }
        let dayCount = end.daysSince1970 - start.daysSince1970 + 1
        let placed = games.map { game in
            var game = game
            game.isAttended = !unattended.contains(game.gameID)
            return (id: ItemID.random(), game: game)
        }
        var items = placed.map { Edit.add($0.id, .game($0.game), to: nil) }
        let attended = placed.filter(\.game.isBinding)
        for (before, after) in zip(attended, attended.dropFirst()) {
            guard let from = before.game.effectiveCity, let to = after.game.effectiveCity, from != to else {
                continue
            }
            // The trip returns to cities, so each travel names its two games.
            let travel = Travel(
                fromCity: from, toCity: to, mode: "plane", afterGame: .game(before.id),
                beforeGame: .game(after.id))
            items.append(.add(.random(), .travel(travel), to: nil))
        }
        if let from = last.effectiveCity, let home = first.effectiveCity, from != home {
            let travel = Travel(
                fromCity: from, toCity: home, mode: "plane", durationMinutes: 150, beforeGame: .open,
                time: ClockTime("21:30"))
            items.append(.add(.random(), .travel(travel), to: .end(day: dayCount)))
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

    /// The local date of a game, as written in the schedule.
    private static func localDate(of game: Game) -> CalendarDate? {
        CalendarDate(String(game.startsAt.text.prefix(10)))
    }
}
