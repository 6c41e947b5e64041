/// The number that is typed in front of a key.
struct KeyCount: Sendable {
    /// Nil while there is none.
    private(set) var value: Int?

    /// The most that it can be: more than any list has rows.
    private static let largest = 99_999

    /// Appends a digit; false if it is not a digit, or a leading 0.
    mutating func append(_ scalar: Unicode.Scalar) -> Bool {
        guard (Unicode.Scalar("0")...Unicode.Scalar("9")).contains(scalar) else { return false }
        let digit = Int(scalar.value) - 0x30
        guard value != nil || digit > 0 else { return false }
        value = min((value ?? 0) * 10 + digit, Self.largest)
        return true
    }

    /// The number for the key that is pressed now; the next key has none.
    mutating func use() -> Int? {
        defer { value = nil }
        return value
    }

    mutating func clear() { value = nil }
}
