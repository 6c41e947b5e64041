/// A line below the heading of a later day that an item covers: a night of a stay, its check-out, travel that is under way,
/// or its arrival.
package struct LaterDay: Equatable, Sendable {
    /// The item, which is on an earlier day.
    package let item: ItemID
    /// Whether it is travel. Its days are not folded as empty.
    package let isTravel: Bool
    /// `⌂ Hotel Gracery · night 2 of 5`, `⌂ Hotel Gracery · check-out 11:00`, `→ Berlin → Paris · under way` or
    /// `→ Berlin → Paris · arrives 08:30, Paris time`.
    package let text: String
}

extension Trip {
    /// The maximum number of lines on a day.
    private static let laterLines = 8

    /// The lines of later days, by day, each day's in the order in which the items begin.
    package func laterDays(by clocks: TripClocks) -> [Int: [LaterDay]] {
        var days: [Int: [LaterDay]] = [:]
        /// Adds the lines of an item up to the last day that it covers.
        func add(_ row: Row, upTo last: Int, isTravel: Bool, _ text: (_ day: Int) -> String) {
            guard row.day < min(last, header.dayCount) else { return }
            for day in (row.day + 1)...min(last, header.dayCount)
            where days[day]?.count ?? 0 < Self.laterLines {
                days[day, default: []].append(LaterDay(item: row.id, isTravel: isTravel, text: text(day)))
            }
        }
        for row in plannedRows where !row.isGame {
            let item = item(at: row)
            switch item.content {
            case .custom(let stay):
                guard let nights = stay.nights, nights > 0 else { continue }
                add(row, upTo: row.day + nights, isTravel: false) { day in
                    if day < row.day + nights {
                        return "⌂ \(stay.title) · night \(day - row.day + 1) of \(nights)"
                    }
                    let time = stay.endTime.map { " \($0)" } ?? ""
                    let zone = stay.endTime.flatMap { clocks.zoneText(of: $0, onDay: day, as: item) }
                    return "⌂ \(stay.title) · check-out\(time)\(zone.map { ", \($0)" } ?? "")"
                }
            case .travel:
                // Only travel with a time and a duration has an arrival.
                guard item.content.startTime != nil, let arrival = clocks.arrival(of: item) else { continue }
                add(row, upTo: row.day + arrival.dayOffset, isTravel: true) { day in
                    let isLast = day == row.day + arrival.dayOffset
                    return "→ \(item.content.title) · "
                        + (isLast
                            ? "arrives \(arrival.time), \(TripClocks.label(arrival.zone)) time" : "under way")
                }
            case .game: continue
            }
        }
        return days
    }
}
