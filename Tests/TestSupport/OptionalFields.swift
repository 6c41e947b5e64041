import TripModel

/// Changes for generated values: nil clears the field.
extension FieldChange {
    package static func time(_ time: ClockTime?) -> FieldChange { time.map(self.time) ?? .clear(.time) }
    package static func endTime(_ time: ClockTime?) -> FieldChange {
        time.map(endTime) ?? .clear(.endTime)
    }
    package static func afterGame(_ side: TravelSide?) -> FieldChange {
        side.map(afterGame) ?? .clear(.afterGame)
    }
    package static func city(_ text: String?) -> FieldChange { text.map(city) ?? .clear(.city) }
    package static func note(_ text: String?) -> FieldChange { text.map(note) ?? .clear(.note) }
    package static func who(_ text: String?) -> FieldChange { text.map(who) ?? .clear(.who) }
    package static func timeZone(_ text: String?) -> FieldChange { text.map(timeZone) ?? .clear(.timeZone) }
    package static func arrivalTimeZone(_ text: String?) -> FieldChange {
        text.map(arrivalTimeZone) ?? .clear(.arrivalTimeZone)
    }
}
