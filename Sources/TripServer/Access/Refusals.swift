/// Limits the log lines about refused connections to one per account and minute.
struct Refusals {
    /// The minimum time between two log lines about the same name.
    static let pause = Duration.seconds(60)
    /// The maximum number of names tracked separately; all others share one entry.
    static let maximumNames = 64

    private struct LogEntry {
        var at: Duration
        /// The number of refusals since then.
        var more = 0
    }

    private var entries: [String: LogEntry] = [:]

    /// Records a refusal.
    ///
    /// - Returns: nil if nothing must be logged now; otherwise the number of refusals since the last log line.
    mutating func note(_ name: String, at now: Duration) -> Int? {
        if entries[name] == nil, entries.count >= Self.maximumNames {
            entries = entries.filter { now - $0.value.at < Self.pause }
        }
        let key = entries[name] != nil || entries.count < Self.maximumNames ? name : ""
        if let last = entries[key], now - last.at < Self.pause {
            entries[key]?.more += 1
            return nil
        }
        let more = entries[key]?.more ?? 0
        entries[key] = LogEntry(at: now)
        return more
    }
}
