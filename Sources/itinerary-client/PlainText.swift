import ItineraryUI
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
            lines += trip.items(onDay: day).flatMap { Self.lines($0, of: trip) }
        }
        let outside = trip.items.filter { !trip.header.days.contains($0.position.day) }
        if !outside.isEmpty {
            lines.append("Outside the trip")
            lines += outside.flatMap { Self.lines($0, of: trip) }
        }
        if !snapshot.problems.isEmpty {
            lines += ["", "Problems"]
            lines += snapshot.problems.map { "  ! day \($0.day): \(visible($0.message))" }
        }
        return lines.joined(separator: "\n")
    }

    /// An item's line, and below it what else there is to say of it.
    private static func lines(_ item: Item, of trip: Trip) -> [String] {
        let id = item.id.description.prefix(8)
        let time = item.clockTime ?? "     "
        let said: Set<ItemField> =
            switch item.content {
            case .game: [.city, .venue]
            case .travel: [.fromCity, .toCity, .mode]
            case .custom: [.icon]
            }
        var lines = ["  \(id)  \(time)  \(visible(text(of: item.content)))"]
        for field in ItemField.shown(in: item.content)
        where field.look.place != .elsewhere && !said.contains(field) {
            guard let text = item.content.text(of: field, in: trip) else { continue }
            let label = field.look.label + ":"
            let parts = text.split(separator: "\n", omittingEmptySubsequences: false).map {
                visible(String($0))
            }
            lines += parts.enumerated().map { index, part in
                let start = index == 0 ? label : String(repeating: " ", count: label.count)
                return String(repeating: " ", count: 19) + "\(start) \(part)"
            }
        }
        return lines
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
