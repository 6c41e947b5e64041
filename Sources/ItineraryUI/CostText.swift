import TripModel

/// Amounts of money as people write them.
enum CostText {
    /// `12.5 EUR`
    static func text(of cost: Cost) -> String {
        let whole = cost.amount.rounded() == cost.amount && cost.amount.magnitude < 1e15
        return (whole ? "\(Int(cost.amount))" : "\(cost.amount)") + " \(cost.currency)"
    }

    /// An amount and its currency, in either order; nil if one is missing.
    static func cost(of text: String) -> Cost? {
        let isNumeric = { (character: Character) in character.isWholeNumber || "+-.,".contains(character) }
        let number = text.filter(isNumeric)
        let currency = text.filter { !isNumeric($0) && !$0.isWhitespace }
        guard let start = text.firstIndex(where: isNumeric), text[start...].hasPrefix(number),
            let amount = Double(number.replacing(",", with: ".")), amount.isFinite, !currency.isEmpty
        else { return nil }
        return Cost(amount: amount, currency: currency)
    }
}
