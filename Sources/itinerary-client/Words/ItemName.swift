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
        try NameMatcher.only(
            text, in: items, by: { [$0.id.description, $0.content.title] }, shown: \.content.title,
            detail: { "day \($0.position.day), \($0.id)" }, missing: missing,
            reason: ErrorReason.itemNotFound.rawValue)
    }
}

extension NameMatcher {
    /// The only element with a name.
    ///
    /// - Parameters:
    ///   - shown: the name of an element in sentences.
    ///   - detail: what distinguishes it from others of the same name.
    ///   - missing: the beginning of the error if there is none.
    ///   - reason: the error's reason in JSON if there is none.
    static func only<Element>(
        _ text: String, in elements: [Element], by names: (Element) -> [String], shown: (Element) -> String,
        detail: (Element) -> String, missing: String, reason: String
    ) throws(CommandFailure) -> Element {
        let found = matches(text, in: elements, by: names)
        guard let first = found.first else {
            let question = NearestSpelling.question(for: text, among: elements.map(shown))
            throw CommandFailure(
                "\(missing) \(PlainText.visible(text))\(PlainText.visible(question))",
                exitCode: .noInput, reason: reason)
        }
        guard found.count == 1 else {
            let all = found.prefix(8).map { "\(PlainText.visible(shown($0))) (\(detail($0)))" }
            throw CommandFailure(
                "\(PlainText.visible(text)) could be any of \(all.joined(separator: ", "))"
                    + (found.count > 8 ? " and \(found.count - 8) more" : "") + "; name one by its id",
                exitCode: .noInput, reason: "ambiguous")
        }
        return first
    }
}
