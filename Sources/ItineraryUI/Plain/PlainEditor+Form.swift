import TripModel

/// Forms by lines: each field is asked for, and a line is what it is to be.
extension PlainEditor {
    /// What a form wants to know next; nil where none is open.
    var formQuestion: String? {
        guard let sheet = state.mode.formSheet else { return nil }
        let line = sheet.lines[sheet.index]
        let now = line.text.isEmpty ? "none" : line.text
        return "\(sheet.index + 1) of \(sheet.lines.count), \(line.label.lowercased()), now \(now):"
    }

    /// Says what a form that has just been opened is about.
    mutating func tellForm() {
        guard let sheet = state.mode.formSheet, let question = formQuestion else { return }
        say(
            "\(sheet.heading): an empty line keeps a field, a dash clears it, done ends, cancel leaves all as it was."
        )
        say(question)
    }

    /// Takes a line for the field that is asked for; behind the last one the form is done.
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
            // A line that does not fit is not taken in part.
            if state.status.isRefusal { return }
            // Nor is one that cannot be: the line may not be for the field at all.
            if let objection {
                write(sheet.lines[sheet.index].text)
                deny(objection)
            } else {
                advance(sheet)
            }
        }
        if state.mode.formSheet != nil, let formQuestion { say(formQuestion) }
    }

    /// Writes a line in the stead of what the field says.
    private mutating func write(_ text: String) {
        press(.last)
        press(.eraseToStart)
        if !text.isEmpty { act { $0.write(Array(text.unicodeScalars)) } }
    }

    /// Why the field that is asked for cannot be as it is written; nil where it can.
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
