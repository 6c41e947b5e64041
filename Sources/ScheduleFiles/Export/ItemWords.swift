import TripModel

/// What a plan on paper or in a page says of an item, in words.
struct ItemWords {
    /// The time of its day, `19:30`; nil where it has none.
    let time: String?
    /// What people call it, with its symbol in front.
    let title: String
    /// Where it is, and how long, and what it costs, each as a few words.
    let details: [String]
    /// Its address on the web or of mail; nil also for one that must not be followed.
    let url: String?
    /// Anything else, with its line breaks.
    let note: String?

    init(_ item: Item) {
        let content = item.content
        func text(_ field: ItemField) -> String? {
            if case .text(let text)? = content[field] { TextRule.visible(text) } else { nil }
        }
        switch content {
        case .game: time = item.position.clockTime
        case .travel, .custom:
            time = content.time?.description
        }
        title = [text(.icon), TextRule.visible(content.title)].compactMap(\.self).joined(separator: " ")
        var details = [text(.mode), Self.location(of: content).map(TextRule.visible)].compactMap(\.self)
        if case .custom = content, let city = text(.city), text(.place) != nil { details.append(city) }
        if case .minutes(let minutes)? = content[.durationMinutes] { details.append(Self.duration(minutes)) }
        if case .cost(let cost)? = content[.cost] {
            details.append("\(DecimalText.text(of: cost.amount)) \(TextRule.visible(cost.currency))")
        }
        if let reference = text(.reference) { details.append("ref. \(reference)") }
        self.details = details
        url =
            if case .text(let url)? = content[.url], (try? ItemField.url.check(.text(url))) != nil {
                url
            } else { nil }
        note =
            if case .text(let note)? = content[.note] {
                note.split(separator: "\n", omittingEmptySubsequences: false)
                    .map { TextRule.visible(String($0)) }.joined(separator: "\n")
            } else { nil }
    }

    /// Where something is, in one line: `Estadio Azteca, Mexico City`.
    static func location(of content: ItemContent) -> String? {
        func text(_ field: ItemField) -> String? {
            if case .text(let text)? = content[field] { text } else { nil }
        }
        switch content {
        case .game(let game):
            let parts = [game.venue, game.effectiveCity].compactMap(\.self)
            return parts.isEmpty ? nil : parts.joined(separator: ", ")
        case .custom: return text(.place) ?? text(.city)
        case .travel: return nil
        }
    }

    /// `45 min`, `2 h`, `2 h 15 min`.
    static func duration(_ minutes: Int) -> String {
        let (hours, rest) = (minutes / 60, minutes % 60)
        if hours == 0 { return "\(rest) min" }
        return rest == 0 ? "\(hours) h" : "\(hours) h \(rest) min"
    }
}

/// The days of a plan, each with its heading and its items in shown order.
struct PlanDay {
    /// `Day 3`, or nil of a day outside the trip.
    let number: Int
    /// `Saturday, 13 June 2026`.
    let date: String
    /// Whether it is one of the trip's days.
    let isInTrip: Bool
    let items: [ItemWords]

    /// All days of a trip, also those without items, and those outside it on which it has games.
    static func days(of trip: Trip) -> [PlanDay] {
        let items = Dictionary(grouping: trip.items, by: \.position.day)
        let numbers = Set(trip.header.days).union(items.keys).sorted()
        return numbers.map { day in
            PlanDay(
                number: day, date: trip.header.date(ofDay: day).map(long) ?? "",
                isInTrip: trip.header.days.contains(day), items: (items[day] ?? []).map(ItemWords.init))
        }
    }

    /// `Saturday, 13 June 2026`.
    static func long(_ date: CalendarDate) -> String {
        "\(weekdays[date.weekday]), \(date.day) \(months[date.month - 1]) \(date.year)"
    }

    /// `11 June 2026 to 19 July 2026 · 39 days · America/New_York`.
    static func span(of header: TripHeader) -> String {
        func short(_ date: CalendarDate) -> String { "\(date.day) \(months[date.month - 1]) \(date.year)" }
        let last = header.date(ofDay: header.dayCount).map(short) ?? ""
        let days = header.dayCount == 1 ? "1 day" : "\(header.dayCount) days"
        let dates = header.dayCount == 1 ? short(header.startDate) : "\(short(header.startDate)) to \(last)"
        return "\(dates) · \(days) · \(TextRule.visible(header.timeZone))"
    }

    private static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ]
}
