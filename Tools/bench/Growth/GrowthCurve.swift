/// What a move costs and what memory the daemon holds, against how much there is of one thing.
struct GrowthCurve {
    /// What one daemon came to.
    struct Sample {
        /// How much there was.
        let size: Int
        /// The daemon's processor time for a move, in µs; nil where the system does not tell.
        let cost: Double?
        /// The daemon's memory after the moves, in megabytes of 10^6 bytes; nil likewise.
        let memory: Double?
        /// What copying as many bytes into as many sockets costs, in µs; nil where nothing is copied to anybody.
        var copies: Double?
    }

    /// Of what there is more and more.
    let title: String
    /// The samples of each round, in the order of their sizes, which grow.
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
