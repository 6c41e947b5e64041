/// The cost of a move and the daemon's memory for growing numbers of items, trips, watchers and changes. In
/// relaxed durability, so that nothing waits for a disk.
struct GrowthScenario {
    private static let items = [10, 100, 1000, 10_000]
    /// With the measured trip, not more than a daemon's limit.
    private static let trips = [1, 10, 100, 1000, 9999]
    private static let watchers = [1, 4, 16, 64, 250]
    private static let history = [1000, 10_000, 100_000, 1_000_000]
    /// Few enough that the smallest trip has items for each.
    private static let clients = 4
    private static let copies = 20_000

    let options: BenchOptions
    let directory: String

    func run() throws(BenchFailure) -> Report {
        var rounds: [(items: Samples, trips: Samples, watchers: Samples, history: Samples)] = []
        var crowds: [SnapshotCrowd.Figures] = []
        for _ in 0..<options.rounds {
            rounds.append((try itemRound(), try tripRound(), try watcherRound(), try historyRound()))
            crowds.append(try SnapshotCrowd.measure(options.daemon, in: directory))
        }
        let curves = [
            GrowthCurve(title: "items of the trip", rounds: rounds.map(\.items)),
            GrowthCurve(title: "trips beside it", rounds: rounds.map(\.trips)),
            GrowthCurve(title: "watchers, by deltas", rounds: rounds.map(\.watchers)),
            GrowthCurve(title: "changes before", rounds: rounds.map(\.history)),
        ]
        let title = "itineraryd, growth; medians of \(options.rounds) rounds of \(options.seconds) s, relaxed"
        return Report(
            title: title, tables: curves.map(\.table) + [SnapshotCrowd.table(crowds)],
            notes: [
                "CPU: the daemon's; \(Self.clients) clients with 32 moves in flight each, but for the watchers, where "
                    + "a move is sent when the last one is answered.",
                "copies: a thread that writes as many bytes to as many sockets and does nothing else.",
                "MB: the daemon's memory after the moves.",
            ], picture: GrowthPicture(title: title, curves: curves))
    }

    private typealias Samples = [GrowthCurve.Sample]

    private func itemRound() throws(BenchFailure) -> Samples {
        try samples(of: Self.items) { items throws(BenchFailure) in
            try within(.init(items: items, days: 10, watchers: 0)) { bed throws(BenchFailure) in
                try load(on: bed, size: items)
            }
        }
    }

    private func tripRound() throws(BenchFailure) -> Samples {
        try samples(of: Self.trips) { trips throws(BenchFailure) in
            try within(.init(watchers: 0)) { bed throws(BenchFailure) in
                try SmallTrips.make(trips, changes: 0, at: bed.daemon.socket)
                return try load(on: bed, size: trips)
            }
        }
    }

    /// One move at a time, so that each one is sent separately, like the copies.
    private func watcherRound() throws(BenchFailure) -> Samples {
        try samples(of: Self.watchers) { watchers throws(BenchFailure) in
            try within(.init(watchers: watchers, mode: .delta)) { bed throws(BenchFailure) in
                let (usage, bytes) = (bed.daemon.usage, bed.watchedBytes)
                let moves = try bed.singleMoves(seconds: options.seconds).count
                let after = bed.daemon.usage
                let length = (bed.watchedBytes - bytes) / moves / watchers
                let floor = try CopyFloor(listeners: watchers).cost(bytes: length, writes: Self.copies)
                let cost = after.flatMap { after in usage.map { after.cpuSeconds - $0.cpuSeconds } }
                return GrowthCurve.Sample(
                    size: watchers, cost: cost.map { $0 / Double(moves) * 1e6 },
                    memory: after?.residentMegabytes,
                    copies: floor / Double(Self.copies) * Double(watchers) * 1e6)
            }
        }
    }

    /// One daemon with one trip and a growing history.
    private func historyRound() throws(BenchFailure) -> Samples {
        try within(.init(watchers: 0)) { bed throws(BenchFailure) in
            var samples: Samples = []
            for size in Self.history {
                while bed.version < size {
                    let seconds = Double(size - bed.version) / 50_000
                    _ = try bed.pipelinedMoves(clients: Self.clients, seconds: min(10, seconds))
                }
                samples.append(try self.load(on: bed, size: size))
            }
            return samples
        }
    }

    private func load(on bed: TestBed, size: Int) throws(BenchFailure) -> GrowthCurve.Sample {
        let load = try bed.pipelinedMoves(clients: Self.clients, seconds: options.seconds)
        return GrowthCurve.Sample(
            size: size, cost: load.cpuPerTenThousand.map { $0 * 100 },
            memory: bed.daemon.usage?.residentMegabytes)
    }

    private func samples(
        of sizes: [Int], _ measure: (Int) throws(BenchFailure) -> GrowthCurve.Sample
    ) throws(BenchFailure) -> Samples {
        var samples: Samples = []
        for size in sizes { samples.append(try measure(size)) }
        return samples
    }

    /// Runs `body` with a separate daemon.
    private func within<Value>(
        _ shape: TestBed.Shape, _ body: (TestBed) throws(BenchFailure) -> Value
    ) throws(BenchFailure) -> Value {
        let scratch = try ScratchDirectory(in: directory)
        let bed = try TestBed(options.daemon, .relaxed, shape, in: scratch.path)
        let value = try body(bed)
        try bed.stop()
        return value
    }
}
