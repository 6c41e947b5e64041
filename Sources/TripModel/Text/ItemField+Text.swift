/// The presentation of fields, used by both forms, the details, the search and lists.
extension ItemField {
    /// The fields that the search includes besides the title.
    package static let searched = allCases.filter(\.row.isSearched)

    /// The placeholder of the field in a form.
    package var hint: String {
        switch self {
        case .title: ""
        case .startsAt: "like 18:00, or 3 Apr 18:00"
        case .durationMinutes: "like 2 h 30 min, or → 11:00"
        case .timeZone, .arrivalTimeZone: "like tokyo"
        case .url: "like example.org/booking"
        case .attending, .cancelled: "yes or no"
        case .nights: "of this stay, like \(example)"
        case .afterGame, .beforeGame: "the title of an event, or \(TravelSide.openText)"
        default: "like \(example)"
        }
    }

    /// The fields of an item, in the order in which they are shown.
    package static func shown(in content: ItemContent) -> [ItemField] {
        allCases.filter(content.kind.fields.contains)
    }
}

extension ItemContent {
    /// Whether it is an imported game, whose time and place a calendar or a table sets.
    package var followsSchedule: Bool {
        guard case .game(let game) = self else { return false }
        return !game.gameID.isEmpty && !game.gameID.hasPrefix("own-")
    }

    /// The text of a field; nil if it is absent.
    ///
    /// - Parameter lineBreak: replaces line breaks in a note.
    package func text(of field: ItemField, in trip: Trip, lineBreak: String = "\n") -> String? {
        if case .game(let game) = self, field == .city { return game.effectiveCity }
        if field == .time { return startTime?.description }
        return self[field]?.text(in: trip, lineBreak: lineBreak)
    }
}

extension ItemContent {
    /// The text of a field outside of forms.
    package func shownText(of field: ItemField, in trip: Trip) -> String? {
        if case .cost(let cost)? = self[field] { return CostText.shown(cost) }
        return text(of: field, in: trip)
    }
}

extension FieldValue {
    /// The text of the value.
    func text(in trip: Trip, lineBreak: String) -> String {
        switch self {
        case .text(let text): lineBreak == "\n" ? text : text.replacing("\n", with: lineBreak)
        case .minutes(let minutes): DateText.text(ofMinutes: minutes)
        case .nights(let nights): "\(nights)"
        case .flag(let flag): flag ? "yes" : "no"
        case .moment(let moment): moment.text
        case .cost(let cost): CostText.text(of: cost)
        case .side(.game(let id)): trip[id].map(trip.name(ofGame:)) ?? "a removed event"
        case .side(.open): TravelSide.openText
        case .time(let time): time.description
        case .coordinate(let point): CoordinateText.text(of: point)
        case .source(let source): "\(source.name) · \(source.id)"
        }
    }
}

// MARK: - Parsing

/// The reason why a text is not a valid value, in one sentence.
package struct FieldObjection: Error, Equatable {
    /// The sentence, with a full stop.
    package let reason: String

    /// Makes an objection.
    package init(reason: String) { self.reason = reason }

    /// Makes the objection to a cost.
    package init(_ fault: CostText.Fault) { self.init(reason: "\(capitalized(fault.reason)).") }
}

extension ItemField {
    /// Replaces line breaks when a note is written in one line.
    package static let lineBreakSign = "⏎"

    /// The capacity of a line for this field in bytes: more than allowed, so that a text that is too long can
    /// be seen and shortened.
    package var writingLimit: Int {
        guard case .text(let rule) = row.type else { return TripLimits.textBytes }
        return max(rule.limit.maximum, TripLimits.textBytes)
    }

    /// Parses a text; an empty one clears the field. A game is given by its title. A time also changes whether it is after
    /// midnight, if that is not so in the content.
    package func changes(
        to text: String?, of content: ItemContent, game: (String) throws(FieldObjection) -> Item?
    ) throws(FieldObjection) -> [FieldChange] {
        if self == .time {
            let start = try text.map { (text) throws(FieldObjection) in try Self.startTime(written: text) }
            return FieldChange.start(start, of: content)
        }
        return [try change(to: text, game: game)]
    }

    private func change(
        to text: String?, game: (String) throws(FieldObjection) -> Item?
    ) throws(FieldObjection) -> FieldChange {
        guard let text else {
            guard !isRequired else { throw FieldObjection(reason: "\(label) must not be empty.") }
            return FieldChange(self, nil)
        }
        let value = try value(of: text, game)
        do throws(Rejection) { try check(value) } catch { throw FieldObjection(reason: sentence(for: error)) }
        return FieldChange(self, value)
    }

    /// Parses a text for a field that is neither a game nor a source.
    package func value(written text: String) throws(FieldObjection) -> FieldValue {
        try value(of: text) { _ in nil }
    }

    /// Parses the time at which an item begins.
    package static func startTime(written text: String) throws(FieldObjection) -> StartTime {
        guard let start = StartTime(written: text) else {
            throw FieldObjection(reason: ItemField.time.expectation)
        }
        return start
    }

