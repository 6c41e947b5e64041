import TripModel

/// The text of an item in a printed plan or on a page.
struct ItemWords {
    /// The local time, `19:30`; nil if it has none.
    let time: String?
    /// The title, after its symbol.
    let title: String
    /// Whether the title is struck through.
    let isCancelled: Bool
    /// The place, the duration and the cost, in a few words each.
    let details: [String]
    /// A link that is safe to follow; nil if there is none.
    let url: String?
    /// The note, with line breaks.
    let note: String?

    init(_ item: Item, _ clocks: TripClocks) {
        let content = item.content
        func text(_ field: ItemField) -> String? {
            if case .text(let text)? = content[field] { TextRule.visible(text) } else { nil }
        }
        switch content {
        case .game: time = item.position.clockTime
        case .travel, .custom:
            time = content.startTime?.description
        }
        title = [text(.icon), TextRule.visible(content.title)].compactMap(\.self).joined(separator: " ")
        isCancelled = content.isCancelled
        var details = clocks.timeNotes(of: item).map(TextRule.visible)
        if case .game(let game) = content { details += game.absence }
        details += [text(.mode), Self.location(of: content).map(TextRule.visible)].compactMap(\.self)
        if case .custom = content, let city = text(.city), text(.place) != nil { details.append(city) }
        if case .minutes(let minutes)? = content[.durationMinutes] { details.append(Self.duration(minutes)) }
        if case .nights(let nights)? = content[.nights], nights > 0 {
            details.append(counted(nights, "night"))
        }
        if case .time(let time)? = content[.endTime] { details.append("until \(time)") }
        if case .cost(let cost)? = content[.cost] {
            let payer = text(.paidBy).map { ", paid by \($0)" } ?? ""
            let sharers = text(.sharedBy).map { " for \($0)" } ?? ""
            details.append("\(TextRule.visible(CostText.text(of: cost)))\(payer)\(sharers)")
        }
        if let who = text(.who) { details.append("with \(who)") }
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

    /// The place of an item, on one line: `Estadio Azteca, Mexico City`.
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

/// The things to do of a group, sorted by due date.
struct PlanList {
    /// `To do`, or `To do: before`.
    let heading: String
    let entries: [Entry]

    struct Entry {
        let task: String
        /// The assignee and the due date; empty without either.
        let details: String
        let isDone: Bool

        /// `[ ] Hotel · ann · by Mon 1 Mar 2027`, with each text changed by a function.
        func line(_ change: (String) -> String) -> String {
            let texts = [task, details].filter { !$0.isEmpty }.map(change)
            return "[\(isDone ? "x" : " ")] \(texts.joined(separator: " · "))"
        }
    }

    /// The lists of a trip in the order of their first entries.
    static func all(of trip: Trip) -> [PlanList] {
        let entries = trip.header.todo.byUrgency
        var groups: [String?] = []
        for entry in entries where !groups.contains(entry.parts.group) { groups.append(entry.parts.group) }
        return groups.map { group in
            PlanList(
                heading: TextRule.visible(group.map { "To do: \($0)" } ?? "To do"),
                entries: entries.filter { $0.parts.group == group }.map { entry in
                    Entry(
                        task: TextRule.visible(entry.parts.task),
                        details: TextRule.visible(entry.parts.details),
                        isDone: entry.doneBy != nil)
                })
        }
    }
}

/// A day of a plan with its items in shown order, or a run of days without items.
struct PlanDay {
    /// `Day 3`, `Days 3–30`, or `Outside the trip`.
    let name: String
    /// `Saturday, 13 June 2026`, or the first and the last date.
    let date: String
    let items: [ItemWords]
    /// The stays and travel that began earlier and include this day, a line each.
    let stays: [String]

    /// Whether it has neither items nor such lines.
    var isEmpty: Bool { items.isEmpty && stays.isEmpty }

    /// The name and the date.
    var heading: String { date.isEmpty ? name : "\(name) · \(date)" }

    /// All days of a trip, with runs of empty days merged, and the days outside it that have games.
    static func days(of trip: Trip) -> [PlanDay] {
        let items = Dictionary(grouping: trip.items, by: \.position.day)
        let clocks = TripClocks(trip)
        let stays = trip.laterDays(by: clocks)
        func isEmpty(_ day: Int) -> Bool { items[day] == nil && stays[day] == nil }
        var runs: [ClosedRange<Int>] = []
        for day in Set(trip.header.days).union(items.keys).sorted() {
            if let last = runs.last, last.upperBound == day - 1, isEmpty(day), isEmpty(day - 1) {
                runs[runs.count - 1] = last.lowerBound...day
            } else {
                runs.append(day...day)
            }
        }
        return runs.map { days in
            let name =
                !trip.header.days.contains(days.lowerBound)
                ? "Outside the trip"
                : days.count == 1 ? "Day \(days.lowerBound)" : "Days \(days.lowerBound)–\(days.upperBound)"
            let ends = days.count == 1 ? [days.lowerBound] : [days.lowerBound, days.upperBound]
            return PlanDay(
                name: name,
                date: ends.compactMap { trip.header.date(ofDay: $0).map(long) }.joined(separator: " – "),
                items: (items[days.lowerBound] ?? []).map { ItemWords($0, clocks) },
                stays: (stays[days.lowerBound] ?? []).map { TextRule.visible($0.text) })
        }
    }

    /// `Costs: 120 EUR + 450 MXN`; nil if nothing has a cost.
    static func costs(of trip: Trip) -> String? {
        var sum = CostSum()
        let rates = trip.header.exchangeRates
        for item in trip.items { sum.add(costOf: item.content, in: rates) }
        return sum.isEmpty ? nil : "Costs: \(TextRule.visible(sum.text))"
    }

    /// `Saturday, 13 June 2026`.
    static func long(_ date: CalendarDate) -> String {
        "\(weekdays[date.weekday]), \(date.day) \(months[date.month - 1]) \(date.year)"
    }

    /// `11 June 2026 to 19 July 2026 · 39 days · America/New_York`.
    static func span(of header: TripHeader) -> String {
        func short(_ date: CalendarDate) -> String { "\(date.day) \(months[date.month - 1]) \(date.year)" }
        let last = header.date(ofDay: header.dayCount).map(short) ?? ""
        let days = counted(header.dayCount, "day")
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
