/// The count typed before a key.
struct KeyCount: Sendable {
    /// Nil if none was typed.
    private(set) var value: Int?

    /// The maximum, more than any list has rows.
    private static let largest = 99_999

    /// Appends a digit; false for other characters and a leading 0.
    mutating func append(_ scalar: Unicode.Scalar) -> Bool {
        guard (Unicode.Scalar("0")...Unicode.Scalar("9")).contains(scalar) else { return false }
        let digit = Int(scalar.value) - 0x30
        guard value != nil || digit > 0 else { return false }
        value = min((value ?? 0) * 10 + digit, Self.largest)
        return true
    }

    /// Returns the count for the current key and resets it.
    mutating func use() -> Int? {
        defer { value = nil }
        return value
    }

    mutating func clear() { value = nil }
}
