/// A position in a journal's bytes that parses the format's fields. A mismatch leaves the position undefined.
struct JournalCursor {
    let bytes: UnsafeBufferPointer<UInt8>
    var position: Int

    /// Steps over `byte` if it is next.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// True if `word` is next.
    func isAt(_ word: [UInt8]) -> Bool { bytes[position...].starts(with: word) }

    /// Steps over `word` if it is next.
    mutating func skip(_ word: [UInt8]) -> Bool {
        guard bytes.count - position >= word.count else { return false }
        for byte in word where !skip(byte) { return false }
        return true
    }

    /// A decimal number without sign or leading zeros, up to the greatest version.
    mutating func decimal() -> Int? {
        let start = position
        var number = 0
        while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
            number = number * 10 + Int(digit)
            if number > JournalFormat.maximumVersion { return nil }
            position += 1
        }
        let hasLeadingZero = position - start > 1 && bytes[start] == UInt8(ascii: "0")
        return position == start || hasLeadingZero ? nil : number
    }

    /// Eight lower-case hexadecimal digits.
    mutating func checksum() -> UInt32? {
        guard bytes.count - position >= 8 else { return nil }
        var value: UInt32 = 0
        for byte in bytes[position..<position + 8] {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            default: return nil
            }
            value = value << 4 | UInt32(digit)
        }
        position += 8
        return value
    }

    /// The bytes up to the next blank or newline; nil if there are none or more than `limit`.
    mutating func word(limit: Int) -> UnsafeBufferPointer<UInt8>? {
        let start = position
        while position < bytes.count, bytes[position] != .space, bytes[position] != .newline {
            if position - start == limit { return nil }
            position += 1
        }
        return position == start ? nil : UnsafeBufferPointer(rebasing: bytes[start..<position])
    }

    /// The bytes of a range, for a checksum.
    func raw(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[range])
    }
}
