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

extension Identifier {
    /// The id that follows from these texts, of the form of version 8 (RFC 9562): the same ones always give the same
    /// one. It is spread evenly but no secret: who chooses the texts can make two alike.
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
            // What follows is another text.
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
        var high: UInt64 = 0
        var low: UInt64 = 0
        var digits = 0
        for (offset, byte) in bytes.enumerated() {
            if offset == 8 || offset == 13 || offset == 18 || offset == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            default: return nil
            }
            if digits < 16 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
            digits += 1
        }
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
            var rest = high
            for offset in 0..<36 {
                if offset == 8 || offset == 13 || offset == 18 || offset == 23 {
                    text[offset] = UInt8(ascii: "-")
                    if offset == 18 { rest = low }
                    continue
                }
                let digit = UInt8(truncatingIfNeeded: rest >> 60)
                // Without a branch, which for digits at random is guessed wrong every third time.
                let isLetter = (9 &- digit) >> 7
                text[offset] =
                    UInt8(ascii: "0") + digit + isLetter * (UInt8(ascii: "a") - UInt8(ascii: "9") - 1)
                rest <<= 4
            }
            bytes.append(contentsOf: text)
        }
    }
}
