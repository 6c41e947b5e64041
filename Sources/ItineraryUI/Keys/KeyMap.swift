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

    /// The effect of an action in the list.
    enum Reach: Sendable {
        /// It moves the cursor.
        case cursor
        /// It affects the focused item or the selection. Refused if the focus has just changed unexpectedly, and
        /// for viewers.
        case item
        /// It changes the trip in another way, or begins a change. Refused for viewers.
        case trip
        /// Neither.
        case other

        /// Whether viewers may not do it.
        var isChange: Bool { self == .item || self == .trip }
    }

    /// The handler of a key of the list or of a drag. In other contexts the open form or list handles the action.
    enum Command: Sendable {
        case once(@Sendable (inout EditorState) -> Void)
        /// Something that a count before the key repeats.
        case repeated(@Sendable (inout EditorState, _ times: Int) -> Void)
        /// Something for which the count is a number.
        case numbered(@Sendable (inout EditorState, Int?) -> Void)
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
        let reach: Reach
        /// The word in the bar, if any.
        let bar: BarWord?
        let command: Command?

        init(
            _ context: Context, _ action: Action, _ keys: [KeyStroke], _ help: String,
            _ reach: Reach = .other,
            bar: BarWord? = nil, do command: Command? = nil
        ) {
            self.context = context
            self.action = action
            self.keys = keys
            self.help = help
            self.reach = reach
            self.bar = bar
            self.command = command
        }

        /// Whether a count before its key is a number of repetitions, a distance or a target.
        var takesNumber: Bool {
            switch command {
            case .repeated, .numbered: true
            case .once, nil: false
            }
        }

        /// Performs the command.
        ///
        /// - Parameter number: the count before the key.
        func run(on state: inout EditorState, number: Int?) {
            switch command {
            case .once(let act): act(&state)
            case .repeated(let act): act(&state, number ?? 1)
            case .numbered(let act): act(&state, number)
            case nil: break
            }
        }

        /// The same binding with other keys.
        func with(keys: [KeyStroke]) -> Self {
            Self(context, action, keys, help, reach, bar: bar, do: command)
        }

        /// The keys that a user cannot rebind: Ctrl-C and Ctrl-Z mean the same everywhere.
        var reservedKeys: [KeyStroke] {
            keys.filter {
                [KeyStroke(.character("c"), .control), KeyStroke(.character("z"), .control)].contains($0)
            }
        }
    }

    /// The bindings in the order of the help.
    package let bindings: [Binding]
    private let byKey: [Context: [KeyStroke: Binding]]

    /// Makes a table. If a key has two bindings in one context, the first counts.
    package init(_ bindings: [Binding]) {
        self.bindings = bindings
        var byKey: [Context: [KeyStroke: Binding]] = [:]
        for binding in bindings {
            for key in binding.keys where byKey[binding.context]?[key] == nil {
                byKey[binding.context, default: [:]][key] = binding
            }
        }
        self.byKey = byKey
    }

    /// The meaning of a key in a context, if any.
    package func action(for stroke: KeyStroke, in context: Context) -> Action? {
        binding(for: stroke, in: context)?.action
    }

    func binding(for stroke: KeyStroke, in context: Context) -> Binding? { byKey[context]?[stroke] }

    func binding(of action: Action, in context: Context) -> Binding? {
        bindings.first { $0.context == context && $0.action == action }
    }

    /// The key to show for an action, if it has one.
    func advertisedKey(of action: Action, in context: Context) -> KeyStroke? {
        binding(of: action, in: context)?.keys.first
    }

    /// The name of that key; empty if it has none.
    func name(of action: Action, in context: Context) -> String {
        advertisedKey(of: action, in: context)?.description ?? ""
    }

    /// The words of the bar, in order of priority.
    func bar(
        for context: Context, on focus: Focus? = nil, without isLeftOut: (Binding) -> Bool = { _ in false }
    ) -> [(key: KeyStroke, word: String)] {
        var shown: [(rank: Int, key: KeyStroke, word: String)] = []
        for binding in bindings where binding.context == context && !isLeftOut(binding) {
            guard let bar = binding.bar, let key = binding.keys.first,
                focus.map(bar.focuses.contains) ?? true
            else { continue }
            shown.append((bar.rank, key, bar.word))
        }
        return shown.sorted { $0.rank < $1.rank }.map { ($0.key, $0.word) }
    }
}
