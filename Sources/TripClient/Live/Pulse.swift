/// When a connection was last heard of, and since when the daemon has owed an answer on it.
struct Pulse: Sendable {
    /// A daemon that has owed an answer for so long is silent.
    static let patience = Duration.seconds(5)
    /// After so long a silence the connection is given up for another one: what is not answered is sent again there.
    static let limit = Duration.seconds(30)
    /// After so long without a word the daemon is asked for one.
    static let interval = Duration.seconds(15)

    private var lastWord = Duration.zero
    private var owedSince: Duration?
    /// It has been told that the daemon is silent.
    private(set) var isSilenceTold = false

    /// A request has been sent; `isFirst` where the daemon owed nothing before.
    mutating func asked(at now: Duration, isFirst: Bool) {
        if isFirst { owedSince = now }
    }

    /// Something came; whether the daemon was silent until now.
    mutating func heard(at now: Duration, owesMore: Bool) -> Bool {
        lastWord = now
        owedSince = owesMore ? now : nil
        defer { isSilenceTold = false }
        return isSilenceTold
    }

    func isSilent(at now: Duration) -> Bool { owedSince.map { $0 + Self.patience <= now } ?? false }

    /// Whether to give the connection up.
    func isDead(at now: Duration) -> Bool { owedSince.map { $0 + Self.limit <= now } ?? false }

    /// Whether to ask for a word.
    func wantsWord(at now: Duration) -> Bool { owedSince == nil && lastWord + Self.interval <= now }

    /// Whether the silence is news; it is told now.
    mutating func tellSilence(at now: Duration) -> Bool {
        guard isSilent(at: now), !isSilenceTold else { return false }
        isSilenceTold = true
        return true
    }

    /// When to look next.
    var next: Duration {
        guard let owedSince else { return lastWord + Self.interval }
        return owedSince + (isSilenceTold ? Self.limit : Self.patience)
    }
}
