/// Detects a daemon that does not answer on a connection.
struct Pulse: Sendable {
    /// The time without an answer after which the daemon counts as silent.
    static let timeout = Duration.seconds(5)
    /// The time without an answer after which the client reconnects and sends unanswered requests again.
    static let limit = Duration.seconds(30)
    /// The time without any message after which the client sends a ping.
    static let interval = Duration.seconds(15)

    private var lastMessage = Duration.zero
    private var unansweredSince: Duration?
    /// The silence was reported.
    private(set) var isSilenceReported = false

    /// Records a request; `isFirst` if nothing else was unanswered.
    mutating func asked(at now: Duration, isFirst: Bool) {
        if isFirst { unansweredSince = now }
    }

    /// Records a received message. Returns whether the daemon was silent before.
    mutating func received(at now: Duration, hasUnanswered: Bool) -> Bool {
        lastMessage = now
        unansweredSince = hasUnanswered ? now : nil
        defer { isSilenceReported = false }
        return isSilenceReported
    }

    func isSilent(at now: Duration) -> Bool { unansweredSince.map { $0 + Self.timeout <= now } ?? false }

    /// True if the connection should be replaced.
    func isDead(at now: Duration) -> Bool { unansweredSince.map { $0 + Self.limit <= now } ?? false }

    /// True if a ping should be sent.
    func wantsPing(at now: Duration) -> Bool { unansweredSince == nil && lastMessage + Self.interval <= now }

    /// True once when the daemon becomes silent.
    mutating func reportSilence(at now: Duration) -> Bool {
        guard isSilent(at: now), !isSilenceReported else { return false }
        isSilenceReported = true
        return true
    }

    /// The time of the next check.
    var next: Duration {
        guard let unansweredSince else { return lastMessage + Self.interval }
        return unansweredSince + (isSilenceReported ? Self.limit : Self.timeout)
    }
}
