import TripModel

/// Writes a trip as plain text.
enum TextWriter {
    static func text(of trip: Trip) -> [UInt8] {
        var lines = [TextRule.visible(trip.header.name), PlanDay.span(of: trip.header)]
        for day in PlanDay.days(of: trip) {
            lines += ["", day.isEmpty ? "\(day.heading): nothing planned" : day.heading]
            lines += day.stays.map { "         \($0)" }
            for item in day.items {
                let time = item.time ?? "     "
                lines.append((["  \(time)  \(item.title)"] + item.details).joined(separator: " · "))
                let more =
                    (item.url.map { [$0] } ?? []) + (item.note?.split(separator: "\n").map(String.init) ?? [])
                lines += more.map { "         \($0)" }
            }
        }
        for list in PlanList.all(of: trip) {
            lines += ["", list.heading] + list.entries.map { "  \($0.line { $0 })" }
        }
        if let costs = PlanDay.costs(of: trip) { lines += ["", costs] }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }
}
