/// A later day of a stay of several nights, which lists show below the day's heading.
package struct StayDay: Equatable, Sendable {
    /// The stay.
    package let item: ItemID
    /// Its title.
    package let title: String
    /// The number of the night that begins on this day, from 2; nil on the day of the check-out.
    package let night: Int?
    /// The number of nights of the stay.
    package let nights: Int
    /// The time of the check-out, on its day.
    package let endTime: ClockTime?
    /// The zone of the check-out, such as `Tokyo time`, if it is not the trip's.
    package let zoneText: String?

    /// `⌂ Hotel Gracery · night 2 of 5`, or on the last day `⌂ Hotel Gracery · check-out 11:00`.
    package var text: String {
        if let night { return "⌂ \(title) · night \(night) of \(nights)" }
        let zone = zoneText.map { ", \($0)" } ?? ""
        return "⌂ \(title) · check-out\(endTime.map { " \($0)\(zone)" } ?? "")"
    }
}

extension Trip {
    /// The maximum number of stays shown on a day.
    private static let stayLines = 8

    /// The later days of all stays, by day, each in the order in which the stays begin.
    package var stayDays: [Int: [StayDay]] {
        var days: [Int: [StayDay]] = [:]
        lazy var clocks = TripClocks(self)
        for row in rows where !row.isGame {
            guard case .custom(let stay) = item(at: row).content, let nights = stay.nights, nights > 0,
                row.day < header.dayCount
            else { continue }
            for day in (row.day + 1)...min(row.day + nights, header.dayCount) {
                guard days[day]?.count ?? 0 < Self.stayLines else { continue }
                let isLast = day == row.day + nights
                let endTime = isLast ? stay.endTime : nil
                days[day, default: []].append(
                    StayDay(
                        item: row.id, title: stay.title, night: isLast ? nil : day - row.day + 1,
                        nights: nights, endTime: endTime,
                        zoneText: endTime.flatMap { clocks.zoneText(of: $0, onDay: day, as: item(at: row)) }))
            }
        }
        return days
    }
}
