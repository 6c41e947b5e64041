/// A UUID with lower-case text.
///
/// The type parameter separates trip ids from item ids. Ids are ordered by their bits, which is also the byte
/// order of their text (R-FLAT-02): hyphens have fixed places, and `0`…`9` sort before `a`…`f`.
public struct Identifier<Subject>: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    /// Makes an id from its two halves, most significant first.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Makes the id of another subject with the same bits.
    package init<Other>(_ other: Identifier<Other>) { self.init(high: other.high, low: other.low) }

    /// Makes a random (version 4) id.
    public static func random(using generator: inout some RandomNumberGenerator) -> Self {
        ofVersion4(generator.next(), generator.next())
    }

    /// Makes a random (version 4) id from the system's generator.
    public static func random() -> Self {
        ofVersion4(.random(in: .min ... .max), .random(in: .min ... .max))
    }

    private static func ofVersion4(_ high: UInt64, _ low: UInt64) -> Self {
        Self(
            high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000,
            low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }
}

extension Identifier {
    /// An id derived from texts (version 8 of RFC 9562): equal texts give equal ids. Well distributed, but
    /// not cryptographic: collisions can be constructed.
    package init(derivedFrom texts: [String]) {
        var (high, low): (UInt64, UInt64) = (0xcbf2_9ce4_8422_2325, 0x6c62_272e_07bb_0142)
        func mixed(_ value: UInt64) -> UInt64 {
            var value = value
            value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
            value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
            return value ^ (value >> 31)
        }
        for text in texts {
            for byte in text.utf8 {
                high = (high ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
                low = mixed(low &+ UInt64(byte) &+ 0x9e37_79b9_7f4a_7c15)
            }
            // Separates this text from the next.
            high = mixed(high &+ UInt64(text.utf8.count))
            low = mixed(low ^ high)
        }
        self.init(
            high: (mixed(high) & 0xFFFF_FFFF_FFFF_0FFF) | 0x8000,
            low: (low & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000)
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
        // Eight or four digits at a time, between the hyphens.
        let text = UnsafeRawBufferPointer(bytes)
        func eight(_ offset: Int) -> UInt64 {
            UInt64(littleEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        func four(_ offset: Int) -> UInt64 {
            UInt64(UInt32(littleEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        }
        guard let high = HexDigits.number(eight(0), four(9) | four(14) << 32),
            let low = HexDigits.number(four(19) | four(24) << 32, eight(28))
        else { return nil }
        self.init(high: high, low: low)
    }

    /// Characters of the text form.
    package static var textBytes: Int { 36 }

    /// The lower-case text form, 36 characters.
    public var description: String {
        let bytes = [UInt8](capacity: Self.textBytes) { append(to: &$0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the bytes of the text form. The span must have room for them.
    package func append(to bytes: inout OutputSpan<UInt8>) {
        let (first, second) = HexDigits.text(of: high)
        let (third, fourth) = HexDigits.text(of: low)
        let start = bytes.count
        bytes.append(repeating: UInt8(ascii: "-"), count: Self.textBytes)
        // Eight or four digits at a time, between the hyphens.
        var span = bytes.mutableSpan
        var text = span.mutableBytes
        text.storeBytes(of: first.littleEndian, toByteOffset: start, as: UInt64.self)
        text.storeBytes(of: lower(second), toByteOffset: start + 9, as: UInt32.self)
        text.storeBytes(of: lower(second >> 32), toByteOffset: start + 14, as: UInt32.self)
        text.storeBytes(of: lower(third), toByteOffset: start + 19, as: UInt32.self)
        text.storeBytes(of: lower(third >> 32), toByteOffset: start + 24, as: UInt32.self)
        text.storeBytes(of: fourth.littleEndian, toByteOffset: start + 28, as: UInt64.self)
        func lower(_ digits: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: digits).littleEndian }
    }
}

/// Converts sixteen hexadecimal digits at a time.
private enum HexDigits {
    /// The sixteen digits of a number as text, eight bytes in each half, the first of them lowest.
    static func text(of number: UInt64) -> (UInt64, UInt64) {
        (text(of: UInt32(truncatingIfNeeded: number >> 32)), text(of: UInt32(truncatingIfNeeded: number)))
    }

    private static func text(of number: UInt32) -> UInt64 {
        // Each digit in a byte of its own, the most significant one lowest.
        var digits = UInt64(number.byteSwapped)
        digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits >> 4 | digits << 8) & 0x0F0F_0F0F_0F0F_0F0F
        // Adding 6 carries into the high half of a byte if the digit is a letter; then 39 are between "9" and
        // "a".
        let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return digits &+ 0x3030_3030_3030_3030 &+ letters &* 39
    }

    /// The number with these sixteen digits, eight bytes in each half, the first of them lowest; nil if one
    /// is not a lower-case digit.
    static func number(_ first: UInt64, _ second: UInt64) -> UInt64? {
        let number = UInt64(digits(of: first)) << 32 | UInt64(digits(of: second))
        // Any other byte was read as some digit. Then the text of the number differs.
        return text(of: number) == (first, second) ? number : nil
    }

    private static func digits(of text: UInt64) -> UInt32 {
        // A letter's low half counts from 1, and a letter has a bit that no decimal digit has.
        let letters = text >> 6 & 0x0101_0101_0101_0101
        var digits = (text &+ letters &* 9) & 0x0F0F_0F0F_0F0F_0F0F
        // The most significant digit is in the lowest byte. Joins digits to bytes, these to pairs, and pairs
        // to four.
        digits = (digits << 4 | digits >> 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits | digits >> 8) & 0x0000_FFFF_0000_FFFF
        return UInt32(truncatingIfNeeded: digits | digits >> 16).byteSwapped
    }
}
