import TerminalCore
import TripModel
import TripProtocol

/// A trip as plain lines, for people and for pipes.
enum PlainText {
    static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Another person's text, harmless in this terminal.
    static func visible(_ text: String) -> String { DisplayText.sanitized(text) }

    /// `Thu 11 Jun 2026`
    static func words(for date: CalendarDate) -> String {
        "\(weekdays[date.weekday]) \(date.day) \(months[date.month - 1]) \(date.year)"
    }

    static func listing(of snapshot: Snapshot) -> String {
        let trip = snapshot.trip
        var lines = [
            "\(visible(trip.header.name)) (\(trip.header.slug)), version \(trip.version)", "",
        ]
        for day in trip.header.days {
            let date = trip.header.date(ofDay: day).map { " · \(words(for: $0))" } ?? ""
            lines.append("Day \(day)\(date)")
            lines += trip.items(onDay: day).map(line)
        }
        let outside = trip.items.filter { !trip.header.days.contains($0.position.day) }
        if !outside.isEmpty {
            lines.append("Outside the trip")
            lines += outside.map(line)
        }
        if !snapshot.problems.isEmpty {
            lines += ["", "Problems"]
            lines += snapshot.problems.map { "  ! day \($0.day): \(visible($0.message))" }
        }
        return lines.joined(separator: "\n")
    }

    private static func line(_ item: Item) -> String {
        let id = item.id.description.prefix(8)
        let time = item.isGame ? item.position.clockTime : "     "
        return "  \(id)  \(time)  \(visible(text(of: item.content)))"
    }

    private static func text(of content: ItemContent) -> String {
        switch content {
        case .game(let game):
            [game.title, game.effectiveCity, game.venue].compactMap { $0 }.joined(separator: " · ")
        case .travel(let travel): [content.title, travel.mode].compactMap { $0 }.joined(separator: " · ")
        case .custom(let custom): [custom.icon, custom.title].compactMap { $0 }.joined(separator: " ")
        }
    }
}
