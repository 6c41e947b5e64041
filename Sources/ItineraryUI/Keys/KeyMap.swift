import TerminalCore

/// The key table: the meaning of each key by context, and the source of the help.
package struct KeyMap: Sendable {
    /// The situation in which a key is pressed.
    package enum Context: String, Hashable, Sendable, CaseIterable {
        case list, drag, prompt, form, search, menu, trips, problems, todo, filter, confirmation, notice, help

        /// The heading in the help; nil if the bar shows all keys of the context.
        var heading: String? {
            switch self {
            case .list: "In the list"
            case .drag: "With an item lifted"
            case .form: "In a form"
            case .menu: "In a menu"
            case .trips: "In the list of trips"
            case .problems: "In the list of problems"
            case .todo: "In the list of things to do"
            case .prompt, .search, .filter, .confirmation, .notice, .help: nil
            }
        }
    }

    /// The word for a key in the bar.
    struct BarWord: Sendable {
        let word: String
        /// The priority; 1 is shown first, and even on the narrowest screen.
        let rank: Int
        /// Where the focus of the list must be.
        let focuses: [Focus]

        /// Makes a word.
        static func ranked(_ rank: Int, _ word: String, on focuses: [Focus] = Focus.allCases) -> BarWord {
            BarWord(word: word, rank: rank, focuses: focuses)
        }
    }

    /// The kinds of focused rows.
    enum Focus: Sendable, CaseIterable {
        /// A day's heading.
        case day
        case event
        /// Another item.
        case item
        /// Marked items.
        case marks
    }

    /// The keys of one action in one context.
    package struct Binding: Sendable {
        /// The context of the keys.
        package let context: Context
        /// The action.
        package let action: Action
        /// The keys; the first one is shown in hints.
        package let keys: [KeyStroke]
        /// The line in the help.
        package let help: String
        /// The word in the bar, if any.
        let bar: BarWord?

        init(
            _ context: Context, _ action: Action, _ keys: [KeyStroke], _ help: String, bar: BarWord? = nil
        ) {
            self.context = context
            self.action = action
            self.keys = keys
            self.help = help
            self.bar = bar
        }
    }

    /// The bindings in the order of the help.
    package let bindings: [Binding]
    private let actions: [Context: [KeyStroke: Action]]

    /// Makes a table. If a key has two bindings in one context, the first counts.
    package init(_ bindings: [Binding]) {
        self.bindings = bindings
        var actions: [Context: [KeyStroke: Action]] = [:]
        for binding in bindings {
            for key in binding.keys {
                if actions[binding.context]?[key] == nil {
                    actions[binding.context, default: [:]][key] = binding.action
                }
            }
        }
        self.actions = actions
    }

    /// The meaning of a key in a context, if any.
    package func action(for stroke: KeyStroke, in context: Context) -> Action? {
        actions[context]?[stroke]
    }

    /// The key to show for an action, if it has one.
    func advertisedKey(of action: Action, in context: Context) -> KeyStroke? {
        bindings.first { $0.context == context && $0.action == action }?.keys.first
    }

    /// The name of that key; empty if it has none.
    func name(of action: Action, in context: Context) -> String {
        advertisedKey(of: action, in: context)?.description ?? ""
    }

    /// The words of the bar, in order of priority.
    func bar(
        for context: Context, on focus: Focus? = nil, without isLeftOut: (Action) -> Bool = { _ in false }
    ) -> [(key: KeyStroke, word: String)] {
        var shown: [(rank: Int, key: KeyStroke, word: String)] = []
        for binding in bindings where binding.context == context && !isLeftOut(binding.action) {
            guard let bar = binding.bar, let key = binding.keys.first,
                focus.map(bar.focuses.contains) ?? true
            else { continue }
            shown.append((bar.rank, key, bar.word))
        }
        return shown.sorted { $0.rank < $1.rank }.map { ($0.key, $0.word) }
    }
}

extension KeyMap.Binding {
    /// The same binding with other keys.
    func with(keys: [KeyStroke]) -> Self {
        Self(context, action, keys, help, bar: bar)
    }

    /// The keys that a user cannot rebind: Ctrl-C and Ctrl-Z mean the same everywhere.
    var reservedKeys: [KeyStroke] {
        keys.filter {
            [KeyStroke(.character("c"), .control), KeyStroke(.character("z"), .control)].contains($0)
        }
    }
}
