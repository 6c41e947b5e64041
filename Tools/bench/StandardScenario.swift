import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A trip of 200 items with 2 watchers, in both durability modes, each round compared with the raw floors.
struct StandardScenario {
    /// The measurements of one round in nanoseconds.
    private struct Times {
        var echo: [Int64] = []
        var ping: [Int64] = []
        var diskSync: [Int64] = []
        var durable: [Int64] = []
        var relaxed: [Int64] = []
    }

    private struct Round {
        let echo: Percentiles
        let ping: Percentiles
        let diskSync: Percentiles
        let durable: Percentiles
        let relaxed: Percentiles
        let diskSyncsPerSecond: Double
        let durableLoad: LoadFigures
        let relaxedLoad: LoadFigures

        init(_ times: Times, durableLoad: LoadFigures, relaxedLoad: LoadFigures) {
            echo = Percentiles(times.echo)
            ping = Percentiles(times.ping)
            diskSync = Percentiles(times.diskSync)
            durable = Percentiles(times.durable)
            relaxed = Percentiles(times.relaxed)
            diskSyncsPerSecond = Double(times.diskSync.count) * 1e9 / Double(times.diskSync.reduce(0, +))
            self.durableLoad = durableLoad
            self.relaxedLoad = relaxedLoad
        }
    }

    /// The memory of an idle daemon, and the maximum.
    private struct Footprint {
        let idleMegabytes: Double?
        let peakMegabytes: Double?
        let idleCPUSeconds: Double?
    }

    private static let slices = 20
    private static let idleSeconds = 5
    /// The relaxed daemon syncs within 100 ms.
    private static let settlingMicroseconds: UInt32 = 300_000

    let options: BenchOptions
    let directory: String

    func run() throws(BenchFailure) -> Report {
        var echo = try EchoFloor()
        let disk = try SyncFloor(in: directory)
        let durable = try TestBed(options.daemon, .sync, .init(), in: directory)
        let relaxed = try TestBed(options.daemon, .relaxed, .init(), in: directory)
        let loaded = [durable.daemon.usage, relaxed.daemon.usage]

        var rounds: [Round] = []
        for _ in 0..<options.rounds {
            var times = Times()
            let slice = options.seconds / 2 / Double(Self.slices)
            // Alternating in slices much shorter than the fluctuations of a disk and of a busy host. The
            // measurements that use the disk come first and alone, because another sync would include
            // unsynced bytes of the relaxed daemon.
            usleep(Self.settlingMicroseconds)
            for _ in 0..<Self.slices {
                times.diskSync += try disk.measure(seconds: slice)
                times.durable += try durable.singleMoves(seconds: slice)
            }
            let durableLoad = try durable.pipelinedMoves(seconds: options.seconds)
            for _ in 0..<Self.slices {
                times.echo += try echo.measure(seconds: slice)
                times.ping += try durable.pings(seconds: slice)
                times.relaxed += try relaxed.singleMoves(seconds: slice)
            }
            let relaxedLoad = try relaxed.pipelinedMoves(seconds: options.seconds)
            rounds.append(Round(times, durableLoad: durableLoad, relaxedLoad: relaxedLoad))
        }

        usleep(Self.settlingMicroseconds)
        let before = [durable.daemon.usage, relaxed.daemon.usage]
        sleep(UInt32(Self.idleSeconds))
        let after = [durable.daemon.usage, relaxed.daemon.usage]
        let footprints = (0..<2).map { index in
            Footprint(
                idleMegabytes: loaded[index]?.residentMegabytes, peakMegabytes: after[index]?.peakMegabytes,
                idleCPUSeconds: before[index].flatMap { before in
                    after[index].map { $0.cpuSeconds - before.cpuSeconds }
                })
        }
        try durable.stop()
        try relaxed.stop()
        return Report(
            title: "itineraryd, 200 items on 10 days, 2 watchers; medians of \(options.rounds) rounds, "
                + "throughput over \(options.seconds) s; data in \(options.directory)",
            tables: [latencies(rounds), throughput(rounds), footprint(footprints)],
            notes: [
                "× floor: the median of the ratios within each round, of p50 or of moves/s; it carries over to "
                    + "other machines.",
                "The floor of ping and of a relaxed move is the raw echo, of a durable move the echo and the raw "
                    + "sync together, of durable moves/s the raw syncs/s.",
            ])
    }

    private func latencies(_ rounds: [Round]) -> Table {
        var table = Table(name: "one at a time, µs", columns: ["p50", "p95", "p99", "× floor"])
        func add(_ name: String, _ path: KeyPath<Round, Percentiles>, floor: ((Round) -> Double)?) {
            let medians = Percentiles(mediansOf: rounds.map { $0[keyPath: path] })
            let ratio = floor.map { floor in rounds.map { $0[keyPath: path].p50 / floor($0) }.median }
            table.rows.append(
                (
                    name,
                    [
                        .init(medians.p50, decimals: 1), .init(medians.p95, decimals: 1),
                        .init(medians.p99, decimals: 1), .init(ratio, decimals: 2),
                    ]
                ))
        }
        add("raw echo of \(EchoFloor.messageSize) bytes", \.echo, floor: nil)
        add("ping", \.ping, floor: { $0.echo.p50 })
        add("raw append + sync of 300 bytes", \.diskSync, floor: nil)
        add("item.move, durable", \.durable, floor: { $0.echo.p50 + $0.diskSync.p50 })
        add("item.move, relaxed", \.relaxed, floor: { $0.echo.p50 })
        return table
    }

    private func throughput(_ rounds: [Round]) -> Table {
        var table = Table(
            name: "16 clients × 32 in flight",
            columns: ["per second", "× floor", "commits/sync", "CPU s/10,000", "snapshots/commit"])
        func add(_ name: String, _ path: KeyPath<Round, LoadFigures>, hasFloor: Bool) {
            let loads = rounds.map { $0[keyPath: path] }
            let ratio = rounds.map { $0[keyPath: path].movesPerSecond / $0.diskSyncsPerSecond }.median
            let commitsPerSync = loads.compactMap(\.commitsPerSync)
            let cpu = loads.compactMap(\.cpuPerTenThousand)
            table.rows.append(
                (
                    name,
                    [
                        .init(loads.map(\.movesPerSecond).median), .init(hasFloor ? ratio : nil, decimals: 1),
                        .init(commitsPerSync.isEmpty ? nil : commitsPerSync.median, decimals: 1),
                        .init(cpu.isEmpty ? nil : cpu.median, decimals: 3),
                        .init(loads.map { Double($0.snapshots) / Double($0.commits) }.median, decimals: 2),
                    ]
                ))
        }
        table.rows.append(
            (
                "raw append + sync",
                [.init(rounds.map(\.diskSyncsPerSecond).median), .none, .none, .none, .none]
            ))
        add("item.move, durable", \.durableLoad, hasFloor: true)
        add("item.move, relaxed", \.relaxedLoad, hasFloor: false)
        return table
    }

    private func footprint(_ footprints: [Footprint]) -> Table {
        var table = Table(
            name: "the daemon itself",
            columns: ["idle MB", "peak MB", "idle CPU s in \(Self.idleSeconds) s"])
        for (name, footprint) in zip(["durable", "relaxed"], footprints) {
            table.rows.append(
                (
                    name,
                    [
                        .init(footprint.idleMegabytes, decimals: 1),
                        .init(footprint.peakMegabytes, decimals: 1),
                        .init(footprint.idleCPUSeconds, decimals: 2),
                    ]
                ))
        }
        return table
    }
}
