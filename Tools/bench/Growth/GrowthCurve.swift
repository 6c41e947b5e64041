/// The cost of a move and the daemon's memory, as a function of one size.
struct GrowthCurve {
    /// The measurement of one daemon.
    struct Sample {
        /// The size.
        let size: Int
        /// The daemon's CPU time per move in µs; nil if the system does not report it.
        let cost: Double?
        /// The daemon's memory after the moves, in megabytes of 10^6 bytes; nil if unknown.
        let memory: Double?
        /// The cost of copying as many bytes to as many sockets in µs; nil if nothing is copied.
        var copies: Double?
    }

    /// The name of the size.
    let title: String
    /// The samples of each round, in ascending order of the sizes.
    let rounds: [[Sample]]

    /// The medians of all rounds.
    var points: [Sample] {
        rounds[0].indices.map { index in
            let samples = rounds.map { $0[index] }
            return Sample(
                size: samples[0].size, cost: Self.median(samples.map(\.cost)),
                memory: Self.median(samples.map(\.memory)), copies: Self.median(samples.map(\.copies)))
        }
    }

    var table: Table {
        var table = Table(name: title, columns: ["CPU µs a move", "× first", "copies µs", "MB"])
        let points = points
        for point in points {
            let ratio = point.cost.flatMap { cost in points[0].cost.map { cost / $0 } }
            table.rows.append(
                (
                    "\(point.size)",
                    [
                        .init(point.cost, decimals: 1), .init(ratio, decimals: 2),
                        .init(point.copies, decimals: 1),
                        .init(point.memory, decimals: 1),
                    ]
                ))
        }
        return table
    }

    private static func median(_ values: [Double?]) -> Double? {
        let known = values.compactMap(\.self)
        return known.isEmpty ? nil : known.median
    }
}