    private func value(
        of text: String, _ game: (String) throws(FieldObjection) -> Item?
    ) throws(FieldObjection) -> FieldValue {
        switch row.type {
        case .text(.note): return .text(text.replacing(Self.lineBreakSign, with: "\n"))
        case .text where self == .timeZone || self == .arrivalTimeZone:
            return .text(TimeZoneName.meant(by: text) ?? text)
        case .text(.url):
            // An address without a scheme, such as `gracery.com/tokyo`.
            let isBare = text.contains(".") && !text.contains { ":@".contains($0) || $0.isWhitespace }
            return .text(isBare ? "https://\(text)" : text)
        case .cost:
            do throws(CostText.Fault) { return .cost(try CostText.cost(of: text)) } catch {
                throw FieldObjection(error)
            }
        case .side:
            if [TravelSide.openWord, TravelSide.openText, "no game"].contains(text.lowercased()) {
                return .side(.open)
            }
            let item = try game(text)
            guard let item, item.isGame else {
                throw FieldObjection(
                    reason: "The title of an event of this trip is needed, or \(TravelSide.openText).")
            }
            return .side(.game(item.id))
        case .text, .minutes, .nights, .flag, .moment, .time, .coordinate, .source:
            guard let value = row.type.value(written: text) else { throw FieldObjection(reason: expectation) }
            return value
        }
    }

    /// The error message for a text that is not a value of this field.
    private var expectation: String {
        switch row.type {
        case .text, .cost, .side: "\(label) is a text."
        case .minutes: "A duration is like 90, 1:30, 1 h 30 min or 2 h."
        case .nights: "Nights are a number from 0 to \(TripLimits.nights)."
        case .flag: "\(label) is yes or no."
        case .moment: "A date and time is like 2026-06-11T13:00:00-06:00."
        case .time: "A time is like 19:30, 1930 or 7pm."
        case .coordinate: "A coordinate is like 33.755 -84.401."
        case .source: "The source is set by an import and cannot be edited."
        }
    }

    /// The reason why the model refuses a value of this field.
    package func sentence(for rejection: Rejection) -> String {
        switch rejection {
        case .limitExceeded(.combiningMarks, _): "One character has too many combining marks."
        case .limitExceeded(let limit, _):
            "\(label) is too long: at most \(limit.maximum) bytes."
        case .textNotAllowed: "\(label) has a character that is not allowed."
        case .invalid(_, let reason): "\(capitalized(reason))."
        default: "That is not possible."
        }
    }
}

extension Trip {
    /// The game with a title, with the beginning of one, or with a title, a date and a time, in any case; nil
    /// if there is none.
    ///
    /// - Throws: if there are several.
    package func game(called text: String) throws(FieldObjection) -> Item? {
        let wanted = text.lowercased()
        let games = items.filter(\.isGame)
        var found = games.filter { $0.content.title.lowercased() == wanted }
        if found.isEmpty { found = games.filter { isCalled($0, wanted) } }
        if found.isEmpty { found = games.filter { $0.content.title.lowercased().hasPrefix(wanted) } }
        guard found.count > 1 else { return found.first }
        // Of several games with the same title, the one with the longest unambiguous name is the example.
        let names = found.map(name(ofGame:))
        guard Set(names).count > 1 else {
            throw FieldObjection(
                reason: "\(found.count) events are called \(names[0]): change the title of one of them.")
        }
        let name = names.max { $0.count < $1.count } ?? names[0]
        guard Set(found.map(\.content.title)).count == 1 else {
            throw FieldObjection(
                reason: "\(found.count) events begin with \(text): write more of the title, like \(name).")
        }
        let days = Set(found.map(\.position.day))
        let what =
            days.count == 1
            ? "the time" : days.count == found.count ? "the day" : "the day and the time"
        throw FieldObjection(reason: "\(found.count) events are called \(text): add \(what), like \(name).")
    }

    /// The title of a game, with its day and time if others have the same title.
    package func name(ofGame game: Item) -> String {
        let title = game.content.title
        let others = items.filter { $0.isGame && $0.content.title == title && $0.id != game.id }
        guard !others.isEmpty, let date = header.date(ofDay: game.position.day) else { return title }
        let isOneOfDay = others.contains { $0.position.day == game.position.day }
        return "\(title) \(DateText.short(date))\(isOneOfDay ? " \(game.position.clockTime)" : "")"
    }

    /// Whether a text is a game's title and date, optionally with its time.
    private func isCalled(_ game: Item, _ text: String) -> Bool {
        let title = game.content.title.lowercased()
        guard text.hasPrefix(title), let date = header.date(ofDay: game.position.day) else { return false }
        let rest = text.dropFirst(title.count).split(whereSeparator: \.isWhitespace)
        if DateText.date(of: rest.joined(separator: " "), today: header.startDate) == date { return true }
        guard let last = rest.last, let time = TimeText.time(of: String(last)) else { return false }
        return time.description == game.position.clockTime.description
            && DateText.date(of: rest.dropLast().joined(separator: " "), today: header.startDate) == date
    }
}
