import TerminalCore

/// Which key means what where: the one table that keys are looked up in, and that the help is written from.
package struct KeyMap: Sendable {
    /// Where a key is pressed.
    package enum Context: String, Hashable, Sendable, CaseIterable {
        case list, drag, prompt, form, search, menu, trips, confirmation, notice, help

        /// The heading in the help; nil where the bottom bar says all there is to say.
        var heading: String? {
            switch self {
            case .list: "In the list"
            case .drag: "With an item lifted"
            case .form: "With fields to edit"
            case .menu: "With a list to choose from"
            case .trips: "With the trips"
            case .prompt, .search, .confirmation, .notice, .help: nil
            }
        }
    }

    /// What the bottom bar says of a key.
    package struct BarWord: Sendable {
        let word: String
        /// 1 for what is shown first, and is left on the narrowest screen.
        let rank: Int

        /// Makes a word.
        package static func ranked(_ rank: Int, _ word: String) -> BarWord {
            BarWord(word: word, rank: rank)
        }
    }

    /// The keys of one action in one context.
    package struct Binding: Sendable {
        /// Where the keys mean this.
        package let context: Context
        /// What they do there.
        package let action: Action
        /// The first is the one that is advertised.
        package let keys: [KeyStroke]
        /// The line in the help.
        package let help: String
        /// What the bottom bar shows, if anything.
        let bar: BarWord?

        /// Makes a binding.
        package init(
            _ context: Context, _ action: Action, _ keys: [KeyStroke], _ help: String, bar: BarWord? = nil
        ) {
            self.context = context
            self.action = action
            self.keys = keys
            self.help = help
            self.bar = bar
        }
    }

    /// All of it, in the order of the help.
    package let bindings: [Binding]
    private let actions: [Context: [KeyStroke: Action]]

    /// Makes a table; of two bindings of one key in one context the first counts.
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

    /// What a key means there, if anything.
    package func action(for stroke: KeyStroke, in context: Context) -> Action? {
        actions[context]?[stroke]
    }

    /// The key to tell the user for an action, if it has one.
    func advertisedKey(of action: Action, in context: Context) -> KeyStroke? {
        bindings.first { $0.context == context && $0.action == action }?.keys.first
    }

    /// What the bottom bar shows, the most important first.
    func bar(
        for context: Context, without isLeftOut: (Action) -> Bool = { _ in false }
    ) -> [(key: KeyStroke, word: String)] {
        var shown: [(rank: Int, key: KeyStroke, word: String)] = []
        for binding in bindings where binding.context == context && !isLeftOut(binding.action) {
            guard let bar = binding.bar, let key = binding.keys.first else { continue }
            shown.append((bar.rank, key, bar.word))
        }
        return shown.sorted { $0.rank < $1.rank }.map { ($0.key, $0.word) }
    }
}

extension KeyMap.Binding {
    /// The same meaning on other keys.
    func with(keys: [KeyStroke]) -> Self {
        Self(context, action, keys, help, bar: bar)
    }

    /// The keys that a user cannot take away: Ctrl-C and Ctrl-Z mean the same everywhere.
    var reservedKeys: [KeyStroke] {
        keys.filter {
            [KeyStroke(.character("c"), .control), KeyStroke(.character("z"), .control)].contains($0)
        }
    }
}
