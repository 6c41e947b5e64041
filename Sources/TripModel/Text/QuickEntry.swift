import Foundation

/// An item written as one line, such as `19:30 Dinner at Gonpachi 2h 45 EUR @Tokyo`: a time, the title, then a duration, a
/// cost and a city in any order.
package struct QuickEntry: Sendable {
    /// The title.
    package let title: String
    /// The fields besides the title.
    package let changes: [FieldChange]
    private let time: String?
    /// The texts of the fields behind the title.
    private let others: [String]

    /// Nil if the text is only a title.
    package init?(_ text: String) {
        var words = text.split(whereSeparator: \.isWhitespace).map(String.init)[...]
        var changes: [FieldChange] = []
        var time: String?
        if let first = words.first, let start = Self.start(first) {
            changes += FieldChange.start(start, of: .custom(CustomItem(title: "")))
            time = start.description
            words.removeFirst()
        }
        var found: [ItemField: FieldValue] = [:]
        while let (field, value, count) = Self.last(of: words), found[field] == nil {
            found[field] = value
            words.removeLast(count)
        }
        guard !words.isEmpty, time != nil || !found.isEmpty else { return nil }
        title = words.joined(separator: " ")
        let fields: [ItemField] = [.durationMinutes, .cost, .city]
        self.changes = changes + fields.compactMap { field in found[field].map { FieldChange(field, $0) } }
        self.time = time
        others = fields.compactMap { field in found[field].map(Self.text) }
    }

    /// All fields: `19:30 · Dinner at Gonpachi · 2 h · 45 EUR · Tokyo`.
    ///
    /// - Parameter shown: the title as shown, if it is cut.
    package func summary(titled shown: String? = nil) -> String {
        ([time].compactMap(\.self) + [shown ?? title] + others).joined(separator: " · ")
    }

    /// The item.
    package var content: ItemContent { ItemContent.custom(CustomItem(title: title)).with(changes) }

    /// A time with a colon, an `h` or am or pm; other numbers may belong to the title.
    private static func start(_ word: String) -> StartTime? {
        let isClear = word.contains(":") || word.contains { $0.isLetter }
        return isClear ? try? ItemField.startTime(written: word) : nil
    }

    /// The field at the end of the words, its value and the number of its words.
    private static func last(of words: ArraySlice<String>) -> (ItemField, FieldValue, Int)? {
        for count in [1, 2] where words.count > count {
            let text = words.suffix(count).joined(separator: " ")
            let field: ItemField? =
                isDuration(text.lowercased()) ? .durationMinutes : isCost(text) ? .cost : nil
            if let field, let value = try? field.value(written: text), (try? field.check(value)) != nil {
                return (field, value, count)
            }
        }
        guard let index = words.lastIndex(where: { $0.hasPrefix("@") && $0.count > 1 }), index > 0 else {
            return nil
        }
        let city = String(words[index...].joined(separator: " ").dropFirst())
        guard (try? ItemField.city.check(.text(city))) != nil else { return nil }
        return (.city, .text(city), words.endIndex - index)
    }

    /// `2h`, `1h30`, `90min`, `90 min`; metres are no minutes.
    private static func isDuration(_ text: String) -> Bool {
        text.first?.isNumber == true && (text.contains("h") || text.hasSuffix("min"))
            && text.allSatisfy { $0.isNumber || "hmin ".contains($0) }
    }

    /// An amount with a sign or a code of a currency; a code in small letters only if the currency has a sign.
    private static func isCost(_ text: String) -> Bool {
        guard let cost = try? CostText.cost(of: text) else { return false }
        let name = cost.currency
        let code = Currency.code(of: name)
        return name != code && Currency.hasSign(code)
            || name == code && Locale.commonISOCurrencyCodes.contains(code)
    }

    private static func text(of value: FieldValue) -> String {
        switch value {
        case .minutes(let minutes): DateText.text(ofMinutes: minutes)
        case .cost(let cost): CostText.shown(cost)
        case .text(let text): text
        default: ""
        }
    }
}
