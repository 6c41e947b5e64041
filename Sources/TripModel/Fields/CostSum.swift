/// A sum of money with one amount per currency.
package struct CostSum: Equatable, Sendable {
    private var amounts: [String: Double] = [:]

    package init() {}

    /// Whether no cost was added.
    package var isEmpty: Bool { amounts.isEmpty }

    /// Adds a cost; `usd` and `USD` are one currency, as are `€` and `EUR`.
    package static func += (sum: inout CostSum, cost: Cost) {
        sum.amounts[Currency.code(of: cost.currency), default: 0] += cost.amount
    }

    /// Adds another sum.
    package static func += (sum: inout CostSum, other: CostSum) {
        for (currency, amount) in other.amounts { sum.amounts[currency, default: 0] += amount }
    }

    /// `120 EUR + 450 MXN`, rounded to the minor units of the currencies; empty for an empty sum.
    package var text: String {
        amounts.sorted { $0.key < $1.key }.map { currency, amount in
            var scale = 1.0
            for _ in 0..<Currency.minorUnits(of: currency) { scale *= 10 }
            return CostText.text(of: Cost(amount: (amount * scale).rounded() / scale, currency: currency))
        }.joined(separator: " + ")
    }
}
