/// Larger trips and more watchers, each compared with the same trip of 200 items without watchers.
struct BigScenario {
    private struct Round {
        let durable: Percentiles
        let relaxed: Percentiles
        let durableLoad: LoadFigures
        let relaxedLoad: LoadFigures
        let peakMegabytes: Double?
    }

    private static let shapes: [TestBed.Shape] = [
        .init(items: 200, days: 10, watchers: 0),
        .init(items: 2000, days: 100, watchers: 0),
        .init(items: 10_000, days: 366, watchers: 0),
        .init(items: 10_000, days: 10, watchers: 0),
        .init(items: 200, days: 10, watchers: 1),
        .init(items: 200, days: 10, watchers: 2),
        .init(items: 200, days: 10, watchers: 16),
        .init(items: 200, days: 10, watchers: 64),
        .init(items: 10_000, days: 366, watchers: 2),
    ]

    let options: BenchOptions
    let directory: String

    func run() throws(BenchFailure) -> Report {
        var rounds: [[Round]] = Array(repeating: [], count: Self.shapes.count)
        var floors: [(echo: Percentiles, sync: Percentiles)] = []
        for _ in 0..<options.rounds {
            // A separate directory for each round, so that a daemon never finds another one's data.
            let scratch = try ScratchDirectory(in: directory)
            var echo = try EchoFloor()
            let disk = try SyncFloor(in: scratch.path)
            floors.append(
                (
                    Percentiles(try echo.measure(seconds: options.seconds / 2)),
                    Percentiles(try disk.measure(seconds: options.seconds / 2))
                ))
            for index in Self.shapes.indices {
                rounds[index].append(try round(Self.shapes[index]))
            }
        }
        return Report(
            title: "itineraryd, larger trips and more watchers; medians of \(options.rounds) rounds of "
                + "\(options.seconds) s; data in \(options.directory)",
            tables: [floorTable(floors), table(rounds)],
            notes: [
                "µs: p50 of one move at a time; CPU: the daemon's seconds for 10,000 moves of 16 clients × 32 in "
                    + "flight.",
                "× first: the relaxed figure beside the first row's in the same round.",
                "A watcher is sent whole snapshots of the trip, of about 250 bytes an item; under load it skips "
                    + "some.",
            ])
    }

    private func round(_ shape: TestBed.Shape) throws(BenchFailure) -> Round {
        let scratch = try ScratchDirectory(in: directory)
        let half = options.seconds / 2
        let durable = try TestBed(options.daemon, .sync, shape, in: scratch.path)
        let durableTimes = try durable.singleMoves(seconds: half)
        let durableLoad = try durable.pipelinedMoves(seconds: options.seconds)
        try durable.stop()
        let relaxed = try TestBed(options.daemon, .relaxed, shape, in: scratch.path)
        let relaxedTimes = try relaxed.singleMoves(seconds: half)
        let relaxedLoad = try relaxed.pipelinedMoves(seconds: options.seconds)
        let peak = relaxed.daemon.usage?.peakMegabytes
        try relaxed.stop()
        return Round(
            durable: Percentiles(durableTimes), relaxed: Percentiles(relaxedTimes), durableLoad: durableLoad,
            relaxedLoad: relaxedLoad, peakMegabytes: peak)
    }

    private func floorTable(_ floors: [(echo: Percentiles, sync: Percentiles)]) -> Table {
        var table = Table(name: "floor, µs", columns: ["p50", "p95", "p99"])
        for (name, rounds) in [("raw echo", floors.map(\.echo)), ("raw append + sync", floors.map(\.sync))] {
            let medians = Percentiles(mediansOf: rounds)
            table.rows.append((name, [medians.p50, medians.p95, medians.p99].map { .init($0, decimals: 1) }))
        }
        return table
    }

    private func table(_ rounds: [[Round]]) -> Table {
        var table = Table(
            name: "items/days/watchers",
            columns: [
                "durable µs", "relaxed µs", "× first", "durable/s", "relaxed/s", "durable CPU",
                "relaxed CPU", "CPU × first", "snapshots/commit", "peak MB",
            ])
        for (shape, rounds) in zip(Self.shapes, rounds.map { zip($0, rounds[0]) }) {
            let relaxed = rounds.map { $0.0.relaxedLoad }
            let durable = rounds.map { $0.0.durableLoad }
            let cpuRatios = rounds.compactMap { round, first in
                round.relaxedLoad.cpuPerTenThousand.flatMap { cpu in
                    first.relaxedLoad.cpuPerTenThousand.map { cpu / $0 }
                }
            }
            table.rows.append(
                (
                    "\(shape.items)/\(shape.days)/\(shape.watchers)",
                    [
                        median(rounds.map { $0.0.durable.p50 }, decimals: 1),
                        median(rounds.map { $0.0.relaxed.p50 }, decimals: 1),
                        median(rounds.map { $0.0.relaxed.p50 / $0.1.relaxed.p50 }, decimals: 2),
                        median(durable.map(\.movesPerSecond)), median(relaxed.map(\.movesPerSecond)),
                        median(durable.compactMap(\.cpuPerTenThousand), decimals: 3),
                        median(relaxed.compactMap(\.cpuPerTenThousand), decimals: 3),
                        median(cpuRatios, decimals: 2),
                        median(relaxed.map { Double($0.snapshots) / Double($0.commits) }, decimals: 3),
                        median(rounds.compactMap { $0.0.peakMegabytes }, decimals: 1),
                    ]
                ))
        }
        return table
    }

    private func median(_ values: [Double], decimals: Int = 0) -> Table.Cell {
        .init(values.isEmpty ? nil : values.median, decimals: decimals)
    }
}
