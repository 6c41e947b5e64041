/// A UUID that names one subject, as 128 bits; its text is always lower case.
///
/// The type parameter keeps trips' ids and items' ids apart. Ids order by their bits, which is the order of the
/// UTF-8 bytes of their text (R-FLAT-02): hyphens stand at the same places and `0`…`9` come before `a`…`f`.
public struct Identifier<Subject>: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    /// Makes an id from its two halves, most significant first.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Makes a random (version 4) id.
    public static func random(using generator: inout some RandomNumberGenerator) -> Self {
        let high = (generator.next() & 0xFFFF_FFFF_FFFF_0FFF) | 0x4000
        let low = (generator.next() & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
        return Self(high: high, low: low)
    }

    /// Makes a random (version 4) id from the system's generator.
    public static func random() -> Self {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }
}

/// Names a trip.
public typealias TripID = Identifier<Trip>
/// Names an item, unique within its trip.
public typealias ItemID = Identifier<Item>

extension Identifier: Comparable {
    /// Orders by the bytes of the text form.
    public static func < (left: Self, right: Self) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension Identifier: LosslessStringConvertible {
    /// Reads the lower-case form `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`; nil for anything else.
    public init?(_ description: String) {
        var text = description
        let parsed: Self? = text.withUTF8 { Self(utf8: $0) }
        guard let parsed else { return nil }
        self = parsed
    }

    /// Reads the 36 bytes of the lower-case form; nil for anything else.
    public init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count == 36 else { return nil }
        let hyphen = UInt8(ascii: "-")
        guard bytes[8] == hyphen, bytes[13] == hyphen, bytes[18] == hyphen, bytes[23] == hyphen else {
            return nil
        }
        // Every digit is looked up, and what is none is found at the end: 32 guards would each be a branch.
        var high: UInt64 = 0
        var low: UInt64 = 0
        var isWrong: UInt8 = 0
        func take(_ range: Range<Int>, _ half: inout UInt64) {
            for offset in range {
                let value = HexDigits.value(of: bytes[offset])
                isWrong |= value & 0xF0
                half = half << 4 | UInt64(value & 0x0F)
            }
        }
        take(0..<8, &high)
        take(9..<13, &high)
        take(14..<18, &high)
        take(19..<23, &low)
        take(24..<36, &low)
        guard isWrong == 0 else { return nil }
        self.init(high: high, low: low)
    }

    /// The lower-case text form, 36 characters.
    public var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the 36 bytes of the text form.
    package func append(to bytes: inout [UInt8]) {
        // All at once: byte by byte the array would be asked for room 36 times.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { text in
            let hyphen = UInt8(ascii: "-")
            func put(_ digits: UInt64, at offset: Int, _ count: Int) {
                for place in 0..<count {
                    text[offset + place] = UInt8(truncatingIfNeeded: digits >> (8 * place))
                }
            }
            let (first, second) = HexDigits.text(of: high)
            let (third, fourth) = HexDigits.text(of: low)
            put(first, at: 0, 8)
            text[8] = hyphen
            put(second, at: 9, 4)
            text[13] = hyphen
            put(second >> 32, at: 14, 4)
            text[18] = hyphen
            put(third, at: 19, 4)
            text[23] = hyphen
            put(third >> 32, at: 24, 4)
            put(fourth, at: 28, 8)
            bytes.append(contentsOf: text)
        }
    }
}

/// Hexadecimal digits, eight at a time.
private enum HexDigits {
    /// The sixteen digits of a number as text, eight bytes in each half, the first of them lowest.
    static func text(of number: UInt64) -> (UInt64, UInt64) {
        (text(of: UInt32(truncatingIfNeeded: number >> 32)), text(of: UInt32(truncatingIfNeeded: number)))
    }

    private static func text(of number: UInt32) -> UInt64 {
        // Each digit to a byte of its own, the most significant lowest.
        var digits = UInt64(number.byteSwapped)
        digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits >> 4 | digits << 8) & 0x0F0F_0F0F_0F0F_0F0F
        // Six more than a digit goes over 15 where it is a letter; then 39 lie between "9" and "a".
        let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return digits &+ 0x3030_3030_3030_3030 &+ letters &* 39
    }

    /// What a lower-case digit counts, 0 to 15; above that for what is none.
    static func value(of byte: UInt8) -> UInt8 {
        let (decimal, letter) = (byte &- UInt8(ascii: "0"), byte &- UInt8(ascii: "a"))
        if decimal < 10 { return decimal }
        return letter < 6 ? letter + 10 : 0xFF
    }
}
