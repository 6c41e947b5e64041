import CommandLineKit
import ItineraryUI
import LocalSystem
import TripModel

/// `FIELD=VALUE` on the command line; without a value the field is cleared.
struct FieldWord {
    let name: String
    /// Nil clears the field.
    let value: String?

    /// Nil for a word that does not look like one.
    init?(_ word: String) {
        guard let sign = word.firstIndex(of: "="), sign > word.startIndex,
            word[..<sign].allSatisfy({ $0.isASCII && $0.isLetter })
        else { return nil }
        name = String(word[..<sign])
        let text = String(word[word.index(after: sign)...])
        value = text.isEmpty ? nil : text
    }

    /// The change of an item of a kind that it says.
    ///
    /// - Parameter trip: where games are looked up by what the value calls them.
    func change(of kind: ItemKind, in trip: Trip) throws(CommandFailure) -> FieldChange {
        guard let field = ItemField(name: name), kind.fields.contains(field) else {
            let question = NearestSpelling.question(for: name, among: kind.fields.map(\.name))
            throw .usage("\(kind.noun) has no field \(name)\(question)")
        }
        guard let value else {
            if field.isRequired { throw .usage("\(name) cannot be cleared; give it another value") }
            return FieldChange(field, nil)
        }
        switch field {
        case .source: return FieldChange(field, .source(try Self.source(value)))
        case .afterGame, .beforeGame:
            return FieldChange(field, .side(try Self.side(value, in: trip)))
        case .note: if value.hasPrefix("@") { return FieldChange(field, .text(try Self.content(of: value))) }
        default: break
        }
        do throws(FieldObjection) {
            return FieldChange(field, try field.value(written: value))
        } catch {
            throw .usage(
                "\(name) cannot be \(PlainText.visible(value)). \(PlainText.visible(error.reason))")
        }
    }

    /// The event that a word names for a side of travel, or `none`.
    static func side(_ text: String, in trip: Trip) throws(CommandFailure) -> TravelSide {
        if text.lowercased() == TravelSide.openWord { return .open }
        let item = try ItemName(text).item(in: trip)
        guard item.isGame else {
            throw CommandFailure(
                "\(PlainText.visible(item.content.title)) is not an event", exitCode: CommandFailure.noInput)
        }
        return .game(item.id)
    }

    /// The content of the file of `@FILE`, or the text of `@@TEXT`.
    private static func content(of value: String) throws(CommandFailure) -> String {
        let path = String(value.dropFirst())
        guard !path.hasPrefix("@") else { return path }
        let most = TripLimits.noteBytes
        let bytes = try CommandInput.readHere(
            path == "-" ? nil : path, atMost: 4 * most, patience: .seconds(10))
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure("\(PlainText.visible(path)) is not UTF-8", exitCode: CommandFailure.badData)
        }
        var lines = text.replacing("\r\n", with: "\n")
        while lines.last?.isNewline == true { lines.removeLast() }
        return lines
    }

    private static func source(_ text: String) throws(CommandFailure) -> ItemSource {
        guard let slash = text.firstIndex(of: "/") else {
            throw .usage("source cannot be \(PlainText.visible(text)); right is for example league/game-7")
        }
        return ItemSource(name: String(text[..<slash]), id: String(text[text.index(after: slash)...]))
    }
}

extension ItemContent {
    /// The same item with other values of fields.
    func with(_ changes: [FieldChange]) -> ItemContent {
        func changed<Content: FieldKeeper>(_ content: Content) -> Content {
            var content = content
            for change in changes { content[change.field] = change.value }
            return content
        }
        switch self {
        case .game(let game): return .game(changed(game))
        case .travel(let travel): return .travel(changed(travel))
        case .custom(let custom): return .custom(changed(custom))
        }
    }
}
