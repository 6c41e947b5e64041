/// Converts the text of numbers whose form is checked.
package enum JSONNumber {
    /// Ten to this power is the greatest finite one in a double.
    static let safeDecimalExponent = 308

    /// The greatest integer up to which all integers are exact in a double.
    static let largestInteger: UInt64 = (1 << 53) - 1

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    /// The value of decimal digits, at most 2^40. That is far above the length of any document, so it
    /// outweighs any number of zeros after a point.
    static func saturatedValue(ofDigits digits: UnsafeBufferPointer<UInt8>) -> Int {
        digits.reduce(0) { min($0 * 10 + Int($1 - UInt8(ascii: "0")), 1 << 40) }
    }

    /// The value of a number without point or exponent, if it is within ±(2^53 − 1).
    package static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        let isNegative = text.first == UInt8(ascii: "-")
        var magnitude: UInt64 = 0
        for digit in text.dropFirst(isNegative ? 1 : 0) {
            magnitude = magnitude * 10 + UInt64(digit - UInt8(ascii: "0"))
            if magnitude > largestInteger { return nil }
        }
        return isNegative ? -Int(magnitude) : Int(magnitude)
    }

    /// The double nearest to a number; infinite if it exceeds the range.
    ///
    /// - Precondition: `text` is a number of JSON.
    package static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double {
        if let value = shortDouble(text) { return value }
        guard let value = Double(String(decoding: text, as: UTF8.self)) else {
            preconditionFailure("every JSON number is a Swift floating-point text")
        }
        return value
    }

    /// The value of a short number: if its digits as an integer and its power of ten are exact doubles, one
    /// operation gives the correctly rounded result.
    private static func shortDouble(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        var digits: UInt64 = 0
        var power = 0
        var index = 0
        var isFraction = false
        let isNegative = text[0] == UInt8(ascii: "-")
        if isNegative { index = 1 }
        scan: while index < text.count {
            switch text[index] {
            case UInt8(ascii: "."):
                isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                power += exponent(UnsafeBufferPointer(rebasing: text[(index + 1)...]))
                break scan
            case let digit:
                digits = digits * 10 + UInt64(digit - UInt8(ascii: "0"))
                if digits > largestInteger { return nil }
                if isFraction { power -= 1 }
            }
            index += 1
        }
        guard power.magnitude < powersOfTen.count else { return nil }
        let scale = powersOfTen[Int(power.magnitude)]
        let magnitude = power < 0 ? Double(digits) / scale : Double(digits) * scale
        return isNegative ? -magnitude : magnitude
    }

    private static func exponent(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        let isSigned = !isDigit(text[0])
        let magnitude = saturatedValue(ofDigits: UnsafeBufferPointer(rebasing: text[(isSigned ? 1 : 0)...]))
        return text[0] == UInt8(ascii: "-") ? -magnitude : magnitude
    }

    /// The powers of ten that are exact in a double.
    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
}
