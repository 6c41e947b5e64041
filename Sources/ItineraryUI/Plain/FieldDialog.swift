import TripModel

/// An item's fields being asked for, one after the other.
struct FieldDialog: Sendable {
    let item: Item
    let fields: [ItemField]
    /// What each of them says, where it says something.
    let values: [String?]
    /// The field that is asked for.
    private(set) var index = 0
    private(set) var changes: [FieldChange] = []

    /// - Parameter fields: one at least.
    init(_ item: Item, _ fields: [ItemField], of trip: Trip) {
        self.fields = fields
        self.item = item
        values = fields.map { item.content.text(of: $0, in: trip, lineBreak: " ") }
    }

    var field: ItemField { fields[index] }

    /// `2 of 6, icon, now none:`
    var question: String {
        "\(index + 1) of \(fields.count), \(field.spokenName), now \(values[index] ?? "none"):"
    }

    /// Notes what is to become of the field, and goes on; false at the last one.
    mutating func advance(_ change: FieldChange?) -> Bool {
        if let change { changes.append(change) }
        guard index + 1 < fields.count else { return false }
        index += 1
        return true
    }
}

extension PlainEditor {
    /// `5` asks for all fields, `5 city` for one, `5 city Boston` changes it.
    mutating func edit(_ rest: String) {
        guard let trip = state.board?.outline.trip else { return say("The trip has not come yet.") }
        if let (name, field, text) = Self.splitField(rest), case .item(let item) = reference(name),
            item.content.kind.fields.contains(field)
        {
            guard ItemField.editable(in: item.content).contains(field) else {
                return say("The \(field.spokenName) is not yours to edit: it follows the schedule.")
            }
            guard canEdit(item) else { return }
            if text.isEmpty { return ask(for: [field], of: item, trip) }
            do throws(FieldObjection) {
                let change = try change(of: field, to: text)
                act { $0.update(item, [change]) }
            } catch {
                say(error.reason)
            }
            return
        }
        guard let item = item(named: rest), canEdit(item) else { return }
        ask(for: ItemField.editable(in: item.content), of: item, trip)
    }

    private mutating func ask(for fields: [ItemField], of item: Item, _ trip: Trip) {
        let dialog = FieldDialog(item, fields, of: trip)
        self.dialog = dialog
        say(
            "\(item.content.title): an empty line keeps a field, a dash clears it, done ends, cancel leaves all as it was."
        )
        say(dialog.question)
    }

    private mutating func canEdit(_ item: Item) -> Bool {
        if let holder = state.holder(of: item.id) {
            say("\(holder) is moving \(item.content.title).")
            return false
        }
        return true
    }

    /// Takes a line for the field that is asked for.
    mutating func answerField(_ line: String) {
        guard var dialog else { return }
        let text = line.trimmed
        guard let trip = state.board?.outline.trip, trip[dialog.item.id] != nil else {
            self.dialog = nil
            return say("\(dialog.item.content.title) has been removed.")
        }
        switch text.lowercased() {
        case "cancel", "esc":
            self.dialog = nil
            return say("\(dialog.item.content.title) is left as it was.")
        case "done": return finish(dialog)
        case "":
            if !dialog.advance(nil) { return finish(dialog) }
        default:
            do throws(FieldObjection) {
                if !dialog.advance(try change(of: dialog.field, to: text)) { return finish(dialog) }
            } catch {
                say(error.reason)
            }
        }
        self.dialog = dialog
        say(dialog.question)
    }

    private mutating func finish(_ dialog: FieldDialog) {
        self.dialog = nil
        if dialog.changes.isEmpty { return say("Nothing is changed.") }
        act { $0.update(dialog.item, dialog.changes) }
    }

    private mutating func change(of field: ItemField, to text: String) throws(FieldObjection) -> FieldChange {
        try field.change(to: text == "-" ? nil : text) { name in
            if case .item(let item) = reference(name) { item } else { nil }
        }
    }

    /// `5 city Boston`: the item's name, the field and the value, if there is one.
    private static func splitField(_ text: String) -> (name: String, field: ItemField, value: String)? {
        let words = text.split(whereSeparator: \.isWhitespace)
        for index in words.indices.dropFirst() {
            for field in ItemField.allCases {
                let name = field.spokenName.split(separator: " ")
                let value = index + name.count
                guard value <= words.count,
                    words[index..<value].map({ $0.lowercased() }) == name.map(String.init)
                else { continue }
                let rest = value < words.count ? String(text[words[value].startIndex...]).trimmed : ""
                return (words[..<index].joined(separator: " "), field, rest)
            }
        }
        return nil
    }
}

extension String {
    /// Without the spaces around it.
    var trimmed: String {
        guard let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(self[...last].drop(while: \.isWhitespace))
    }
}
