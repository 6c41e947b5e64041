import TripModel

/// Amounts of money as people write them.
enum CostText {
    /// Why a text is no cost.
    enum Fault: Error, Equatable {
        /// It is no amount and its currency.
        case unreadable
        /// It has signs between thousands, or what may be one; what it may mean, each as it is to be written.
        case grouped([String])

        /// What is wrong, and what would be right.
        var reason: String {
            switch self {
            case .unreadable: "a cost is like 12.50 EUR"
            case .grouped(let meanings) where meanings.count > 1:
                "write \(meanings.joined(separator: " or ")): the comma may mean either"
            case .grouped(let meanings): "write \(meanings.joined()), without signs between thousands"
            }
        }
    }

    /// `12.5 EUR`
    static func text(of cost: Cost) -> String { "\(DecimalText.text(of: cost.amount)) \(cost.currency)" }

    /// An amount and its currency, in either order; the amount with a point or a comma before its decimals.
    ///
    /// What some countries read as thousands and others as decimals is nobody's to guess.
    static func cost(of text: String) throws(Fault) -> Cost {
        let isNumeric = { (character: Character) in character.isWholeNumber || "+-.,".contains(character) }
        let number = text.filter(isNumeric)
        let currency = text.filter { !isNumeric($0) && !$0.isWhitespace }
        guard let start = text.firstIndex(where: isNumeric), text[start...].hasPrefix(number),
            !currency.isEmpty
        else { throw .unreadable }
        let meanings = meanings(of: number)
        guard let amount = meanings.first.flatMap({ DecimalText.number(of: $0) }) else { throw .unreadable }
        guard meanings.count == 1, amount == DecimalText.number(of: number.replacing(",", with: ".")) else {
            throw .grouped(meanings.map { "\($0) \(currency)" })
        }
        return Cost(amount: amount, currency: currency)
    }

    /// What an amount may mean, as it would be written without signs between thousands; nothing where it makes no sense.
    private static func meanings(of number: String) -> [String] {
        let marks = number.filter { ".,".contains($0) }
        guard let last = marks.last else { return [number] }
        let parts = number.split(omittingEmptySubsequences: false) { ".,".contains($0) }
        let decimal = parts.dropLast().joined() + "." + parts[parts.count - 1]
        let hasGroups = isGroup(parts[parts.count - 1]) && isFirstGroup(parts[0])
        switch marks.count {
        case 1: return last == "," && hasGroups ? [parts.joined(), decimal] : [decimal]
        case _ where Set(marks).count == 1:
            return hasGroups && parts.dropFirst().allSatisfy(isGroup) ? [parts.joined()] : []
        default:
            let groups = parts.dropFirst().dropLast()
            let isPlain = isFirstGroup(parts[0]) && groups.allSatisfy(isGroup)
            return isPlain && !marks.dropLast().contains(last) ? [decimal] : []
        }
    }

    private static func isGroup(_ part: Substring) -> Bool { part.count == 3 }

    private static func isFirstGroup(_ part: Substring) -> Bool {
        let digits = part.drop { "+-".contains($0) }
        return (1...3).contains(digits.count) && digits.first != "0"
    }
}
