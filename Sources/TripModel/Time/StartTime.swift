/// The local time at which an item begins: on its day, or after the midnight that ends it.
public struct StartTime: Hashable, Comparable, Sendable {
    /// The time on the clock.
    public let clock: ClockTime
    /// Whether it is after the midnight that ends the day.
    public let isLateNight: Bool

    /// Makes a time. From noon on a time is never after midnight.
    public init(_ clock: ClockTime, isLateNight: Bool = false) {
        self.clock = clock
        self.isLateNight = isLateNight && clock.minute < Self.noon
    }

    private static let noon = 12 * 60

    /// Minutes since the midnight with which the day begins, 0 to 2159.
    public var minute: Int { clock.minute + (isLateNight ? 24 * 60 : 0) }

    /// Orders by the day.
    public static func < (left: Self, right: Self) -> Bool { left.minute < right.minute }
}

extension StartTime: CustomStringConvertible {
    /// `19:30`, or `00:30 +1` after midnight.
    public var description: String { isLateNight ? "\(clock) +1" : clock.description }
}

extension StartTime {
    /// Reads a time of `TimeText`, `24:30` to `35:59`, or a time before noon with `+1`; nil for other text.
    package init?(written text: String) {
        let parts = text.split(separator: "+", omittingEmptySubsequences: false)
        if parts.count == 2, parts[1].trimmingPrefix(while: \.isWhitespace) == "1" {
            var time = parts[0]
            while time.last?.isWhitespace == true { time.removeLast() }
            guard let clock = TimeText.time(of: String(time)), clock.minute < Self.noon else { return nil }
            self.init(clock, isLateNight: true)
        } else if let clock = TimeText.time(of: text) {
            self.init(clock)
        } else {
            let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "." }
            guard parts.count == 2, parts[0].count == 2, parts[1].count == 2,
                let hour = TimeText.number(parts[0]),
                (24..<36).contains(hour), let minute = TimeText.number(parts[1]), minute < 60,
                let clock = ClockTime(minute: (hour - 24) * 60 + minute)
            else { return nil }
            self.init(clock, isLateNight: true)
        }
    }

}

extension FieldChange {
    /// The changes that give an item a time, or none.
    package static func start(_ start: StartTime?, of content: ItemContent) -> [FieldChange] {
        let isLate = start?.isLateNight ?? false
        return [FieldChange(.time, (start?.clock).map(FieldValue.time))]
            + (isLate == (content[.lateNight] == .flag(true)) ? [] : [.lateNight(isLate)])
    }
}
