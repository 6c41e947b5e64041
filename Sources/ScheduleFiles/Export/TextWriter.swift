import TripModel

/// Writes a trip as plain text, for a screen or a letter.
enum TextWriter {
    static func text(of trip: Trip) -> [UInt8] {
        var lines = [TextRule.visible(trip.header.name), PlanDay.span(of: trip.header)]
        for day in PlanDay.days(of: trip) {
            lines += ["", heading(of: day)]
            if day.items.isEmpty { lines.append("  –") }
            for item in day.items {
                let time = item.time ?? "     "
                lines.append((["  \(time)  \(item.title)"] + item.details).joined(separator: " · "))
                let more =
                    (item.url.map { [$0] } ?? []) + (item.note?.split(separator: "\n").map(String.init) ?? [])
                lines += more.map { "         \($0)" }
            }
        }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    private static func heading(of day: PlanDay) -> String {
        let name = day.isInTrip ? "Day \(day.number)" : "Outside the trip"
        return day.date.isEmpty ? name : "\(name) · \(day.date)"
    }
}
