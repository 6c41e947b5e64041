/// The time zones that programs store with travel that they add.
extension Trip {
    /// Zones for the ends of travel that has none: the zone of other travel to or from that city, or else the zone that
    /// is named after the city, such as `America/Los_Angeles`.
    ///
    /// A city with an event needs none: it has the zone of the event. If an arrival was given by its clock, an end
    /// without any known zone gets its present one, so that a later event does not move the arrival.
    ///
    /// - Parameters:
    ///   - item: the travel in the trip; nil if it is new.
    ///   - day: the day of the departure.
    ///   - isByArrival: whether the duration follows from a local time of arrival.
    package func zones(
        for travel: Travel, at item: Item? = nil, onDay day: Int, isByArrival: Bool
    ) -> [FieldChange] {
        guard travel.time != nil else { return [] }
        let clocks = TripClocks(self)
        var changes: [FieldChange] = []
        if travel.timeZone == nil, !hasEvent(inCity: travel.fromCity) {
            let present = isByArrival ? clocks.zone(ofNew: travel, onDay: day, at: item) : nil
            if let zone = travelZone(of: travel.fromCity) ?? present { changes.append(.timeZone(zone)) }
        }
        if travel.arrivalTimeZone == nil, !hasEvent(inCity: travel.toCity) {
            let present = isByArrival ? clocks.arrivalZone(ofNew: travel, onDay: day, at: item) : nil
            if let zone = travelZone(of: travel.toCity) ?? present { changes.append(.arrivalTimeZone(zone)) }
        }
        return changes
    }

    /// Whether a city has an event, attended or not.
    private func hasEvent(inCity city: String) -> Bool {
        CityName(city).map { city in
            [true, false].contains { gamesByCity[CityGames(city: city, isAttended: $0)]?.isEmpty == false }
        } ?? false
    }

    /// The zone of a city without an event.
    private func travelZone(of city: String) -> String? {
        guard let name = CityName(city) else { return nil }
        for row in rows {
            guard case .travel(let leg) = item(at: row).content else { continue }
            if let zone = leg.timeZone, CityName(leg.fromCity) == name { return zone }
            if let zone = leg.arrivalTimeZone, CityName(leg.toCity) == name { return zone }
        }
        return name.timeZone
    }
}
