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
