import TripModel
import TripProtocol

/// The values of fields as tables and calendars write them.
enum FieldText {
    /// A value as a cell or a property holds it.
    static func text(of value: FieldValue) -> String {
        switch value {
        case .text(let text): text
        case .minutes(let minutes): String(minutes)
        case .moment(let moment): moment.text
        case .cost(let cost): "\(DecimalText.text(of: cost.amount)) \(cost.currency)"
        case .side(let side): side.text
        case .time(let time): time.description
        case .coordinate(let place):
            "\(DecimalText.text(of: place.latitude)) \(DecimalText.text(of: place.longitude))"
        case .source(let source): "\(source.name)/\(source.id)"
        }
    }

    /// What came of a text.
    struct Reading {
        /// The value; nil where the text says nothing.
        var value: FieldValue?
        /// What was done to the text, in words; nil where it is as it was.
        var change: String?
    }

    /// A text that is no value of its field: what it is, and what would be right.
    struct Fault: Error, Hashable {
        let reason: String
    }

    /// Reads a value that we wrote: what a trip took once it takes again, and nothing is cleaned.
    static func exactValue(_ text: String, of field: ItemField) throws(Fault) -> Reading {
        if case .text(let rule) = field.row.type, !text.isEmpty {
            do throws(Rejection) {
                try rule.check(text, field: field.name)
                return Reading(value: .text(text))
            } catch {}
        }
        return try value(text, of: field)
    }

    /// Reads a value; text that a trip would not take is cleaned or cut, anything else is refused.
    static func value(_ raw: String, of field: ItemField) throws(Fault) -> Reading {
        switch field.row.type {
        case .text(.note):
            let outcome = EntryText.note(raw)
            return Reading(value: outcome.text.map(FieldValue.text), change: outcome.change)
        case .text(.line(let limit)):
            let outcome =
                field == .gameID
                ? EntryText.id(raw, most: limit.maximum) : EntryText.line(raw, most: limit.maximum)
            return Reading(value: outcome.text.map(FieldValue.text), change: outcome.change)
        default: break
        }
        guard let text = EntryText.trimmed(raw) else { return Reading() }
        switch field.row.type {
        case .text:
            try check(.text(text), of: field)
            return Reading(value: .text(text))
        case .minutes:
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let minutes = Int(text),
                minutes <= TripLimits.durationMinutes
            else {
                throw Fault(
                    reason: "\(shown(text)) is no number of minutes from 0 to "
                        + "\(TripLimits.durationMinutes); right is 120")
            }
            return Reading(value: .minutes(minutes))
        case .moment:
            guard let moment = OffsetDateTime(text), text.utf8.count <= TripLimits.startsAtBytes else {
                throw Fault(
                    reason:
                        "\(shown(text)) is no date and time with an offset; right is 2026-06-11T13:00:00-06:00"
                )
            }
            return Reading(value: .moment(moment))
        case .cost: return try cost(text)
        case .side:
            guard let side = TravelSide(text) else {
                throw Fault(
                    reason:
                        "\(shown(text)) is not an item's id, which is a UUID in lower case, or \(TravelSide.openWord)"
                )
            }
            return Reading(value: .side(side))
        case .time: return Reading(value: .time(try time(text)))
        case .coordinate: return Reading(value: .coordinate(try coordinate(text)))
        case .source: preconditionFailure("a source is two texts")
        }
    }

    /// `19:30`. Spreadsheets write seconds, and leave the first zero out.
    static func time(_ text: String) throws(Fault) -> ClockTime {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ (1...2).contains($0.utf8.count) }),
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), minute < 60,
            let time = ClockTime(minute: hour * 60 + minute)
        else { throw Fault(reason: "\(shown(text)) is no time of a day; right is 19:30") }
        return time
    }

    /// What a trip says of a value, in the words of this file.
    private static func check(_ value: FieldValue, of field: ItemField) throws(Fault) {
        do throws(Rejection) { try field.check(value) } catch {
            throw Fault(reason: TextRule.visible(WireError(textual: error).message))
        }
    }

    /// `33.755 -84.401`, also with a comma or semicolon between.
    private static func coordinate(_ text: String) throws(Fault) -> Coordinate {
        let parts = text.split { $0 == " " || $0 == "," || $0 == ";" }
        guard parts.count == 2, let latitude = DecimalText.number(of: parts[0]),
            let longitude = DecimalText.number(of: parts[1]), latitude.magnitude <= 90,
            longitude.magnitude <= 180
        else { throw Fault(reason: "\(shown(text)) is no latitude and longitude; right is 33.755 -84.401") }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// `12.5 EUR`.
    private static func cost(_ text: String) throws(Fault) -> Reading {
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        let currency = EntryText.line(parts.count == 2 ? parts[1] : "", most: TripLimits.iconBytes)
        guard let amount = parts.first.flatMap({ DecimalText.number(of: $0) }), let name = currency.text,
            amount.magnitude <= Position.maximumOrder
        else { throw Fault(reason: "\(shown(text)) is no amount of money; right is 12.50 EUR") }
        return Reading(value: .cost(Cost(amount: amount, currency: name)), change: currency.change)
    }
}

extension ItemSource {
    /// The value of a source.
    static func value(name: String, id: String) -> FieldValue {
        .source(ItemSource(name: name, id: id))
    }
}

/// A piece of a file for a message: quoted, cut to 40 characters, what a terminal must not get written out.
func shown(_ text: String) -> String {
    var result = "“"
    for scalar in text.unicodeScalars.prefix(40) {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        default:
            result.unicodeScalars.append(scalar)
        }
    }
    return result + (text.unicodeScalars.count > 40 ? "…”" : "”")
}
