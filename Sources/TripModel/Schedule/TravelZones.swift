/// The time zones that programs store with travel that they add.
extension Trip {
    /// Zones for the ends of travel that has none: those of their cities' own clocks.
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
        func zone(_ city: String, _ end: TripClocks.End) -> String? {
            !hasEvent(inCity: city) && (end.origin == .city || isByArrival) ? end.zone : nil
        }
        var changes: [FieldChange] = []
        if travel.timeZone == nil,
            let zone = zone(travel.fromCity, clocks.departure(of: travel, onDay: day, at: item))
        {
            changes.append(.timeZone(zone))
        }
        if travel.arrivalTimeZone == nil,
            let zone = zone(travel.toCity, clocks.arrival(of: travel, onDay: day, at: item))
        {
            changes.append(.arrivalTimeZone(zone))
        }
        return changes
    }

    /// The zones that new travel takes from other items because its cities have no clocks of their own.
    ///
    /// - Parameters:
    ///   - travel: the travel without the zones of `zones(for:at:onDay:isByArrival:)`.
    ///   - item: the travel in the trip; nil if it is not there yet.
    ///   - isByArrival: as there; then the trip's zone counts, too.
    package func borrowedZones(
        of travel: Travel, at item: Item? = nil, onDay day: Int, isByArrival: Bool
    ) -> [BorrowedZone] {
        guard travel.time != nil else { return [] }
        let clocks = TripClocks(self)
        var borrowed: [BorrowedZone] = []
        func take(_ city: String, _ field: ItemField, _ end: TripClocks.End) {
            guard end.origin == .neighbour || end.origin == .trip && isByArrival else { return }
            borrowed.append(BorrowedZone(city: city, field: field, zone: end.zone))
        }
        take(travel.fromCity, .timeZone, clocks.departure(of: travel, onDay: day, at: item))
        if travel.durationMinutes != nil || isByArrival {
            take(travel.toCity, .arrivalTimeZone, clocks.arrival(of: travel, onDay: day, at: item))
        }
        return borrowed
    }

    /// Whether a city has an event, attended or not.
    private func hasEvent(inCity city: String) -> Bool {
        CityName(city).map { city in
            [true, false].contains { gamesByCity[CityGames(city: city, isBinding: $0)]?.isEmpty == false }
        } ?? false
    }
}

/// The zone of an end of travel that is not the city's own clock.
package struct BorrowedZone: Equatable, Sendable {
    /// As it is written in the travel.
    package let city: String
    /// The field that sets another zone.
    package let field: ItemField
    /// The zone that the end has now.
    package let zone: String

    /// The fact, and the words that set another zone.
    package var sentence: String {
        "\(city) has no clock of its own, so the \(end) is in \(TripClocks.label(zone)) time; "
            + "\(field.name)=ZONE sets another."
    }

    /// The same for the user of a form.
    package var formSentence: String {
        "\(city) has no clock of its own: the \(end) is in \(TripClocks.label(zone)) time (\(field.label))."
    }

    private var end: String { field == .timeZone ? "departure" : "arrival" }
}
