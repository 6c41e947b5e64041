import TripModel

/// The start of a game as people write it: a date and a time on the clocks of a zone.
enum MomentText {
    /// `2026-06-13 18:00`, on the clocks of the game's place.
    static func text(of item: Item, in trip: Trip) -> String? {
        guard case .game(let game) = item.content else { return nil }
        guard let date = trip.header.date(ofDay: item.position.day) else { return game.startsAt.text }
        return "\(date) \(item.position.clockTime)"
    }

    /// The moment of a date and a time in a zone, or of RFC 3339 text; nil for anything else.
    static func moment(of text: String, zone: String, today: CalendarDate?) -> OffsetDateTime? {
        if let moment = OffsetDateTime(text) { return moment }
        guard let space = text.lastIndex(where: \.isWhitespace),
            let time = DateText.time(of: String(text[space...].dropFirst())),
            let date = DateText.date(of: String(text[..<space]).trimmed, today: today),
            let clock = WallClock(zone: zone)
        else { return nil }
        let local = Int64(date.daysSince1970) * 86_400 + Int64(time.minute) * 60
        let seconds = clock.seconds(ofWallClock: local)
        let offset = Int(local - seconds) / 60
        let sign = offset < 0 ? "-" : "+"
        let (hours, minutes) = (abs(offset) / 60, abs(offset) % 60)
        return OffsetDateTime("\(date)T\(time):00\(sign)\(two(hours)):\(two(minutes))")
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
