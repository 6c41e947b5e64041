/// A local time of day, to the minute: `19:30`.
public struct ClockTime: Hashable, Comparable, Sendable {
    /// Minutes since midnight, 0 to 1439.
    public let minute: Int

    /// Makes a time; nil unless the minute is in 0…1439.
    public init?(minute: Int) {
        guard (0..<24 * 60).contains(minute) else { return nil }
        self.minute = minute
    }

    /// Orders by the clock.
    public static func < (left: Self, right: Self) -> Bool { left.minute < right.minute }
}

extension ClockTime: LosslessStringConvertible {
    /// Reads `HH:MM` with two digits each, 00:00 to 23:59; nil for anything else.
    public init?(_ description: String) {
        var scanner = DigitScanner(description)
        guard let hour = scanner.number(digits: 2), scanner.skip(":"), let minute = scanner.number(digits: 2),
            scanner.isAtEnd, hour < 24, minute < 60
        else { return nil }
        self.init(minute: hour * 60 + minute)
    }

    /// `HH:MM`
    public var description: String {
        let parts = [minute / 60, minute % 60]
        return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
