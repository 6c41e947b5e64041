/// Text forms of the arrival of travel: `11:00`, `06:20+1` on the next day, `11:00-1` on the day before.
package enum ArrivalText {
    /// The word before an arrival in a command or in the field of a duration.
    package static let name = "arrives"

    /// Days from the date of the departure to that of the arrival.
    private static let offsets = -1...3

    /// The fields that an arrival sets: the duration, and the zones by which it is read if nothing else tells them.
    ///
    /// - Parameters:
    ///   - item: the travel in the trip; nil if it is new.
    ///   - day: the day of the departure.
    /// - Throws: a sentence if the text is not an arrival, if the departure has no time, or if the arrival is
    ///   before it; the last one suggests a correction.
    package static func changes(
        by text: String, of travel: Travel, at item: Item?, onDay day: Int, in trip: Trip
    ) throws(FieldObjection) -> [FieldChange] {
        let zones = trip.zones(for: travel, at: item, onDay: day, isByArrival: true)
        guard case .travel(let zoned) = ItemContent.travel(travel).with(zones) else { return [] }
        return [.durationMinutes(try minutes(of: text, for: zoned, at: item, onDay: day, in: trip))] + zones
    }

    private static func minutes(
        of text: String, for travel: Travel, at item: Item?, onDay day: Int, in trip: Trip
    ) throws(FieldObjection) -> Int {
        let plain = text.filter { !$0.isWhitespace }.replacing("−", with: "-")
        let sign = plain.firstIndex { $0 == "+" || $0 == "-" } ?? plain.endIndex
        let offset = sign == plain.endIndex ? 0 : Int(plain[sign...])
        guard let time = TimeText.time(of: String(plain[..<sign])), let offset, offsets.contains(offset)
        else {
            throw FieldObjection(reason: "An arrival is a time like 11:00, or 06:20+1 for the next day.")
        }
        guard let departure = ItemContent.travel(travel).startTime else {
            throw FieldObjection(reason: "An arrival needs the time of the departure.")
        }
        let clocks = TripClocks(trip)
        let departureZone = clocks.zone(ofNew: travel, onDay: day, at: item)
        let start = clocks.minute(departure, onDay: day, in: departureZone)
        let zone = clocks.arrivalZone(ofNew: travel, onDay: day, at: item)
        func minutes(_ offset: Int) -> Int {
            clocks.minute(StartTime(time), onDay: day + offset, in: zone) - start
        }
        if minutes(offset) >= 0 { return minutes(offset) }
        let right = offsets.first { $0 > offset && minutes($0) >= 0 }
        let correction = right.map {
            "; perhaps you mean \(time)\(suffix($0))"
        }
        let (there, here) =
            zone == departureZone
            ? ("", "") : (" (\(TripClocks.label(zone)) time)", " (\(TripClocks.label(departureZone)) time)")
        throw FieldObjection(
            reason: "The arrival at \(time)\(suffix(offset))\(there) is before the departure at "
                + "\(departure)\(here)\(correction ?? "").")
    }

    /// The days from the date of the departure, as they are written: `+1`, `-1` or nothing.
    private static func suffix(_ offset: Int) -> String {
        offset > 0 ? "+\(offset)" : offset < 0 ? "\(offset)" : ""
    }
}
