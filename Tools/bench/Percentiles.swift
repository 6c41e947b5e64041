/// The median and the 95th percentile of a set of times, in microseconds.
struct Percentiles {
    let p50: Double
    let p95: Double
    let p99: Double

    /// Percentiles of at least one time in nanoseconds.
    init(_ nanoseconds: [Int64]) {
        precondition(!nanoseconds.isEmpty, "something was measured")
        let sorted = nanoseconds.sorted()
        func at(_ share: Double) -> Double {
            Double(sorted[Int(Double(sorted.count - 1) * share)]) / 1000
        }
        (p50, p95, p99) = (at(0.5), at(0.95), at(0.99))
    }

    /// The medians of the percentiles of all rounds.
    init(mediansOf rounds: [Percentiles]) {
        p50 = rounds.map(\.p50).median
        p95 = rounds.map(\.p95).median
        p99 = rounds.map(\.p99).median
    }
}

extension [Double] {
    /// The middle value, or the mean of two; there must be at least one.
    var median: Double {
        precondition(!isEmpty, "something was measured")
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
