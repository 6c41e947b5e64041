import TerminalCore
import TripModel

/// Limits the reports of others' changes to a few sentences per second; further ones are summarised.
struct Announcer: Sendable {
    /// The maximum number of sentences per window.
    static let limit = 3
    /// The length of a window.
    static let window = Duration.seconds(1)
    /// The maximum number of users named in a summary.
    static let namedUsers = 3

    /// The end of the window of the last sentence.
    private var windowEnd = Duration.zero
    private var saidCount = 0
    /// The users of unreported changes, in order of their first one.
    private var users: [String] = []
    private var counts: [String: Int] = [:]
    /// The last unreported sentence; if it is the only one, it replaces the summary.
    private var lastSentence = ""

    /// The time at which unreported changes can be summarised.
    func deadline(whenWaiting: Bool) -> Duration? {
        users.isEmpty && !whenWaiting ? nil : windowEnd
    }

    /// Whether `count` more sentences may be printed now; if so, counts them.
    mutating func admits(_ count: Int, at now: Duration) -> Bool {
        if windowEnd <= now { saidCount = 0 }
        guard users.isEmpty, saidCount + count <= Self.limit else { return false }
        if saidCount == 0 { windowEnd = now + Self.window }
        saidCount += count
        return true
    }

    /// Records a change that is not reported by itself.
    mutating func count(_ sentence: String, by user: String) {
        lastSentence = sentence
        if counts[user] == nil { users.append(user) }
        counts[user, default: 0] += 1
    }

    /// The summary of unreported changes, if it is due.
    mutating func summary(at now: Duration) -> String? {
        guard !users.isEmpty, windowEnd <= now else { return nil }
        var parts = users.prefix(Self.namedUsers).map { "\(counts[$0] ?? 0) by \($0)" }
        let others = users.dropFirst(Self.namedUsers).reduce(0) { $0 + (counts[$1] ?? 0) }
        if others > 0 { parts.append("\(others) by others") }
        let total = counts.values.reduce(0, +)
        let text =
            if total == 1 {
                lastSentence
            } else if users.count == 1 {
                "\(total) more changes by \(users[0])."
            } else {
                "\(total) more changes: \(parts.joined(separator: ", "))."
            }
        users = []
        counts = [:]
        saidCount = 1
        windowEnd = now + Self.window
        return text
    }
}

/// Changes of presence on a trip: users who came or left, and drags.
struct PeopleNews {
    let sentences: [String]

    private struct Hold: Hashable {
        let name: String
        let item: ItemID
    }

    init(from old: [Person], to new: [Person], title: (ItemID) -> String?) {
        var sentences: [String] = []
        let came = Self.names(new, without: old)
        let left = Self.names(old, without: new)
        if !came.isEmpty { sentences.append("\(Self.list(came)) \(came.count == 1 ? "is" : "are") here.") }
        if !left.isEmpty { sentences.append("\(Self.list(left)) \(left.count == 1 ? "has" : "have") left.") }
        let held = Set(Self.holds(old))
        for hold in Self.holds(new) where !held.contains(hold) {
            sentences.append("\(hold.name) lifts \(title(hold.item) ?? "an item").")
        }
        self.sentences = sentences
    }

    private static func holds(_ people: [Person]) -> [Hold] {
        people.compactMap { person in person.dragging.map { Hold(name: person.name, item: $0) } }
    }

    /// The names, each as often as it occurs more in the first list than in the second.
    private static func names(_ here: [Person], without there: [Person]) -> [String] {
        var counts: [String: Int] = [:]
        for person in there { counts[person.name, default: 0] += 1 }
        return here.map(\.name).filter { name in
            guard let count = counts[name], count > 0 else { return true }
            counts[name] = count - 1
            return false
        }
    }

    /// `Ann, Ben and Cara`; of many only the first.
    static func list(_ names: [String]) -> String {
        let named = names.count > namedPeople ? Array(names.prefix(namedPeople - 1)) : names
        let rest = names.count - named.count
        let all = rest > 0 ? named + ["\(rest) more"] : named
        guard let last = all.last, all.count > 1 else { return all.first ?? "" }
        return "\(all.dropLast().joined(separator: ", ")) and \(last)"
    }

    private static let namedPeople = 6
}

/// Prepares sentences for screen readers: without control characters, and with words instead of the editor's
/// symbols.
enum PlainSpelling {
    /// One line, for one sentence.
    static func spelled(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var result = DisplayText.sanitized(text)
        for (sign, words) in phrases { result = result.replacing(sign, with: words) }
        return result
    }

    /// The beginning of a typed text, for messages.
    static func short(_ text: String) -> String {
        DisplayText.truncated(text, toColumns: 60, ellipsis: "...")
    }

    /// A name without surrounding quotation marks.
    static func unquoted(_ text: String) -> String {
        text.count > 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
            ? String(text.dropFirst().dropLast()) : text
    }

    /// Symbols in sentences, with the spaces around them.
    private static let phrases = [
        (" → ", " to "), (" · ", ", "), ("↑", "Up"), ("↓", "Down"), ("←", "Left"), ("→", "Right"),
        ("…", "..."),
    ]
}
