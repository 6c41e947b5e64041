/// Finds the next significant byte, eight bytes at a time.
///
/// The masks mark a byte by its top bit. A borrow can set false marks, but only above a correct one, so the
/// lowest mark is always correct.
package enum ByteScan {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    /// The index of the first newline at or after `start`; nil if there is none.
    package static func firstNewline(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        let index = scan(bytes, from: start) {
            mask(of: $0, equalTo: UInt8(ascii: "\n")) & tops
        } isStop: {
            $0 == UInt8(ascii: "\n")
        }
        return index < bytes.count ? index : nil
    }

    /// True if the bytes contain a newline.
    package static func hasNewline(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { firstNewline(in: $0, from: 0) != nil }
    }

    /// The first byte at or after `start` that ends a run of plain ASCII inside a JSON string: a quote, a
    /// backslash, a control byte or a byte of a longer UTF-8 sequence; the end if there is none.
    @inline(__always)
    static func endOfPlainText(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        scan(bytes, from: start) {
            (escapeMask(of: $0) | $0) & tops
        } isStop: {
            needsEscape($0) || $0 >= 0x80
        }
    }

    /// The first byte at or after `start` that must be escaped in a JSON string; the end if there is none.
    @inline(__always)
    static func endOfUnescapedText(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        scan(bytes, from: start) {
            escapeMask(of: $0) & ~$0 & tops
        } isStop: {
            needsEscape($0)
        }
    }

    @inline(__always)
    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    @inline(__always)
    private static func scan(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, mask: (UInt64) -> UInt64,
        isStop: (UInt8) -> Bool
    ) -> Int {
        let raw = UnsafeRawBufferPointer(bytes)
        var index = start
        while index + 8 <= bytes.count {
            let marks = mask(UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
            if marks != 0 { return index + marks.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < bytes.count, !isStop(bytes[index]) { index += 1 }
        return index
    }

    /// Top bits (and others, to be masked away) set for ASCII bytes that are a control, a quote or a backslash.
    @inline(__always)
    private static func escapeMask(of word: UInt64) -> UInt64 {
        (word &- ones &* 0x20) & ~word
            | mask(of: word, equalTo: UInt8(ascii: "\""))
            | mask(of: word, equalTo: UInt8(ascii: "\\"))
    }

    @inline(__always)
    private static func mask(of word: UInt64, equalTo byte: UInt8) -> UInt64 {
        let difference = word ^ (ones &* UInt64(byte))
        return (difference &- ones) & ~difference
    }
}

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
