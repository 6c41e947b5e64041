import TripModel

/// Forms in the plain editor: each field is asked for in turn, and a line is its value.
extension PlainEditor {
    /// `5` asks for all fields of an item, `5 city` for one, `5 city Boston` changes it.
    mutating func edit(_ rest: String) {
        guard let (name, field, text) = Self.splitField(rest), case .item(let item) = reference(name),
            item.content.kind.fields.contains(field)
        else {
            if focus(itemNamed: rest) != nil { act { $0.beginForm() } }
            return
        }
        guard ItemField.editable(in: item.content).contains(field) else {
            return say(
                field.row.isWritten
                    ? "The \(field.spokenName) of an event follows its schedule and is not edited."
                    : "The \(field.spokenName) is set by the file that brings the item, and is not edited."
            )
        }
        focus(itemNamed: name)
        act { $0.beginForm(at: field) }
        guard let sheet = state.mode.form?.sheet else { return }
        asksOnce = true
        if text.isEmpty { return }
        fill(sheet, with: text)
        // The error was reported; the whole command must be repeated.
        if state.mode.form != nil { state.returnToList() }
    }

    /// The question for the current field; nil if no form is open.
    var formQuestion: String? {
        guard let sheet = state.mode.form?.sheet else { return nil }
        let line = sheet.lines[sheet.index]
        let now = line.text.isEmpty ? "none" : line.text
        let rank = asksOnce ? "" : "\(sheet.index + 1) of \(sheet.lines.count), "
        return "\(rank)\(line.label.lowercased()), now \(now):"
    }

    /// Prints the subject of a newly opened form.
    mutating func printForm() {
        guard let sheet = state.mode.form?.sheet, let question = formQuestion else { return }
        say(
            "\(sheet.heading): an empty line keeps a field, a dash clears it, done saves, cancel changes nothing."
        )
        say(question)
    }

    /// Handles a line for the current field; after the last one the form is submitted.
    mutating func answerForm(_ line: String) {
        guard let sheet = state.mode.form?.sheet else { return }
        let text = line.trimmed
        switch text.lowercased() {
        case "cancel", "esc":
            var gone: String?
            if case .filling(let form) = state.mode, form.remover != nil { gone = form.item.content.title }
            press(.cancel)
            if state.status.message == nil, state.mode.form == nil {
                say(gone.map { "\($0) has been removed." } ?? "Left as it was.")
            }
            return
        case "done":
            let asked = state.asked.count
            press(.accept)
            if state.mode.isBrowsing, state.status.message == nil, state.asked.count == asked {
                say("Nothing was changed.")
            }
        // Any other line may not be meant for the field.
        case _ where awaitsConfirmation: return say("Say done, or cancel.")
        case "": advance(sheet)
        default:
            fill(sheet, with: text)
        }
        if state.mode.form != nil, let formQuestion { say(formQuestion) }
    }

    /// Takes a text as the value of the current field, and goes to the next one.
    private mutating func fill(_ sheet: FormSheet, with text: String) {
        let text = text == "-" ? "" : gameName(text) ?? text
        write(text)
        // A line that is too long is rejected as a whole.
        if state.status.isRefusal { return }
        guard state.mode.input?.text == text else {
            write(sheet.lines[sheet.index].text)
            return deny("\(sheet.lines[sheet.index].label) has a character that is not allowed.")
        }
        // An invalid line is rejected too, because it may not be meant for the field.
        if let objection {
            write(sheet.lines[sheet.index].text)
            deny(objection)
        } else {
            advance(sheet)
        }
    }

    /// Replaces the text of the field.
    private mutating func write(_ text: String) {
        press(.last)
        press(.eraseToStart)
        if !text.isEmpty { act { $0.write(Array(text.unicodeScalars)) } }
    }

    private var awaitsConfirmation: Bool { state.mode.form?.awaitsConfirmation == true }

    /// The reason why the current field's text is invalid; nil if it is valid.
    private var objection: String? {
        switch state.mode {
        case .filling(let form): state.board.flatMap { form.objection(in: $0.outline.trip) }
        case .planning(let form): form.objection(today: state.options.today())
        default: nil
        }
    }

    private mutating func advance(_ sheet: FormSheet) {
        if let objection { return deny(objection) }
        press(asksOnce || sheet.index + 1 == sheet.lines.count ? .accept : .down)
    }

    /// The name of the event with a number, for a field that names one.
    private mutating func gameName(_ text: String) -> String? {
        guard case .filling(let form) = state.mode,
            [.afterGame, .beforeGame].contains(form.fields.current.field),
            Int(text) != nil, case .item(let item) = reference(text), item.isGame
        else { return nil }
        return state.board?.outline.trip.name(ofGame: item)
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
