import TripModel

/// How people see a field: what both forms, the details, the search and lists of everything follow.
extension ItemField {
    /// How a field looks.
    package struct Look {
        /// Where it stands among the details of an item.
        package enum Place {
            /// By itself: as the heading, or as the time of the row.
            case elsewhere
            /// Behind its label.
            case line
            /// At the end, on as many lines as it takes.
            case paragraph
        }

        /// Where it stands among the details.
        package let place: Place
        /// Whether a search looks into it; a title is always looked into.
        let isSearched: Bool
        /// Whether people write it; else a program does.
        let isWritten: Bool

        fileprivate init(
            _ place: Place = .line, isSearched: Bool = false, isWritten: Bool = true
        ) {
            self.place = place
            self.isSearched = isSearched
            self.isWritten = isWritten
        }
    }

    /// How it looks.
    package var look: Look {
        switch self {
        case .title: Look(.elsewhere)
        case .icon: Look()
        case .fromCity: Look()
        case .toCity: Look()
        case .time: Look(.elsewhere)
        case .city: Look(isSearched: true)
        case .venue: Look(isSearched: true)
        case .place: Look(isSearched: true)
        case .mode: Look(isSearched: true)
        case .durationMinutes: Look()
        case .cost: Look()
        case .reference: Look(isSearched: true)
        case .url: Look()
        case .coordinate: Look()
        case .note: Look(.paragraph, isSearched: true)
        case .afterGame: Look()
        case .beforeGame: Look()
        case .gameID: Look(.elsewhere)
        case .startsAt: Look(.elsewhere)
        case .timeZone: Look(.elsewhere)
        case .source: Look(isWritten: false)
        }
    }

    /// The fields that a search looks into besides the title.
    static let searched = allCases.filter(\.look.isSearched)

    /// The fields of an item that its owner can change, in the order in which they are shown; of a game those that are
    /// not the schedule's.
    static func editable(in content: ItemContent) -> [ItemField] {
        shown(in: content).filter {
            $0.look.isWritten && $0 != .gameID
                && !(content.followsSchedule && ItemKind.scheduledFields.contains($0))
        }
    }

    /// The fields of an item, in the order in which they are shown.
    package static func shown(in content: ItemContent) -> [ItemField] {
        allCases.filter(content.kind.fields.contains)
    }
}

extension ItemContent {
    /// Whether it is a game that a calendar or a table brought, which says when and where it is; not one that somebody
    /// wrote here.
    var followsSchedule: Bool {
        guard case .game(let game) = self else { return false }
        return !game.gameID.isEmpty && !game.gameID.hasPrefix("own-")
    }

    /// What a field says to a person; nil if nothing.
    ///
    /// - Parameter lineBreak: what stands for one in a note.
    package func text(of field: ItemField, in trip: Trip, lineBreak: String = "\n") -> String? {
        if case .game(let game) = self, field == .city { return game.effectiveCity }
        return self[field]?.text(in: trip, lineBreak: lineBreak)
    }
}

extension FieldValue {
    /// How a form shows a side of travel that no game constrains.
    static let openSideText = "no game"

    /// What it says to a person.
    func text(in trip: Trip, lineBreak: String) -> String {
        switch self {
        case .text(let text): lineBreak == "\n" ? text : text.replacing("\n", with: lineBreak)
        case .minutes(let minutes): DateText.text(ofMinutes: minutes)
        case .moment(let moment): moment.text
        case .cost(let cost): CostText.text(of: cost)
        case .side(.game(let id)): trip[id]?.content.title ?? "a game that is gone"
        case .side(.open): Self.openSideText
        case .time(let time): time.description
        case .coordinate(let point): CoordinateText.text(of: point)
        case .source(let source): "\(source.name) · \(source.id)"
        }
    }
}

// MARK: - What somebody writes

/// Why a field cannot be what is written, in one sentence.
package struct FieldObjection: Error, Equatable {
    /// The sentence, with its full stop.
    package let reason: String
}

extension ItemField {
    /// What stands for a line break where a note is written in one line.
    static let lineBreakSign = "⏎"

    /// Bytes that a line for this field has room for: more than most may have, so that what is too long can be seen and
    /// shortened.
    var writingLimit: Int {
        guard case .text(let rule) = row.type else { return TripLimits.textBytes }
        return max(rule.limit.maximum, TripLimits.textBytes)
    }

    /// Reads what is written; nil takes the field away. A game is given as the item that it is.
    func change(to text: String?, game: (String) -> Item?) throws(FieldObjection) -> FieldChange {
        guard let text else {
            guard !isRequired else { throw FieldObjection(reason: "\(label) must not be empty.") }
            return FieldChange(self, nil)
        }
        let value = try value(of: text, game)
        do throws(Rejection) { try check(value) } catch { throw FieldObjection(reason: sentence(for: error)) }
        return FieldChange(self, value)
    }

    /// Reads what is written for a field that is neither a game nor a source.
    package func value(written text: String) throws(FieldObjection) -> FieldValue {
        try value(of: text) { _ in nil }
    }

    private func value(of text: String, _ game: (String) -> Item?) throws(FieldObjection) -> FieldValue {
        func needed<Value>(_ value: Value?, _ right: String) throws(FieldObjection) -> Value {
            guard let value else { throw FieldObjection(reason: right) }
            return value
        }
        switch row.type {
        case .text(.note): return .text(text.replacing(Self.lineBreakSign, with: "\n"))
        case .text: return .text(text)
        case .minutes:
            return .minutes(
                try needed(DateText.minutes(of: text), "A duration is like 90, 1:30, 1 h 30 min or 2 h."))
        case .moment:
            return .moment(
                try needed(OffsetDateTime(text), "A moment is like 2026-06-11T13:00:00-06:00."))
        case .cost:
            do throws(CostText.Fault) { return .cost(try CostText.cost(of: text)) } catch {
                throw FieldObjection(reason: "\(capitalized(error.reason)).")
            }
        case .side:
            if [TravelSide.openWord, FieldValue.openSideText].contains(text.lowercased()) {
                return .side(.open)
            }
            let item = game(text)
            guard let item, item.isGame else {
                throw FieldObjection(
                    reason: "The title of an event of this trip is needed, or \(FieldValue.openSideText).")
            }
            return .side(.game(item.id))
        case .time: return .time(try needed(DateText.time(of: text), "A time is like 19:30."))
        case .coordinate:
            return .coordinate(
                try needed(CoordinateText.coordinate(of: text), "A coordinate is like 33.755 -84.401."))
        case .source: throw FieldObjection(reason: "A source is set by the file that brings the item.")
        }
    }

    /// Why the model refuses a value of this field.
    func sentence(for rejection: Rejection) -> String {
        switch rejection {
        case .limitExceeded(.combiningMarks, _): "There are too many marks on one character."
        case .limitExceeded(let limit, _):
            "\(label) is too long: at most \(limit.maximum) bytes."
        case .textNotAllowed: "\(label) has a character that may not be shown."
        case .invalid(_, let reason): "\(capitalized(reason))."
        default: "That cannot be."
        }
    }
}

extension Trip {
    /// The one game of a title or of the beginning of one, in any case; nil if there is none or more than one.
    func game(called text: String) -> Item? {
        let wanted = text.lowercased()
        let games = items.filter(\.isGame)
        let exact = games.filter { $0.content.title.lowercased() == wanted }
        let found = exact.isEmpty ? games.filter { $0.content.title.lowercased().hasPrefix(wanted) } : exact
        return found.count == 1 ? found.first : nil
    }
}
