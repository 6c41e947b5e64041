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
            press(.last)
            press(.eraseToStart)
            if text != "-" { act { $0.write(Array(text.unicodeScalars)) } }
            // A line that does not fit is not taken in part.
            if state.status.isRefusal { return }
            advance(sheet)
        }
        if state.mode.formSheet != nil, let formQuestion { say(formQuestion) }
    }

    private mutating func advance(_ sheet: FormSheet) {
        press(sheet.index + 1 < sheet.lines.count ? .down : .accept)
    }
}
