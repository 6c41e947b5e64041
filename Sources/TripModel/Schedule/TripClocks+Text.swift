extension TripClocks {
    /// The arrival of travel, such as `→ 06:20 +1`; nil if unknown.
    package func arrivalText(of item: Item) -> String? {
        arrival(of: item).map { arrival in
            let offset =
                arrival.dayOffset == 0
                ? "" : arrival.dayOffset < 0 ? " −\(-arrival.dayOffset)" : " +\(arrival.dayOffset)"
            return "→ \(arrival.time)\(offset)"
        }
    }

    /// The zones of an item's times that are not the trip's, such as `Tokyo time` or `Tokyo → Los Angeles
    /// time`; nil if there are none.
    package func zoneText(of item: Item) -> String? {
        guard let start = start(of: item) else { return nil }
        let departure = zone(of: item)
        guard let arrival = arrival(of: item), arrival.zone != departure else {
            return isForeign(departure, at: start) ? "\(Self.label(departure)) time" : nil
        }
        guard isForeign(departure, at: start) || isForeign(arrival.zone, at: start) else { return nil }
        return "\(Self.label(departure)) → \(Self.label(arrival.zone)) time"
    }

    /// The zone of a later time of an item, such as its check-out; nil if it is the trip's.
    func zoneText(of time: ClockTime, onDay day: Int, as item: Item) -> String? {
        let zone = zone(of: item)
        return isForeign(zone, at: minute(StartTime(time), onDay: day, in: zone))
            ? "\(Self.label(zone)) time" : nil
    }

    /// Notes on an item's times, shown beside its start: `17:00 → 11:00`, `Tokyo time`.
    package func timeNotes(of item: Item) -> [String] {
        [arrivalText(of: item).map { "\(item.clockTime ?? "") \($0)" }, zoneText(of: item)].compactMap(\.self)
    }

    /// A zone's label beside a time: its city, such as `Los Angeles`, or `UTC−5` for `Etc/GMT+5`.
    package static func label(_ zone: String) -> String {
        let posix = "Etc/GMT"
        if zone.hasPrefix(posix), let hours = Int(zone.dropFirst(posix.count)), hours != 0 {
            return hours > 0 ? "UTC−\(hours)" : "UTC+\(-hours)"
        }
        return String(zone.split(separator: "/").last ?? "").replacing("_", with: " ")
    }
}
