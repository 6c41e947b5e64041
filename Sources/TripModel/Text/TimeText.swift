/// Text forms of times and durations.
package enum TimeText {
    /// The minutes of `90`, `90m`, `1:30`, `1 h 30 min` or `2h`; nil for other text.
    package static func minutes(of text: String) -> Int? {
        let compact = text.lowercased().filter { !$0.isWhitespace }
        let clock = compact.split(separator: ":", omittingEmptySubsequences: false)
        if clock.count == 2, let hours = number(clock[0]), let rest = number(clock[1]), rest < 60 {
            return hours * 60 + rest
        }
        if let minutes = number(compact[...]) { return minutes }
        guard let hourSign = compact.firstIndex(of: "h") else {
            return number(withoutUnit(compact[...]))
        }
        guard let hours = number(compact[..<hourSign]) else { return nil }
        var rest = compact[compact.index(after: hourSign)...]
        if rest.isEmpty { return hours * 60 }
        rest = withoutUnit(rest)
        return number(rest).map { hours * 60 + $0 }
    }

    private static func withoutUnit(_ minutes: Substring) -> Substring {
        minutes.hasSuffix("min") ? minutes.dropLast(3) : minutes.hasSuffix("m") ? minutes.dropLast() : minutes
    }

    /// The time of `19:30`, `9:30`, `19.30`, `1930`, `9`, `7pm`, `7:30 p.m.`, `19.30 Uhr`, `19h30` or `noon`; nil for other text.
    package static func time(of text: String) -> ClockTime? {
        if text.lowercased() == "noon" { return ClockTime(minute: 12 * 60) }
        var rest = text.lowercased()[...]
        func drop(_ word: String) -> Bool {
            guard rest.hasSuffix(word), rest.count > word.count else { return false }
            rest = rest.dropLast(word.count)
            while rest.last?.isWhitespace == true { rest.removeLast() }
            return true
        }
        let half = drop("am") || drop("a.m.") ? "am" : drop("pm") || drop("p.m.") ? "pm" : nil
        if half == nil { _ = drop("uhr") || drop("hrs") || drop("h") }
        var parts = rest.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "." || $0 == "h" }
        if parts.count == 1 {
            parts = (3...4).contains(rest.count) ? [rest.dropLast(2), rest.suffix(2)] : [rest, "00"]
        }
        guard parts.count == 2, parts[1].count == 2, let hour = number(parts[0]),
            let minute = number(parts[1]), half == nil ? hour < 24 : (1...12).contains(hour), minute < 60
        else { return nil }
        guard let half else { return ClockTime(minute: hour * 60 + minute) }
        return ClockTime(minute: (hour % 12 + (half == "pm" ? 12 : 0)) * 60 + minute)
    }

    /// A number of at most seven ASCII digits; nil for other text.
    package static func number(_ digits: Substring) -> Int? {
        guard digits.count <= 7, digits.allSatisfy(\.isASCII) else { return nil }
        return digits.first?.isNumber == true ? Int(digits) : nil
    }
}
