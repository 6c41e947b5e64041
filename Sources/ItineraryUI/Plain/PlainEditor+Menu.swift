import TripModel

/// A list to choose from, as printed. A number refers to the printed line even if the list has changed since.
struct PlainMenu: Sendable {
    /// The lines by number, from 1.
    let lines: [String]
}

extension PlainEditor {
    /// A longer list is not printed; the user must type words that filter it.
    private static let linesAtOnce = 60
    /// The number of history lines printed.
    private static let historyAtOnce = 20

    /// Prints a list that was just opened.
    mutating func printMenu() {
        guard case .choosing(let chooser) = state.mode else {
            menu = nil
            return
        }
        guard menu == nil else { return }
        let menu = PlainMenu(lines: chooser.choices.map(Self.line))
        self.menu = menu
        let label = chooser.heading
        if case .importing = chooser.purpose {
            for line in menu.lines.prefix(Self.linesAtOnce) { say("\(line).") }
            return say("\(label) Answer yes or cancel.")
        }
        if chooser.context == .trips {
            for (index, line) in menu.lines.enumerated() { say("\(index + 1). \(line).") }
            return say("\(label), by number; or new, edit 1, copy 1, delete 1; cancel leaves it.")
        }
        if case .todo = chooser.purpose {
            for (index, line) in menu.lines.enumerated() { say("\(index + 1). \(line).") }
            return say("\(label), by number; or add TEXT, remove 1, plan 1; cancel leaves it.")
        }
        if case .history = chooser.purpose {
            for (index, line) in menu.lines.prefix(Self.historyAtOnce).enumerated() {
                say("\(index + 1). \(line).")
            }
            let more = menu.lines.count - Self.historyAtOnce
            return say("\(label), by number\(more > 0 ? ", with \(more) more" : ""); cancel leaves it.")
        }
        guard menu.lines.count <= Self.linesAtOnce else {
            return say("\(label): \(menu.lines.count) lines; type words of one, or cancel.")
        }
        say("\(label), by number; cancel leaves it:")
        for (index, line) in menu.lines.enumerated() { say("\(index + 1). \(line).") }
    }

    private static func line(_ choice: Chooser.Choice) -> String {
        choice.detail.isEmpty ? choice.text : "\(choice.text), \(choice.detail)"
    }

    /// Handles a line for the open list: a number, or words of a line.
    mutating func answer(_ chooser: Chooser, _ line: String) {
        let words = line.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        if ["cancel", "esc", "no"].contains(words.joined(separator: " ")) {
            press(.cancel)
            return say("Left as it was.")
        }
        guard let menu, !words.isEmpty else { return }
        if case .importing = chooser.purpose {
            if words == ["yes"] { press(.accept) } else { deny("Answer yes or cancel.") }
            return
        }
        if chooser.context == .trips, let action = Self.tripAction(words) {
            guard action == .newTrip || words.count == 2 else {
                return deny("Say which trip, as in: \(words[0]) 1")
            }
            let number = action == .newTrip ? 1 : Int(words[1]) ?? 0
            guard number >= 1, number <= menu.lines.count else {
                return deny("Say a number from 1 to \(menu.lines.count), as in: \(words[0]) 1")
            }
            return act { state in
                guard case .choosing(var chooser) = state.mode else { return }
                chooser.select(number - 1)
                state.handle(action, of: chooser)
            }
        }
        if case .todo(let list) = chooser.purpose, words.count > 1,
            ["add", "remove", "plan"].contains(words[0])
        {
            let rest = String(line.trimmed.drop { !$0.isWhitespace }).trimmed
            return act { state in
                guard case .choosing(var chooser) = state.mode else { return }
                if words[0] == "add" {
                    chooser.line = Chooser.Line(isEntry: true, editor: LineEditor(rest))
                    return state.handle(.accept, ofTodo: list, in: chooser)
                }
                guard let number = Int(rest), menu.lines.indices.contains(number - 1) else {
                    return state.refuse("Say a number of the list, as in: \(words[0]) 1")
                }
                guard let index = Self.index(of: menu.lines[number - 1], in: chooser) else {
                    return state.refuse(Self.goneSentence)
                }
                chooser.select(index)
                state.handle(words[0] == "plan" ? .planIdea : .removeTodo, ofTodo: list, in: chooser)
            }
        }
        if words.count == 1, let number = Int(words[0]) {
            guard number >= 1, number <= menu.lines.count else {
                return deny("Say a number from 1 to \(menu.lines.count), or cancel.")
            }
            return choose(menu.lines[number - 1])
        }
        let found = menu.lines.indices.filter { index in
            let text = PlainSpelling.spelled(menu.lines[index]).lowercased()
            return words.allSatisfy { text.contains($0) }
        }
        if found.isEmpty { return deny("Nothing in the list matches; say a number, or cancel.") }
        for index in found.prefix(Self.linesAtOnce) { say("\(index + 1). \(menu.lines[index]).") }
        if found.count > Self.linesAtOnce { say("There are \(found.count - Self.linesAtOnce) more.") }
    }

    private static func tripAction(_ words: [String]) -> Action? {
        switch words.first {
        case "new": words.count == 1 ? .newTrip : nil
        case "edit": .editTrip
        case "copy": .copyTrip
        case "delete": .deleteTrip
        default: nil
        }
    }

    private mutating func choose(_ line: String) {
        act { state in
            guard case .choosing(var chooser) = state.mode else { return }
            guard let index = Self.index(of: line, in: chooser) else {
                return state.refuse(Self.goneSentence)
            }
            chooser.select(index)
            state.choose(chooser, .accept)
        }
    }

    private static func index(of line: String, in chooser: Chooser) -> Int? {
        chooser.choices.firstIndex { Self.line($0) == line }
    }

    private static let goneSentence = "That is no longer in the list."
}
