/// Well-formed UTF-8 by the Unicode Standard (table 3-7): no overlong forms, no surrogates, nothing above
/// U+10FFFF, and nothing truncated.
enum UTF8Sequence {
    /// The length of the well-formed sequence of two to four bytes that begins at `start`, or nil if there is none.
    static func length(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        let length: Int
        let second: ClosedRange<UInt8>
        switch bytes[start] {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard start + length <= bytes.count, second.contains(bytes[start + 1]) else { return nil }
        for index in start + 2..<start + length where bytes[index] & 0xC0 != 0x80 { return nil }
        return length
    }
}
