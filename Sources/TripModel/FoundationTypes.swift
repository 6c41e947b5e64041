import Foundation

// Conversions to and from the types of Foundation.

extension Identifier {
    /// The id with the bits of a UUID.
    public init(_ uuid: UUID) {
        let bytes = withUnsafeBytes(of: uuid.uuid) { Array($0) }
        func half(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: half(bytes[..<8]), low: half(bytes[8...]))
    }
}

extension UUID {
    /// The UUID with the bits of an id.
    public init<Subject>(_ id: Identifier<Subject>) {
        let (high, low) = (id.high.bigEndian, id.low.bigEndian)
        self = withUnsafeBytes(of: (high, low)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}

extension Timestamp {
    /// The moment of a date, to the millisecond, clamped to `writable`.
    public init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        self.init(milliseconds: Int64(exactly: milliseconds) ?? (milliseconds > 0 ? .max : .min))
    }
}

extension Date {
    /// The date of a moment.
    public init(_ moment: Timestamp) {
        self.init(timeIntervalSince1970: Double(moment.milliseconds) / 1000)
    }

    /// The date of a moment, such as the start of a game.
    public init(_ moment: OffsetDateTime) {
        self.init(timeIntervalSince1970: Double(moment.secondsSince1970))
    }
}

extension DateComponents {
    /// The year, month and day of a date of the Gregorian calendar.
    public init(_ date: CalendarDate) { self.init(year: date.year, month: date.month, day: date.day) }

    /// The hour and minute of a time.
    public init(_ time: ClockTime) { self.init(hour: time.minute / 60, minute: time.minute % 60) }
}
