import TerminalCore
import TripModel
import TripProtocol

/// Trips as plain lines, for people and pipes.
enum PlainText {
    /// Text of other users with control characters replaced.
    static func visible(_ text: String) -> String { DisplayText.sanitized(text) }

    /// A trip as lines.
    ///
    /// - Parameter wanted: the days to list; nil for the whole trip with all details.
    static func listing(of snapshot: Snapshot, days wanted: ClosedRange<Int>? = nil) -> String {
        let trip = snapshot.trip
        let days = wanted ?? trip.header.days
        var lines = wanted == nil ? [title(of: trip), ""] : []
        lines += Self.lines(ofDays: days, in: trip)
        let outside = trip.items.filter { !trip.header.days.contains($0.position.day) }
        if wanted == nil, !outside.isEmpty {
            lines.append("Outside the trip")
            let clocks = TripClocks(trip)
            lines += outside.flatMap { Self.lines($0, of: trip, clocks) }
        }
        let problems = snapshot.problems.filter { wanted?.contains($0.day) ?? true }
        if !problems.isEmpty {
            lines += ["", "Problems"] + problems.map { "  \($0.kind.isHint ? "?" : "!") \(line(of: $0))" }
        }
        return (lines + (wanted == nil ? [""] + ending(of: trip) : [])).joined(separator: "\n")
    }

    /// `day 3: A, B overlap`, with `hint: ` before and ` (accepted)` behind it if that applies.
    static func line(of problem: Problem) -> String {
        "\(problem.kind.isHint ? "hint: " : "")day \(problem.day): \(visible(problem.message))"
            + (problem.isAccepted ? " (accepted)" : "")
    }

    /// `until 08:30  Berlin → Paris` for each travel that is under way at an instant.
    ///
    /// - Parameter now: seconds since 1970.
    static func underWay(in trip: Trip, at now: Int64) -> [String] {
        TripTimes(trip).underWay(at: now).map { "until \($0.until)  \(visible($0.item.content.title))" }
    }

    /// `Japan (japan), version 3`
    static func title(of trip: Trip) -> String {
        "\(visible(trip.header.name)) (\(visible(trip.header.slug))), version \(trip.version)"
    }

    /// The days with their items; a run of empty days is one line.
    private static func lines(ofDays days: ClosedRange<Int>, in trip: Trip) -> [String] {
        var lines: [String] = []
        var empty: ClosedRange<Int>?
        let clocks = TripClocks(trip)
        let stays = trip.laterDays(by: clocks)
        func printEmpty() {
            guard let run = empty else { return }
            empty = nil
            let dates = [run.lowerBound, run.upperBound].compactMap {
                trip.header.date(ofDay: $0).map(DateText.text(of:))
            }
            if run.count == 1 {
                lines.append((["Day \(run.lowerBound)"] + dates.prefix(1)).joined(separator: " · "))
            } else {
                let span = dates.isEmpty ? "" : " · " + dates.joined(separator: " – ")
                lines.append("Days \(run.lowerBound)–\(run.upperBound)\(span): nothing planned")
            }
        }
        for day in days {
            let items = trip.items(onDay: day)
            if items.isEmpty, stays[day] == nil {
                empty = (empty?.lowerBound ?? day)...day
                continue
            }
            printEmpty()
            let date = trip.header.date(ofDay: day).map { " · \(DateText.text(of: $0))" } ?? ""
            lines.append("Day \(day)\(date)")
            lines += (stays[day] ?? []).map { "            \(visible($0.text))" }
            lines += items.flatMap { Self.lines($0, of: trip, clocks) }
        }
        printEmpty()
        return lines
    }

    /// The lines about the whole trip: its zone, its costs, and the last editors.
    private static func ending(of trip: Trip) -> [String] {
        var lines = ["Time zone: \(trip.header.timeZone)"]
        var costs = CostSum()
        let rates = trip.header.exchangeRates
        var people: [String: Int] = [:]
        for item in trip.items {
            people[item.modifiedBy, default: 0] += 1
            costs.add(costOf: item.content, in: rates)
        }
        if !costs.isEmpty { lines.append("Costs: " + visible(costs.text)) }
        if !people.isEmpty {
            let all = people.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            lines.append(
                "Last changed by: "
                    + all.map { "\(visible($0.key)) (\(counted($0.value, "item")))" }.joined(separator: ", "))
        }
        return lines
    }

    /// An item's line, and its details below it.
    private static func lines(_ item: Item, of trip: Trip, _ clocks: TripClocks) -> [String] {
        let id = item.id.description.prefix(8)
        let time = item.clockTime ?? "     "
        let said: Set<ItemField> =
            switch item.content {
            case .game: [.city, .venue, .cancelled]
            case .travel: [.fromCity, .toCity, .mode]
            case .custom: [.icon]
            }
        var lines = [
            "  \(id)  \(time)  \(visible(text(of: item.content)))\(item.content.isCancelled ? " (cancelled)" : "")"
        ]
        for field in ItemField.shown(in: item.content)
        where field.row.place != .unlisted && !said.contains(field) {
            guard let text = item.content.text(of: field, in: trip) else { continue }
            lines += detail(field.label, text)
        }
        let notes = clocks.timeNotes(of: item)
        if !notes.isEmpty { lines += detail("Time", notes.joined(separator: ", ")) }
        for field in [ItemField.timeZone, .arrivalTimeZone] {
            if case .text(let zone)? = item.content[field], zone != trip.header.timeZone {
                lines += detail(field.label, zone)
            }
        }
        let at = item.modifiedAt.description.prefix(16).replacing("T", with: " ")
        lines += detail("Changed", "\(item.modifiedBy), \(at) UTC")
        return lines
    }

    /// A field after its label, on one or more lines.
    private static func detail(_ label: String, _ text: String) -> [String] {
        let parts = text.split(separator: "\n", omittingEmptySubsequences: false).map { visible(String($0)) }
        return parts.enumerated().map { index, part in
            let start = index == 0 ? label + ":" : String(repeating: " ", count: label.count + 1)
            return String(repeating: " ", count: 19) + "\(start) \(part)"
        }
    }

    private static func text(of content: ItemContent) -> String {
        switch content {
        case .game(let game):
            [game.title, game.effectiveCity, game.venue].compactMap { $0 }.joined(separator: " · ")
        case .travel(let travel): [content.title, travel.mode].compactMap { $0 }.joined(separator: " · ")
        case .custom(let custom): [custom.icon, custom.title].compactMap { $0 }.joined(separator: " ")
        }
    }
}
