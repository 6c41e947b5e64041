import TripModel

/// A dialog that asks for an item's fields one after the other.
struct FieldDialog: Sendable {
    let item: Item
    /// The item's place.
    let insertionPoint: InsertionPoint?
    let fields: [ItemField]
    /// The values that the user knows.
    private(set) var values: [String?]
    /// The index of the current field.
    private(set) var index = 0
    private(set) var changes: [FieldChange] = []
    /// Whether the user was told that the item was removed.
    var isKnownToBeGone = false
    /// Whether all fields are answered, and only the confirmation is missing.
    var isComplete = false

    /// - Parameter fields: at least one.
    init(_ item: Item, at insertionPoint: InsertionPoint?, _ fields: [ItemField], of trip: Trip) {
        self.fields = fields
        self.item = item
        self.insertionPoint = insertionPoint
        values = fields.map { item.content.text(of: $0, in: trip, lineBreak: " ") }
    }

    var field: ItemField { fields[index] }

    /// `2 of 6, icon, now none:`
    var question: String {
        "\(index + 1) of \(fields.count), \(field.spokenName), now \(values[index] ?? "none"):"
    }

    /// Records the answer for the current field, and moves to the next one; false at the last.
    mutating func advance(_ answer: [FieldChange]) -> Bool {
        changes += answer
        guard index + 1 < fields.count else { return false }
        index += 1
        return true
    }

    /// Others' new values of fields that the dialog changes, each reported once.
    mutating func takeConflicts(with now: Item, of trip: Trip) -> [String] {
        var reported: [String] = []
        for (place, field) in fields.enumerated() where changes.contains(where: { $0.field == field }) {
            let value = now.content.text(of: field, in: trip, lineBreak: " ")
            guard value != values[place] else { continue }
            values[place] = value
            reported.append("\(field.spokenName) is now \(value ?? "none") (\(now.modifiedBy))")
        }
        return reported
    }
}

extension PlainEditor {
    /// `5` asks for all fields, `5 city` for one, `5 city Boston` changes it.
    mutating func edit(_ rest: String) {
        guard let trip = state.board?.outline.trip else { return say("The trip is not loaded yet.") }
        if let (name, field, text) = Self.splitField(rest), case .item(let item) = reference(name),
            item.content.kind.fields.contains(field)
        {
            guard ItemField.editable(in: item.content).contains(field) else {
                return say(
                    field.look.isWritten
                        ? "The \(field.spokenName) of an event follows its schedule and is not edited."
                        : "The \(field.spokenName) is set by the file that brings the item, and is not edited."
                )
            }
            guard canEdit(item) else { return }
            if text.isEmpty { return ask(for: [field], of: item, trip) }
            do throws(FieldObjection) {
                let changes = try changes(of: field, to: text, item)
                act { $0.update(item, changes) }
            } catch {
                deny(error.reason)
            }
            return
        }
        guard let item = item(named: rest), canEdit(item) else { return }
        ask(for: ItemField.editable(in: item.content), of: item, trip)
    }

    private mutating func ask(for fields: [ItemField], of item: Item, _ trip: Trip) {
        let insertionPoint = state.board.flatMap { board in
            board.outline.row(of: item.id).flatMap { InsertionPoint(ofRow: $0, of: board.outline) }
        }
        let dialog = FieldDialog(item, at: insertionPoint, fields, of: trip)
        self.dialog = dialog
        say(
            "\(item.content.title): an empty line keeps a field, a dash clears it, done saves, cancel changes nothing."
        )
        say(dialog.question)
    }

    private mutating func canEdit(_ item: Item) -> Bool {
        if let holder = state.holder(of: item.id) {
            deny("\(holder) is moving \(item.content.title).")
            return false
        }
        return true
    }

    /// Handles a line for the current field. All lines belong to the dialog until it is done or cancelled,
    /// even if the item is removed in between.
    mutating func answerField(_ line: String) {
        guard var dialog, let trip = state.board?.outline.trip else { return }
        let text = line.trimmed
        switch text.lowercased() {
        case "cancel", "esc":
            self.dialog = nil
            let isThere = trip[dialog.item.id] != nil
            return say("\(dialog.item.content.title) \(isThere ? "is left as it was" : "has been removed").")
        case "done": return finish(dialog, trip)
        case _ where dialog.isComplete: break
        case "": if !dialog.advance([]) { return finish(dialog, trip) }
        default:
            do throws(FieldObjection) {
                if !dialog.advance(try changes(of: dialog.field, to: text, dialog.item)) {
                    return finish(dialog, trip)
                }
            } catch {
                deny(error.reason)
            }
        }
        if trip[dialog.item.id] == nil, !dialog.isKnownToBeGone {
            dialog.isKnownToBeGone = true
            say(goneSentence(dialog))
        }
        self.dialog = dialog
        say(question(of: dialog))
    }

    /// Reports the changes of an unfinished dialog.
    mutating func note(_ dialog: FieldDialog, _ departure: Departure, _ trip: Trip) {
        guard !dialog.changes.isEmpty else { return }
        state.notDone.note(
            "\(EditorState.notDonePrefix)changing \(dialog.item.content.title): \(departure.reason)",
            written: UnsavedText.lines(of: [.update(dialog.item.id, dialog.changes)], in: trip))
    }

    /// The current question.
    func question(of dialog: FieldDialog) -> String {
        dialog.isComplete ? "Say done, or cancel." : dialog.question
    }

    private func goneSentence(_ dialog: FieldDialog) -> String {
        "\(dialog.item.content.title) has been removed: done adds it again with your text, cancel does not."
    }

    /// Applies the changes, unless others have made changes that the user does not know.
    private mutating func finish(_ old: FieldDialog, _ trip: Trip) {
        var dialog = old
        dialog.isComplete = true
        guard let now = trip[dialog.item.id] else {
            if dialog.isKnownToBeGone {
                self.dialog = nil
                return act { $0.addAgain(dialog.item, at: dialog.insertionPoint, dialog.changes) }
            }
            dialog.isKnownToBeGone = true
            self.dialog = dialog
            return say(goneSentence(dialog))
        }
        let conflicts = dialog.takeConflicts(with: now, of: trip)
        guard conflicts.isEmpty else {
            self.dialog = dialog
            return say(
                "\(conflicts.joined(separator: "; ")): done saves yours, cancel keeps the other value.")
        }
        self.dialog = nil
        if dialog.changes.isEmpty { return say("Nothing was changed.") }
        act { $0.update(dialog.item, dialog.changes) }
    }

    private mutating func changes(
        of field: ItemField, to text: String, _ item: Item
    ) throws(FieldObjection) -> [FieldChange] {
        try field.changes(to: text == "-" ? nil : text, of: item.content) { name in
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
    /// Without surrounding spaces.
    var trimmed: String {
        guard let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(self[...last].drop(while: \.isWhitespace))
    }
}
