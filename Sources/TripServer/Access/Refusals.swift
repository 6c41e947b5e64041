/// Whose connections have been refused lately, so that the log tells of each once in a while only: a value.
struct Refusals {
    /// How long the log says no more of somebody.
    static let pause = Duration.seconds(60)
    /// People that are told apart; the others are taken together.
    static let maximumNames = 64

    private struct Told {
        var at: Duration
        /// Refused since then.
        var more = 0
    }

    private var told: [String: Told] = [:]

    /// Notes that somebody is refused.
    ///
    /// - Returns: nil where nothing is to be said; else how many more were refused since the last time when it was.
    mutating func note(_ name: String, at now: Duration) -> Int? {
        if told[name] == nil, told.count >= Self.maximumNames {
            told = told.filter { now - $0.value.at < Self.pause }
        }
        let key = told[name] != nil || told.count < Self.maximumNames ? name : ""
        if let last = told[key], now - last.at < Self.pause {
            told[key]?.more += 1
            return nil
        }
        let more = told[key]?.more ?? 0
        told[key] = Told(at: now)
        return more
    }
}
