import CommandLineKit
import TripModel

/// `FIELD=VALUE`, `kind=KIND` or `day=2-4`, which selects items; `FIELD=` selects those without the field.
struct ItemFilter {
    static let option = OptionRow.value(
        "--all", "FIELD=VALUE", "every item with this value; also kind=travel or day=2-4", .field)

    private let word: FieldWord
    private let text: String

    init(_ text: String) throws(CommandFailure) {
        guard let word = FieldWord(text) else {
            throw .usage("--all is FIELD=VALUE, such as mode=train, not \(PlainText.visible(text))")
        }
        self.word = word
        self.text = text
    }

    /// The items in shown order.
    ///
    /// - Throws: `CommandFailure` if there are none, or if the field or the value is unknown.
    func items(of trip: Trip) throws(CommandFailure) -> [Item] {
        let matches = try predicate(of: trip)
        let items = trip.shownIDs.compactMap { trip[$0] }.filter(matches)
        guard !items.isEmpty else {
            throw CommandFailure(
                "no item has \(PlainText.visible(text))", exitCode: .refused)
        }
        return items
    }

    private func predicate(of trip: Trip) throws(CommandFailure) -> (Item) -> Bool {
        switch (word.name, word.value) {
        case ("kind", let value?):
            guard let kind = ItemKind(rawValue: value.lowercased() == "event" ? "game" : value.lowercased())
            else { throw .usage("kind is custom, travel or event, not \(PlainText.visible(value))") }
            return { $0.content.kind == kind }
        case ("day", let value?):
            let days = try DayWord.days(value, in: trip)
            return { days.contains($0.position.day) }
        case (let name, let value):
            guard let field = ItemField(name: name) else {
                let names = ["kind", "day"] + ItemField.allCases.map(\.name)
                throw .usage(
                    "no item has a field \(name)\(NearestSpelling.question(for: name, among: names))")
            }
            guard let value else {
                return { $0.content.kind.fields.contains(field) && $0.content[field] == nil }
            }
            let written = try? field.value(written: value)
            return { item in
                if case .text(let text)? = item.content[field] {
                    return text.lowercased() == value.lowercased()
                }
                return written != nil && item.content[field] == written
            }
        }
    }
}
