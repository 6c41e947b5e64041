/// Text forms of costs.
package enum CostText {
    /// Why a text is not a cost.
    package enum Fault: Error, Equatable {
        /// The text is not an amount with a currency.
        case unreadable
        /// Words besides the amount and the currency.
        case words(String)
        /// The comma may separate thousands or decimals; contains both readings in an unambiguous form.
        case ambiguous([String])

        /// The mistake in the text, and its correction.
        package var reason: String {
            switch self {
            case .unreadable: "a cost is like 12.50 EUR"
            case .words(let words): "a cost is one amount and one currency, without “\(words)”"
            case .ambiguous(let readings):
                "write \(readings.joined(separator: " or ")): the comma may mean either"
            }
        }
    }

    /// `12.50 EUR`, `12 EUR`, `900 JPY`: a broken amount has at least the decimals of its currency.
    package static func text(of cost: Cost) -> String {
        var number = DecimalText.text(of: cost.amount)
        let decimals = decimals(of: cost.currency)
        if let point = number.firstIndex(of: ".") {
            let missing = decimals - number[point...].utf8.count + 1
            number += String(repeating: "0", count: max(0, missing))
        }
        // Three decimals would be read as thousands.
        let isReadBack = readings(of: number, decimals: decimals) == [number]
        return "\(number)\(isReadBack ? "" : "0") \(cost.currency)"
    }

    /// Reads an amount and a currency, in either order, with a decimal point or comma.
    ///
    /// Three digits after a single separator are thousands if the currency has fewer decimals.
    package static func cost(of text: String) throws(Fault) -> Cost {
        let isNumeric = { (character: Character) in character.isWholeNumber || "+-.,".contains(character) }
        let number = text.filter(isNumeric)
        guard let start = text.firstIndex(where: isNumeric), text[start...].hasPrefix(number) else {
            throw .unreadable
        }
        let words = (text[..<start] + " " + text[start...].dropFirst(number.count))
            .split(whereSeparator: \.isWhitespace)
        guard let currency = words.first.map(String.init) else { throw .unreadable }
        guard words.count == 1 else { throw .words(words.dropFirst().joined(separator: " ")) }
        let readings = readings(of: number, decimals: decimals(of: currency))
        guard readings.count < 2 else { throw .ambiguous(readings.map { "\($0) \(currency)" }) }
        guard let amount = readings.first.flatMap({ DecimalText.number(of: $0) }) else { throw .unreadable }
        return Cost(amount: amount, currency: currency)
    }

    private static func decimals(of currency: String) -> Int {
        Currency.minorUnits(of: Currency.code(of: currency))
    }

    /// The possible readings of an amount, without thousands separators; empty if it is not a number.
    private static func readings(of number: String, decimals: Int) -> [String] {
        let signs = number.filter { ".,".contains($0) }
        guard let last = signs.last else { return [number] }
        let parts = number.split(omittingEmptySubsequences: false) { ".,".contains($0) }
        let whole = parts.joined()
        let decimal = parts.dropLast().joined() + "." + parts[parts.count - 1]
        let hasGroups = isGroup(parts[parts.count - 1]) && isFirstGroup(parts[0])
        switch signs.count {
        case 1:
            guard hasGroups else { return [decimal] }
            if decimals < 3 { return [whole] }
            return last == "," ? [whole, decimal] : [decimal]
        case _ where Set(signs).count == 1:
            return hasGroups && parts.dropFirst().allSatisfy(isGroup) ? [whole] : []
        default:
            let groups = parts.dropFirst().dropLast()
            let isPlain = isFirstGroup(parts[0]) && groups.allSatisfy(isGroup)
            return isPlain && !signs.dropLast().contains(last) ? [decimal] : []
        }
    }

    private static func isGroup(_ part: Substring) -> Bool { part.count == 3 }

    private static func isFirstGroup(_ part: Substring) -> Bool {
        let digits = part.drop { "+-".contains($0) }
        return (1...3).contains(digits.count) && digits.first != "0"
    }
}
