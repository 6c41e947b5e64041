import TripModel

/// A three-way comparison of a source's present values with those of the last import and the item's own. The
/// source's changes are applied; a field that a user has changed is kept.
struct SourceComparison {
    /// The source's present values, for the next import.
    private(set) var said: SourceValues
    /// The fields that get the source's values.
    private(set) var changes: [FieldChange] = []
    /// Fields that both a user and the source have changed.
    private(set) var kept: [KeptValue] = []

    private let item: Item
    private let last: SourceValues?
    private let takesSource: Bool

    /// - Parameter takesSource: whether the source's value is used if both have changed it.
    init(_ item: Item, takesSource: Bool) {
        self.item = item
        self.takesSource = takesSource
        last = item.content.said
        said = last ?? SourceValues()
    }

    /// The fields that the source clears by having no value: an event of one day has no nights.
    private static let clearable: Set<ItemField> = [.note, .nights, .endTime, .cancelled]

    /// Compares a field. A value missing in the source clears only some fields.
    mutating func compare(_ field: ItemField, with value: FieldValue?) {
        guard value != nil || Self.clearable.contains(field) else { return }
        let (before, mine) = (last?[field], item.content[field])
        said[field] = value
        guard !Self.isSame(value, mine) else {
            said.keptFields.remove(field)
            return
        }
        if Self.isSame(value, before) {
            guard takesSource, said.keptFields.contains(field) else { return }
        } else if !takesSource, mine != nil || last != nil, !Self.isSame(mine, before) {
            said.keptFields.insert(field)
            kept.append(KeptValue(item, field, value, said: last))
            return
        }
        said.keptFields.remove(field)
        changes.append(FieldChange(field, value))
    }

    /// Compares the day of an item that is not a game.
    ///
    /// - Parameters:
    ///   - day: the source's day.
    ///   - number: its number in the trip.
    /// - Returns: whether to move the item there.
    mutating func compareDay(_ day: SourceValues.Day, number: Int, in header: TripHeader) -> Bool {
        let before = last?.day.map { $0.number(in: header) }
        said.day = day
        guard number != item.position.day else {
            said.keepsDay = false
            return false
        }
        if number == before {
            guard takesSource, said.keepsDay else { return false }
        } else if !takesSource, item.position.day != before {
            said.keepsDay = true
            kept.append(KeptValue(item, day: day, number: number))
            return false
        }
        said.keepsDay = false
        return true
    }

    /// The changes, including the source's present values. `source` is used if the item has no source yet.
    ///
    /// - Parameter isRenamed: whether the item has a new id in its source.
    func changes(source: ItemSource, isRenamed: Bool) -> [FieldChange] {
        var now = source
        if let known = item.content.source, !isRenamed { now = known }
        now.said = said
        guard now != item.content.source else { return changes }
        return changes + [FieldChange(.source, .source(now))]
    }

    /// Whether two values are equivalent; for moments the text may differ.
    static func isSame(_ left: FieldValue?, _ right: FieldValue?) -> Bool {
        switch (left, right) {
        case (.moment(let left)?, .moment(let right)?): left.secondsSince1970 == right.secondsSince1970
        case (let left?, let right?): SourceValues.shortened(left) == SourceValues.shortened(right)
        default: left == nil && right == nil
        }
    }
}

/// A user's value that an import has kept although the source has another.
package struct KeptValue: Equatable, Sendable {
    /// The item.
    package let item: ItemID
    /// Its title.
    package let title: String
    /// The protocol name of the field; `day` for the day.
    package let field: String
    /// The source's present value as text; nil if it has none any more.
    package let value: String?
    private let spokenField: String

    init(_ item: Item, _ field: ItemField, _ value: FieldValue?, said: SourceValues?) {
        self.item = item.id
        // The source's title is better known to the source's users than the kept one.
        if field == .title, case .text(let name)? = said?[.title] {
            title = name
        } else {
            title = item.content.title
        }
        self.field = field.name
        spokenField = field.spokenName
        self.value = value.map(FieldText.text)
    }

    init(_ item: Item, day: SourceValues.Day, number: Int) {
        self.item = item.id
        title = item.content.title
        (field, spokenField) = ("day", "day")
        value =
            switch day {
            case .date(let date): date.description
            case .number: "day \(number)"
            }
    }
}

extension KeptValue: CustomStringConvertible {
    /// `kept: title of Camp is yours; the source now says “Camp 2”`.
    package var description: String {
        let words = value.map { "the source now says “\(EntryText.cut($0, to: 80))”" }
        return TextRule.visible(
            "kept: \(spokenField) of \(title) is yours; \(words ?? "the source no longer has one")")
    }
}

extension SourceValues {
    /// The source's values of a new item.
    init(_ values: [ItemField: FieldValue], _ day: Day?) {
        self.init()
        for field in ItemField.allCases { self[field] = values[field] }
        self.day = day
    }
}

extension SourceValues.Day {
    /// Its day number in a trip.
    func number(in header: TripHeader) -> Int {
        switch self {
        case .date(let date): header.dayNumber(of: date)
        case .number(let number): number
        }
    }
}
