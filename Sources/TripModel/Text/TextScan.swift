/// Checks a text scalar by scalar for characters that another user must not get: terminal controls,
/// bidirectional overrides and invisible characters. Newlines are checked elsewhere.
package struct TextScan: Sendable {
    /// The number of tag characters that may follow; they occur only in flags, such as England's.
    private var tagsLeft = 0

    /// The maximum number of tag characters in one flag.
    private static let tags = 8

    /// False for stored text, to which the weaker rules of protocol 1.0 apply.
    private let isNew: Bool

    /// Starts a scan.
    ///
    /// - Parameter isNew: false for stored text, to which the weaker rules of protocol 1.0 apply.
    package init(isNew: Bool = true) { self.isNew = isNew }

    /// Whether the next scalar is allowed. A forbidden one does not change the state: text without it is
    /// allowed.
    package mutating func allows(_ scalar: Unicode.Scalar) -> Bool {
        var next = self
        guard next.accepts(scalar) else { return false }
        self = next
        return true
    }

    /// Resets the state after a forbidden scalar was replaced by other text.
    package mutating func standsApart() { self = TextScan(isNew: isNew) }

    private mutating func accepts(_ scalar: Unicode.Scalar) -> Bool {
        let tags = tagsLeft
        tagsLeft = 0
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: return false
        case _ where !isNew: break
        case 0x206A...0x206F, 0xFFF9...0xFFFB: return false
        case 0x1F3F4: tagsLeft = Self.tags
        case 0xE0020...0xE007F:
            tagsLeft = max(0, tags - 1)
            return tags > 0
        case 0xE0000...0xE001F: return false
        default: break
        }
        return true
    }
}

/// Decimal numbers with at most one point and no exponent.
///
/// `Double` also reads `0x10`, `1e3`, `inf` and `nan`, which are not amounts or coordinates.
package enum DecimalText {
    /// Reads a number such as `-12.50`; nil for other text and if the number is too large.
    package static func number(of text: some StringProtocol) -> Double? {
        var digits = text.utf8[...]
        if digits.first == UInt8(ascii: "-") || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
        let pieces = digits.split(
            separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard pieces.contains(where: { !$0.isEmpty }),
            pieces.allSatisfy({ $0.allSatisfy { (0x30...0x39).contains($0) } }),
            let number = Double(String(text)), number.isFinite
        else { return nil }
        return number
    }

    /// The shortest text that reads back as the same number, which must be finite.
    package static func text(of number: Double) -> String {
        if number.magnitude < 0x1p53, number == number.rounded() { return String(Int(number)) }
        let text = number.description
        guard let mark = text.firstIndex(of: "e"), let exponent = Int(text[text.index(after: mark)...]) else {
            return text
        }
        // One digit is before the point.
        let digits = text[..<mark].filter(\.isWholeNumber)
        let sign = number < 0 ? "-" : ""
        func zeros(_ count: Int) -> String { String(repeating: "0", count: max(0, count)) }
        return exponent < 0
            ? sign + "0." + zeros(-exponent - 1) + digits
            : sign + digits + zeros(exponent + 1 - digits.count)
    }
}
