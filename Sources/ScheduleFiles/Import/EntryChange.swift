import TripModel

/// An item that an import adds, removes or finds vanished, for people.
package struct NamedEntry: Equatable, Sendable {
    /// The item.
    package let item: ItemID
    /// Its title.
    package let title: String
    /// Its date; nil outside the supported years.
    package let date: CalendarDate?

    init(_ item: Item, _ header: TripHeader) {
        self.item = item.id
        title = item.content.title
        date = header.date(ofDay: item.position.day)
    }

    /// `Lions v Bears, 9 Apr`.
    package var description: String {
        TextRule.visible(date.map { "\(title), \(DateText.dayAndMonth($0))" } ?? title)
    }
}

/// What an import changes in one item, for people.
package struct EntryChange: Equatable, Sendable {
    /// One changed field.
    package struct Difference: Equatable, Sendable {
        /// The protocol name of the field; `day` for the day.
        package let field: String
        /// The former value as text; nil if there was none.
        package let before: String?
        /// The value as text; nil if there is none.
        package let after: String?
        fileprivate let label: String

        /// `venue A → B`; the text of a note is too long for a line.
        fileprivate var words: String {
            if field == ItemField.note.name { return "note changed" }
            let values = "\(Self.shown(before)) → \(Self.shown(after))"
            return label.isEmpty ? values : "\(label) \(values)"
        }

        private static func shown(_ value: String?) -> String {
            guard let value else { return "none" }
            return value.utf8.count > 60 ? EntryText.cut(value, to: 57) + "…" : value
        }
    }

    /// The item.
    package let item: ItemID
    /// Its title before.
    package let title: String
    /// The changed fields; the time comes first.
    package let differences: [Difference]

    /// Fields that identify an item or depend on other items.
    private static let identity: Set<ItemField> = [.gameID, .source, .afterGame, .beforeGame, .startsAt]

    init(_ before: Item, _ after: Item, _ header: TripHeader) {
        item = after.id
        title = before.content.title
        var differences: [Difference] = []
        let (old, new) = (Self.start(of: before, header), Self.start(of: after, header))
        if old != new {
            let field = after.isGame ? ItemField.startsAt.name : "day"
            differences.append(Difference(field: field, before: old, after: new, label: ""))
        }
        for field in after.content.kind.fields where !Self.identity.contains(field) {
            let values = [before, after].map { $0.content[field] }
            if values[0] == values[1] { continue }
            let texts = values.map { $0.map(Self.text) }
            differences.append(
                Difference(field: field.name, before: texts[0], after: texts[1], label: field.spokenName))
        }
        self.differences = differences
    }

    /// `9 Apr 19:00` of an event, `9 Apr` of another item.
    private static func start(of item: Item, _ header: TripHeader) -> String? {
        guard let date = header.date(ofDay: item.position.day) else { return nil }
        let day = DateText.dayAndMonth(date)
        return item.isGame ? "\(day) \(item.position.clockTime)" : day
    }

    private static func text(_ value: FieldValue) -> String {
        if case .minutes(let minutes) = value {
            DateText.text(ofMinutes: minutes)
        } else {
            FieldText.text(of: value)
        }
    }

    /// `Manchester: 9 Apr 19:00 → 19 May 19:00, venue A → B`.
    package var description: String {
        TextRule.visible("\(title): \(differences.map(\.words).joined(separator: ", "))")
    }
}
