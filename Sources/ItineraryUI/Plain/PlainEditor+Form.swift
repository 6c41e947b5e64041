import TripModel

/// Forms in the plain editor: each field is asked for in turn, and a line is its value.
extension PlainEditor {
    /// The question for the current field; nil if no form is open.
    var formQuestion: String? {
        guard let sheet = state.mode.formSheet else { return nil }
        let line = sheet.lines[sheet.index]
        let now = line.text.isEmpty ? "none" : line.text
        return "\(sheet.index + 1) of \(sheet.lines.count), \(line.label.lowercased()), now \(now):"
    }

    /// Prints the subject of a newly opened form.
    mutating func printForm() {
        guard let sheet = state.mode.formSheet, let question = formQuestion else { return }
        say(
            "\(sheet.heading): an empty line keeps a field, a dash clears it, done saves, cancel changes nothing."
        )
        say(question)
    }

    /// Handles a line for the current field; after the last one the form is submitted.
    mutating func answerForm(_ line: String) {
        guard let sheet = state.mode.formSheet else { return }
        let text = line.trimmed
        switch text.lowercased() {
        case "cancel", "esc":
            press(.cancel)
            if state.status.message == nil, state.mode.formSheet == nil { say("Left as it was.") }
            return
        case "done": press(.accept)
        case "": advance(sheet)
        default:
            write(text == "-" ? "" : text)
            // A line that is too long is rejected as a whole.
            if state.status.isRefusal { return }
            // An invalid line is rejected too, because it may not be meant for the field.
            if let objection {
                write(sheet.lines[sheet.index].text)
                deny(objection)
            } else {
                advance(sheet)
            }
        }
        if state.mode.formSheet != nil, let formQuestion { say(formQuestion) }
    }

    /// Replaces the text of the field.
    private mutating func write(_ text: String) {
        press(.last)
        press(.eraseToStart)
        if !text.isEmpty { act { $0.write(Array(text.unicodeScalars)) } }
    }

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
        press(sheet.index + 1 < sheet.lines.count ? .down : .accept)
    }
}
