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
