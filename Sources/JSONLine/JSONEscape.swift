/// The escapes of JSON strings, in both directions.
enum JSONEscape {
    /// The unescaped text of the inside of a string, which the parser must have checked.
    static func unescaped(_ raw: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        // An escape is never shorter than its unescaped text.
        [UInt8](unsafeUninitializedCapacity: raw.count) { output, count in
            var index = 0
            while index < raw.count {
                guard raw[index] == UInt8(ascii: "\\") else {
                    output[count] = raw[index]
                    count += 1
                    index += 1
                    continue
                }
                let letter = raw[index + 1]
                index += 2
                guard letter == UInt8(ascii: "u") else {
                    output[count] = byte(forLetter: letter)
                    count += 1
                    continue
                }
                for byte in scalar(in: raw, at: &index).utf8 {
                    output[count] = byte
                    count += 1
                }
            }
        }
    }

    /// The scalar of the escape whose four hexadecimal digits begin at `index`, including the second half of
    /// a surrogate pair.
    private static func scalar(in raw: UnsafeBufferPointer<UInt8>, at index: inout Int) -> Unicode.Scalar {
        let unit = hexUnit(in: raw, at: index)
        index += 4
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let trail = hexUnit(in: raw, at: index + 2)
        index += 6
        let value = 0x1_0000 + UInt32(unit & 0x3FF) << 10 + UInt32(trail & 0x3FF)
        guard let scalar = Unicode.Scalar(value) else {
            preconditionFailure("twenty bits above U+FFFF are always a scalar")
        }
        return scalar
    }

    private static func hexUnit(in raw: UnsafeBufferPointer<UInt8>, at start: Int) -> UInt16 {
        raw[start..<start + 4].reduce(0) { unit, byte in
            guard let digit = HexDigit.value(of: byte) else {
                preconditionFailure("the parser lets no other digits through")
            }
            return unit << 4 | UInt16(digit)
        }
    }

    private static func byte(forLetter letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "r"): 0x0D
        default: letter
        }
    }

    /// Appends the escape of a control byte, a quote or a backslash.
    static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            bytes.append(UInt8(ascii: "u"))
            bytes.append(UInt8(ascii: "0"))
            bytes.append(UInt8(ascii: "0"))
            bytes.append(HexDigit.digit(for: byte >> 4))
            bytes.append(HexDigit.digit(for: byte & 0xF))
        }
    }
}

/// One hexadecimal digit as ASCII.
enum HexDigit {
    static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    static func digit(for value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
