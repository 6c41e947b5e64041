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
