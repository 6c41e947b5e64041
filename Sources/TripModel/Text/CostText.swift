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

    /// A cost as it is shown, with the code of its currency: `88,000 JPY`.
    package static func shown(_ cost: Cost) -> String {
        grouped(text(of: Cost(amount: cost.amount, currency: Currency.code(of: cost.currency))))
    }

    /// A text with amounts of money, with commas between thousands: `88,000 JPY + 1,200.50 EUR`.
    package static func grouped(_ text: String) -> String {
        var result = ""
        var digits = ""
        var isFraction = false
        func end() {
            guard !isFraction else { return result += digits }
            for (index, digit) in digits.enumerated() {
                if index > 0, (digits.count - index).isMultiple(of: 3) { result.append(",") }
                result.append(digit)
            }
        }
        for character in text {
            if character.isASCII, character.isNumber {
                digits.append(character)
                continue
            }
            end()
            digits = ""
            isFraction = character == "."
            result.append(character)
        }
        end()
        return result
    }

    /// Reads an amount and a currency, in either order, with a decimal point or comma.
    ///
    /// Three digits after a single separator are thousands if the currency has fewer decimals.
    ///
    /// - Parameter standard: the currency of an amount alone; nil refuses it.
    package static func cost(of text: String, in standard: String? = nil) throws(Fault) -> Cost {
        let isNumeric = { (character: Character) in character.isWholeNumber || "+-.,".contains(character) }
        let number = text.filter(isNumeric)
        guard let start = text.firstIndex(where: isNumeric), text[start...].hasPrefix(number) else {
            throw .unreadable
        }
        let words = (text[..<start] + " " + text[start...].dropFirst(number.count))
            .split(whereSeparator: \.isWhitespace)
        guard let currency = words.first.map(String.init) ?? standard else { throw .unreadable }
        guard words.count <= 1 else { throw .words(words.dropFirst().joined(separator: " ")) }
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

/// Currency codes and their various spellings.
package enum Currency {
    /// Signs, each with the currency that it usually means.
    private static let signs = [
        "€": "EUR", "£": "GBP", "₹": "INR", "₩": "KRW", "₺": "TRY", "₽": "RUB", "₪": "ILS", "₫": "VND",
        "฿": "THB", "₴": "UAH", "₱": "PHP", "₦": "NGN", "₸": "KZT", "₾": "GEL", "zł": "PLN", "kč": "CZK",
        "us$": "USD", "ca$": "CAD", "a$": "AUD", "au$": "AUD", "nz$": "NZD", "hk$": "HKD", "sg$": "SGD",
        "nt$": "TWD", "mx$": "MXN", "r$": "BRL", "円": "JPY", "¥": "JPY", "$": "USD", "euro": "EUR",
        "euros": "EUR",
    ]

    /// ISO 4217 currencies whose number of decimals is not two.
    private static let decimals = [
        "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0, "RWF": 0,
        "UGX": 0, "UYI": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0, "BHD": 3, "IQD": 3, "JOD": 3,
        "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3, "CLF": 4, "UYW": 4,
    ]

    /// The ISO 4217 code for a spelling of a currency, such as `EUR` for `€` and `eur`; an unknown name is
    /// returned unchanged.
    package static func code(of name: String) -> String {
        if let code = signs[name.lowercased()] { return code }
        return isCode(name) ? name.uppercased() : name
    }

    /// Whether a name is three letters, in capitals or not.
    static func isCode(_ name: String) -> Bool {
        name.utf8.count == 3 && name.utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) }
    }

    /// Whether a currency is also written with a sign or a word, such as `€`.
    package static func hasSign(_ code: String) -> Bool { signs.values.contains(code) }

    /// The number of decimals of a currency's minor unit.
    package static func minorUnits(of code: String) -> Int { decimals[code] ?? 2 }
}
