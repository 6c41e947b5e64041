/// How much of what others do is said: a few sentences a second, and above that how many there were.
struct Announcer: Sendable {
    /// Sentences in one window.
    static let limit = 3
    /// How long a window is.
    static let window = Duration.seconds(1)
    /// How many users a summary names.
    static let namedUsers = 3

    /// When the window ends in which something was said last.
    private var windowEnd = Duration.zero
    private var saidCount = 0
    /// What was not said, by user, in the order in which they came first.
    private var users: [String] = []
    private var counts: [String: Int] = [:]
    /// The last of it; alone it is as good as a summary.
    private var lastSentence = ""

    /// When something that was held back can be said.
    func deadline(whenWaiting: Bool) -> Duration? {
        users.isEmpty && !whenWaiting ? nil : windowEnd
    }

    /// Whether this number of sentences may be said now; if so they count as said.
    mutating func admits(_ count: Int, at now: Duration) -> Bool {
        if windowEnd <= now { saidCount = 0 }
        guard users.isEmpty, saidCount + count <= Self.limit else { return false }
        if saidCount == 0 { windowEnd = now + Self.window }
        saidCount += count
        return true
    }

    /// Notes a change that is not said by itself.
    mutating func count(_ sentence: String, by user: String) {
        lastSentence = sentence
        if counts[user] == nil { users.append(user) }
        counts[user, default: 0] += 1
    }

    /// The summary of what was not said, once it is time for it.
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
