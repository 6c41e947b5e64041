/// A parsed command line of the plain editor.
enum PlainCommand: Equatable, Sendable {
    /// An empty line.
    case nothing
    case verb(PlainVerb, String)
    /// An action of the key table.
    case action(Action)
    /// Only a number, which selects an item.
    case number(Int)
    /// An invalid line, with a correction.
    case unknown(String)

    /// Parses a line by the commands of a context.
    init(_ line: String, in context: KeyMap.Context, keys: KeyMap) {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard let first = words.first else {
            self = .nothing
            return
        }
        let whole = words.joined(separator: " ").lowercased()
        let rest = words.count > 1 ? String(line[words[1].startIndex...]) : ""
        let bindings = keys.bindings.filter { $0.context == context }
        let verbs = context == .list || context == .drag ? PlainVerb.allCases : []
        if words.count > 1, let binding = bindings.first(where: { $0.action.names.contains(whole) }) {
            // `edit trip` does not refer to an item called trip.
            self = .action(binding.action)
        } else if let verb = verbs.first(where: { $0.names.contains(first.lowercased()) }) {
            self = .verb(verb, rest)
        } else if let binding = bindings.first(where: { $0.action.names.contains(whole) || $0.isCalled(line) }
        ) {
            self = .action(binding.action)
        } else if !verbs.isEmpty, let number = Int(whole) {
            self = .number(number)
        } else if context == .list, first.lowercased() == "day", Int(rest) != nil {
            // Days are named as in the list's headings.
            self = .verb(.go, whole)
        } else {
            self = Self.guess(whole, String(first), rest, verbs, bindings, in: context, keys)
        }
    }

    /// The command that a word abbreviates, if it is unambiguous.
    private static func guess(
        _ whole: String, _ first: String, _ rest: String, _ verbs: [PlainVerb], _ bindings: [KeyMap.Binding],
        in context: KeyMap.Context, _ keys: KeyMap
    ) -> PlainCommand {
        var found: [(name: String, command: PlainCommand)] = []
        for verb in verbs {
            guard let name = verb.names.first(where: { $0.hasPrefix(first.lowercased()) }) else { continue }
            found.append((name, .verb(verb, rest)))
        }
        for binding in bindings {
            guard let name = binding.action.names.first(where: { $0.hasPrefix(whole) }),
                !found.contains(where: { $0.name == name || $0.command == .action(binding.action) })
            else { continue }
            found.append((name, .action(binding.action)))
        }
        switch found.count {
        case 1: return found[0].command
        case 2...:
            let names = found.map(\.name)
            return .unknown(
                "\(first) could be \(names.dropLast().joined(separator: ", ")) or \(names[names.count - 1]).")
        default: break
        }
        if context == .confirmation { return .unknown("Answer yes or no.") }
        let other = keys.bindings.first { $0.action.names.contains(whole) && $0.context.isTyped }
        switch other?.context {
        case .drag?: return .unknown("\(whole) is for a lifted item; lift one first, as in: lift 5")
        case .list?: return .unknown("\(whole) is not for a lifted item; drop it or cancel first.")
        default:
            return .unknown(
                "There is no command \(PlainSpelling.short(first)); help lists the commands.")
        }
    }
}

extension KeyMap.Context {
    /// Whether the context accepts commands.
    fileprivate var isTyped: Bool { self == .list || self == .drag }
}

extension KeyMap.Binding {
    /// Whether a line is the name of one of its keys: `u`, `U`, `Esc`, `Alt+Up`.
    fileprivate func isCalled(_ line: String) -> Bool {
        let line = String(line.drop(while: \.isWhitespace))
        return keys.contains { key in
            let name = PlainSpelling.spelled(key.description)
            return name.count == 1 ? line == name : line.lowercased() == name.lowercased()
        }
    }
}

/// The commands with arguments; other actions are available by `Action.names`.
enum PlainVerb: CaseIterable, Sendable {
    case list, show, go, whereTo, move, lift, copy, drop, add, edit, remove, search, importFile, problems,
        people, help

    /// The names; the first one is shown in the help.
    var names: [String] {
        switch self {
        case .list: ["list", "l"]
        case .show: ["show"]
        case .go: ["go"]
        case .whereTo: ["where"]
        case .move: ["move"]
        case .lift: ["lift", "grab"]
        case .drop: ["drop"]
        case .add: ["add"]
        case .edit: ["edit"]
        case .copy: ["copy"]
        case .search: ["search", "find", "/"]
        case .remove: ["remove", "delete"]
        case .importFile: ["import"]
        case .problems: ["problems"]
        case .people: ["people", "who"]
        case .help: ["help"]
        }
    }

    /// An example of its use.
    var usage: String {
        switch self {
        case .list: "list, list 3"
        case .show: "show 5"
        case .go: "go 5, go day 3, day 3"
        case .whereTo: "where 5, where 5 on day 3"
        case .move: "move 5 after 7, move 5 before 7, move 5 to day 3, move 5 to start of day 3"
        case .lift: "lift 5"
        case .drop: "drop, drop 2"
        case .add: "add TITLE, add TITLE to day 3"
        case .edit: "edit 5, edit 5 city Boston"
        case .copy: "copy 5"
        case .search: "search WORDS"
        case .remove: "remove 5, delete 5"
        case .importFile: "import FILE.csv"
        case .problems: "problems"
        case .people: "people"
        case .help: "help"
        }
    }

    /// The description.
    var purpose: String {
        switch self {
        case .list: "the trip with a number for every item, or only day 3"
        case .show: "the details of an item"
        case .go: "moves the focus to an item or a day; the number alone does the same"
        case .whereTo: "the places where an item may go, numbered for drop"
        case .move: "moves an item"
        case .lift: "lifts an item; then up, down, next valid, drop and cancel"
        case .drop: "puts the lifted item down, or the item of the last where to its place 2"
        case .add: "a new item below the focus, or at the end of a day"
        case .edit: "asks for the item's fields one by one, or changes one"
        case .copy: "lifts a copy of an item"
        case .search: "finds the first item with these words; next match finds the next"
        case .remove: "removes an item"
        case .importFile: "shows what a schedule would change, and asks before the import"
        case .problems: "the problems of the trip"
        case .people: "the people here, and the items that they have lifted"
        case .help: "this help"
        }
    }

    /// Whether it is allowed during a drag.
    var isForLifted: Bool {
        switch self {
        case .list, .show, .whereTo, .drop, .problems, .people, .help: true
        case .go, .move, .lift, .copy, .add, .edit, .remove, .search, .importFile: false
        }
    }
}

extension Action {
    /// The names of the command; the first one is shown in the help.
    var names: [String] {
        let name = rawValue.replacing("-", with: " ")
        return switch self {
        case .nudgeUp: ["previous valid", name]
        case .nudgeDown: ["next valid", name]
        case .lift: [name, "grab"]
        case .remove: [name, "delete"]
        case .accept: ["yes", name, "done"]
        case .cancel: [name, "no"]
        case .quit: [name, "exit"]
        default: [name]
        }
    }
}
