import TerminalCore

/// The settings of the editor that a configuration file sets; the rest keep their defaults.
///
///     # a comment
///     feedback = visual
///     color accent = #56c2e6
///     key list lift = Space v
package struct Configuration: Sendable {
    /// An invalid line, and its correction.
    package struct Mistake: Error, Equatable, Sendable, CustomStringConvertible {
        /// The line, counted from 1.
        package let line: Int
        /// The mistake, and its correction.
        package let reason: String

        /// Both in one sentence.
        package var description: String { "line \(line): \(reason)" }
    }

    /// All mistakes of a file, in the order of its lines; never empty.
    package struct Mistakes: Error, Equatable, Sendable {
        /// At least one.
        package let all: [Mistake]
    }

    /// A setting, for messages and for the manual.
    package struct Setting: Sendable {
        /// The name, with placeholders for its parameters.
        package let name: String
        /// The accepted values, the default first.
        package let values: String
        /// The effect.
        package let meaning: String
    }

    /// All settings.
    package static let settings = [
        Setting(name: "ascii", values: "no, yes", meaning: "draw with ASCII characters only"),
        Setting(
            name: "background", values: BackgroundName.allCases.map(\.rawValue).joined(separator: ", "),
            meaning: "the terminal's background; auto asks the terminal"),
        Setting(
            name: "color NAME", values: "a colour",
            meaning: "the colour of " + Palette.Role.allCases.map(\.rawValue).joined(separator: ", ")),
        Setting(
            name: "feedback", values: Feedback.allCases.map(\.rawValue).joined(separator: ", "),
            meaning: "how to signal a grab, a drop and a refusal"),
        Setting(name: "key PLACE ACTION", values: "one or more keys", meaning: "the keys of an action"),
        Setting(name: "mouse", values: "yes, no", meaning: "whether the editor uses the mouse"),
        Setting(name: "reduce-motion", values: "no, yes", meaning: "show no animations"),
    ]

    /// Whether only ASCII is drawn. This and the following properties are nil if the file does not set them.
    package private(set) var ascii: Bool?
    /// Whether the editor uses the mouse at first.
    package private(set) var mouse: Bool?
    /// Whether animations are disabled.
    package private(set) var reduceMotion: Bool?
    /// The feedback for a grab, a drop and a refusal.
    package private(set) var feedback: Feedback?
    /// The terminal's background; nil to ask the terminal.
    package private(set) var background: Palette.Background?
    /// The colors that the file sets.
    package private(set) var colors: [Palette.Role: Color] = [:]
    /// The standard keys with the file's changes.
    package private(set) var keys = KeyMap.standard
    private var keyLines: [(line: Int, context: KeyMap.Context, action: Action, keys: [KeyStroke])] = []

    /// The defaults.
    package init() {}

    /// Reads a file's text.
    package init(_ text: String) throws(Mistakes) {
        var mistakes: [Mistake] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(whereSeparator: { $0.isWhitespace || $0.isNewline })
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            do throws(Complaint) {
                guard let equals = words.firstIndex(of: "=") else {
                    throw Complaint("a setting looks like `name = value`")
                }
                try set(
                    words[..<equals].map(String.init), words[(equals + 1)...].map(String.init), index + 1)
            } catch {
                mistakes.append(Mistake(line: index + 1, reason: error.reason))
            }
        }
        do throws(Mistakes) { keys = try remapped() } catch { mistakes += error.all }
        guard mistakes.isEmpty else { throw Mistakes(all: mistakes.sorted { $0.line < $1.line }) }
    }

    /// The reason why a line is invalid.
    private struct Complaint: Error {
        let reason: String
        init(_ reason: String) { self.reason = reason }
    }

    private mutating func set(_ name: [String], _ value: [String], _ line: Int) throws(Complaint) {
        switch (name.first, name.count) {
        case ("ascii", 1): ascii = try Self.yes(value)
        case ("mouse", 1): mouse = try Self.yes(value)
        case ("reduce-motion", 1): reduceMotion = try Self.yes(value)
        case ("feedback", 1): feedback = try Self.one(of: Feedback.allCases, value)
        case ("background", 1): background = try Self.one(of: BackgroundName.allCases, value).background
        case ("color", 2):
            colors[try Self.named(Palette.Role.self, name[1], "a color")] = try Self.color(value)
        case ("key", 3):
            let context = try Self.named(KeyMap.Context.self, name[1], "a place")
            let action = try Self.named(Action.self, name[2], "an action")
            guard KeyMap.standard.bindings.contains(where: { $0.context == context && $0.action == action })
            else { throw Complaint("\(action.rawValue) is not an action of \(context.rawValue)") }
            guard !value.isEmpty else { throw Complaint("a key is missing, like Space or Ctrl-X") }
            var strokes: [KeyStroke] = []
            for word in value {
                guard let stroke = KeyStroke(word) else {
                    throw Complaint(
                        "\(word) is not a key; keys are like x, Space, Enter, PgUp, F2, Ctrl-X, Alt+Up")
                }
                strokes.append(stroke)
            }
            keyLines.append((line, context, action, strokes))
        default:
            throw Complaint(
                "there is no setting \(name.joined(separator: " ")); the settings are "
                    + Self.settings.map(\.name).joined(separator: ", "))
        }
    }

    private enum BackgroundName: String, CaseIterable {
        case auto, dark, light

        var background: Palette.Background? {
            switch self {
            case .auto: nil
            case .dark: .dark
            case .light: .light
            }
        }
    }

    private static func yes(_ value: [String]) throws(Complaint) -> Bool {
        switch value {
        case ["yes"]: true
        case ["no"]: false
        default: throw Complaint("the value is yes or no, not \(value.joined(separator: " "))")
        }
    }

    private static func one<Value: RawRepresentable<String> & CaseIterable>(
        of type: [Value], _ value: [String]
    ) throws(Complaint) -> Value {
        if value.count == 1, let found = Value(rawValue: value[0]) { return found }
        let names = type.map(\.rawValue).joined(separator: ", ")
        throw Complaint("the value is one of \(names), not \(value.joined(separator: " "))")
    }

    private static func named<Value: RawRepresentable<String> & CaseIterable>(
        _ type: Value.Type, _ name: String, _ what: String
    ) throws(Complaint) -> Value {
        if let value = Value(rawValue: name) { return value }
        let names = type.allCases.map(\.rawValue).joined(separator: ", ")
        throw Complaint("\(name) is not \(what); use one of \(names)")
    }

    private static func color(_ value: [String]) throws(Complaint) -> Color {
        if value.count == 1, let color = Color(value[0]) { return color }
        throw Complaint(
            "a color is a name like red or bright-blue, a number from 0 to 255, or #rrggbb, not "
                + value.joined(separator: " "))
    }

    /// The key table with the user's keys instead of the standard ones.
    private func remapped() throws(Mistakes) -> KeyMap {
        var bindings = KeyMap.standard.bindings
        for change in keyLines {
            var keys = change.keys
            for index in bindings.indices
            where bindings[index].context == change.context && bindings[index].action == change.action {
                // If an action is bound in two entries, the new keys go to the first one, beside the reserved
                // keys.
                bindings[index] = bindings[index].with(keys: keys + bindings[index].reservedKeys)
                keys = []
            }
        }
        var mistakes: [Mistake] = []
        for change in keyLines {
            for key in change.keys {
                let others = bindings.filter {
                    $0.context == change.context && $0.action != change.action && $0.keys.contains(key)
                }
                guard let other = others.first else { continue }
                mistakes.append(
                    Mistake(
                        line: change.line,
                        reason: "\(key) already means \(other.action.rawValue) in \(change.context.rawValue)")
                )
            }
        }
        guard mistakes.isEmpty else { throw Mistakes(all: mistakes) }
        return KeyMap(bindings)
    }
}

extension Configuration {
    /// Applies the settings of the file to options.
    package func apply(to options: inout EditorOptions) {
        if let ascii { options.ascii = ascii }
        if let mouse { options.takesMouse = mouse }
        if let reduceMotion { options.reduceMotion = reduceMotion }
        if let feedback { options.feedback = feedback }
        options.background = background
        options.colors = colors
        options.keys = keys
    }
}
