import CommandLineKit
import LocalSystem
import TripModel
import TripProtocol

/// How the command line names an item: by its title, its id, or the beginning of one, in any case.
struct ItemName {
    let text: String

    init(_ text: String) { self.text = text }

    /// The one item that is meant.
    ///
    /// - Throws: `CommandFailure` naming those that may be meant, or the one that is spelt most like it.
    func item(in trip: Trip) throws(CommandFailure) -> Item {
        let items = trip.items
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
        else { throw missing(among: items) }
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

    private func missing(among items: [Item]) -> CommandFailure {
        let question = NearestSpelling.question(for: text, among: items.map(\.content.title))
        return CommandFailure(
            "the trip has no item \(PlainText.visible(text))\(PlainText.visible(question))",
            exitCode: CommandFailure.noInput, reason: ErrorReason.itemNotFound.rawValue)
    }
}
