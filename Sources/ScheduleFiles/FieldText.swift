import TripModel
import TripProtocol

/// Text forms of field values in tables and calendars.
enum FieldText {
    /// The text of a value in a cell or a property.
    static func text(of value: FieldValue) -> String {
        switch value {
        case .text(let text): text
        case .minutes(let minutes): String(minutes)
        case .nights(let nights): String(nights)
        case .flag(let flag): flag ? "yes" : "no"
        case .moment(let moment): moment.text
        case .cost(let cost): "\(DecimalText.text(of: cost.amount)) \(cost.currency)"
        case .side(let side): side.text
        case .time(let time): time.description
        case .coordinate(let point): CoordinateText.text(of: point)
        case .source(let source): "\(source.name)/\(source.id)"
        }
    }

    /// The result of reading a text.
    struct Reading {
        /// The value; nil for an empty text.
        var value: FieldValue?
        /// A description of how the text was cleaned; nil if it was not.
        var change: String?
    }

    /// The reason why a text is not a value of its field, with a valid example.
    struct Fault: Error, Hashable {
        let reason: String
    }

    /// Reads a value that an export wrote. It is valid already, so it is not cleaned.
    static func exactValue(_ text: String, of field: ItemField) throws(Fault) -> Reading {
        if case .text(let rule) = field.row.type, !text.isEmpty {
            do throws(Rejection) {
                try rule.check(text, field: field.name)
                return Reading(value: .text(text))
            } catch {}
        }
        return try value(text, of: field)
    }

    /// Reads a value; forbidden or long text is cleaned or cut, anything else invalid is refused.
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
        case .cost: return try cost(text)
        case .side:
            guard let side = TravelSide(text) else {
                throw Fault(
                    reason:
                        "\(shown(text)) is not the id of an item, a UUID in lower case, or \(TravelSide.openWord)"
                )
            }
            return Reading(value: .side(side))
        case .time:
            let start = try start(text)
            guard field == .time || !start.isLateNight else {
                throw Fault(reason: "\(shown(text)) \(complaint(.time))")
            }
            return Reading(value: .time(start.clock))
        case .minutes, .nights, .flag, .moment, .coordinate:
            guard let value = field.row.type.value(written: text), (try? field.check(value)) != nil else {
                throw Fault(reason: "\(shown(text)) \(complaint(field.row.type))")
            }
            return Reading(value: value)
        case .source: preconditionFailure("a source is two texts")
        }
    }

    /// The error message, after the text, for a text that is not a value of a type.
    private static func complaint(_ type: FieldType) -> String {
        switch type {
        case .minutes:
            "is not a duration of at most \(TripLimits.durationMinutes) minutes; an example is 120, 1:30 or 2 h"
        case .nights: "is not a number of nights from 0 to \(TripLimits.nights); an example is 3"
        case .flag: "is neither yes nor no"
        case .moment: "is not a date and time with an offset; an example is 2026-06-11T13:00:00-06:00"
        case .time: "is not a time of day; an example is 19:30, 1930 or 7pm"
        case .coordinate: "is not a latitude and longitude; an example is 33.755 -84.401"
        case .text, .cost, .side, .source: "is not a value of this field"
        }
    }

    /// A time as `add` reads it. Spreadsheets also write seconds, and leave out a leading zero.
    static func start(_ text: String) throws(Fault) -> StartTime {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let isWithSeconds = parts.count == 3 && parts[2].count == 2 && TimeText.number(parts[2]) != nil
        guard
            let start = StartTime(
                written: isWithSeconds ? parts.dropLast().joined(separator: ":") : text)
        else {
            throw Fault(reason: "\(shown(text)) \(complaint(.time))")
        }
        return start
    }

    /// Checks a value by the trip's rules, with errors in the words of this file.
    private static func check(_ value: FieldValue, of field: ItemField) throws(Fault) {
        do throws(Rejection) { try field.check(value) } catch {
            throw Fault(reason: TextRule.visible(WireError(textual: error).message))
        }
    }

    /// `12.5 EUR`, the form of our exports, or any form that people write.
    private static func cost(_ text: String) throws(Fault) -> Reading {
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        let currency = EntryText.line(parts.count == 2 ? parts[1] : "", most: TripLimits.iconBytes)
        guard let amount = parts.first.flatMap({ DecimalText.number(of: $0) }), let name = currency.text,
            amount.magnitude <= Position.maximumOrder
        else {
            let cost: Cost
            do throws(CostText.Fault) { cost = try CostText.cost(of: text) } catch {
                throw Fault(reason: "\(shown(text)) is not an amount of money; an example is 12.50 EUR")
            }
            try check(.cost(cost), of: .cost)
            return Reading(value: .cost(cost))
        }
        return Reading(value: .cost(Cost(amount: amount, currency: name)), change: currency.change)
    }
}

extension ItemSource {
    /// A source as a value.
    static func value(name: String, id: String) -> FieldValue {
        .source(ItemSource(name: name, id: id))
    }
}

/// An excerpt of a file for a message: quoted, cut to 40 characters, with control characters spelled out.
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
