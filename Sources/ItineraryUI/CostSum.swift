import TripModel

/// Amounts of money added up, each currency for itself.
struct CostSum: Equatable, Sendable {
    private var amounts: [String: Double] = [:]

    var isEmpty: Bool { amounts.isEmpty }

    static func += (sum: inout CostSum, cost: Cost) {
        sum.amounts[cost.currency, default: 0] += cost.amount
    }

    static func += (sum: inout CostSum, other: CostSum) {
        for (currency, amount) in other.amounts { sum.amounts[currency, default: 0] += amount }
    }

    /// `120 EUR + 450 MXN`, to the hundredth; empty where there is nothing.
    var text: String {
        amounts.sorted { $0.key < $1.key }
            .map { CostText.text(of: Cost(amount: ($0.value * 100).rounded() / 100, currency: $0.key)) }
            .joined(separator: " + ")
    }
}
