import CommandLineKit
import LocalSystem
import TripModel
import TripProtocol

/// An item on the command line: its title, its id, or the beginning of one, in any case.
struct ItemName {
    let text: String

    init(_ text: String) { self.text = text }

    /// The item with this name.
    ///
    /// - Throws: `CommandFailure` with the candidates if the name is ambiguous, or with the most similar name
    ///   if there is none.
    func item(in trip: Trip) throws(CommandFailure) -> Item {
        try item(among: trip.items, of: "the trip has no item")
    }

    /// The item with this name among some items.
    ///
    /// - Parameter missing: the beginning of the error if there is none.
    func item(among items: [Item], of missing: String) throws(CommandFailure) -> Item {
        let wanted = text.lowercased()
        let ways: [(Item) -> Bool] = [
            { $0.id.description == text },
            { $0.content.title == text },
            { $0.id.description == wanted || $0.content.title.lowercased() == wanted },
            { item in
                item.id.description.hasPrefix(wanted) || item.content.title.lowercased().hasPrefix(wanted)
            },
        ]
        guard !wanted.isEmpty, let found = ways.lazy.map({ items.filter($0) }).first(where: { !$0.isEmpty })
        else { throw failure(missing, among: items) }
        guard found.count == 1, let item = found.first else {
            let shown = found.prefix(8).map { item in
                "\(PlainText.visible(item.content.title)) (day \(item.position.day), \(item.id))"
            }
            throw CommandFailure(
                "\(PlainText.visible(text)) could be any of \(shown.joined(separator: ", "))"
                    + (found.count > 8 ? " and \(found.count - 8) more" : "") + "; name one by its id",
                exitCode: CommandFailure.noInput, reason: "ambiguous")
        }
        return item
    }

    private func failure(_ missing: String, among items: [Item]) -> CommandFailure {
        let question = NearestSpelling.question(for: text, among: items.map(\.content.title))
        return CommandFailure(
            "\(missing) \(PlainText.visible(text))\(PlainText.visible(question))",
            exitCode: CommandFailure.noInput, reason: ErrorReason.itemNotFound.rawValue)
    }
}
