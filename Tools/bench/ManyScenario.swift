import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Many trips on disk: the duration of a start, and the memory before, while and after all are visited.
struct ManyScenario {
    /// The number of trips, and of changes per trip.
    struct Shape {
        var trips: Int
        var changes: Int
    }

    private struct Figures {
        /// The nanoseconds from starting the program to its first answer, for several starts.
        var starts: [Int64] = []
        var startMegabytes: Double?
        var listNanoseconds: Int64 = 0
        /// One `trip.get` after the other.
        var visits: [Int64] = []
        var visitedMegabytes: Double?
        var peakMegabytes: Double?
        var idleMegabytes: Double?
        /// The start after the daemon was killed with open trips.
        var startAfterKill: Int64 = 0
    }

    private static let shapes: [Shape] = [
        .init(trips: 1, changes: 100), .init(trips: 1000, changes: 100), .init(trips: 10_000, changes: 100),
        .init(trips: 1, changes: 50_000), .init(trips: 200, changes: 5000),
    ]

    let options: BenchOptions
    let directory: String

    func run() throws(BenchFailure) -> Report {
        var table = Table(
            name: "trips/changes each",
            columns: [
                "start ms", "start MB", "after kill ms", "list ms", "visit µs p50", "p99", "visited MB",
                "peak MB",
                "idle MB",
            ])
        for shape in Self.shapes {
            let figures = try measure(shape)
            let visits = Percentiles(figures.visits)
            table.rows.append(
                (
                    "\(shape.trips)/\(shape.changes)",
                    [
                        .init(figures.starts.map { Double($0) / 1e6 }.median, decimals: 1),
                        .init(figures.startMegabytes, decimals: 1),
                        .init(Double(figures.startAfterKill) / 1e6, decimals: 1),
                        .init(Double(figures.listNanoseconds) / 1e6, decimals: 1),
                        .init(visits.p50, decimals: 1), .init(visits.p99, decimals: 1),
                        .init(figures.visitedMegabytes, decimals: 1),
                        .init(figures.peakMegabytes, decimals: 1),
                        .init(figures.idleMegabytes, decimals: 1),
                    ]
                ))
        }
        return Report(
            title:
                "itineraryd, many trips; medians of \(options.rounds) starts; data in \(options.directory)",
            tables: [table],
            notes: [
                "start: from starting the program to the first answered ping. visit: trip.get of every trip, one "
                    + "after the other.",
                "idle: when the daemon has closed every trip again. after kill: the start after kill -9 with trips "
                    + "open.",
            ])
    }

    private func measure(_ shape: Shape) throws(BenchFailure) -> Figures {
        let scratch = try ScratchDirectory(in: directory)
        var figures = Figures()
        do {
            let daemon = try DaemonUnderTest(options.daemon, .relaxed, in: scratch.path)
            try daemon.using { () throws(BenchFailure) in
                try SmallTrips.make(shape.trips, changes: shape.changes, at: daemon.socket)
            }
            try daemon.stop()
        }
        for _ in 0..<options.rounds {
            let (daemon, client, time) = try start(in: scratch.path)
            figures.starts.append(time)
            figures.startMegabytes = daemon.usage?.residentMegabytes
            _ = client
            try daemon.stop()
        }
        do {
            let (daemon, client, _) = try start(in: scratch.path)
            let list = Stopwatch()
            _ = try client.call("\"method\":\"trip.list\"}") { _ in }
            figures.listNanoseconds = list.elapsed
            for trip in 0..<shape.trips {
                let visit = Stopwatch()
                _ = try client.call("\"method\":\"trip.get\",\"params\":{\"trip\":\"trip-\(trip)\"}}") { _ in
                }
                figures.visits.append(visit.elapsed)
            }
            figures.visitedMegabytes = daemon.usage?.residentMegabytes
            while try client.call("\"method\":\"daemon.stats\"}", { $0.integer(after: "\"openTrips\":") })
                != 0
            {
                usleep(500_000)
            }
            figures.peakMegabytes = daemon.usage?.peakMegabytes
            figures.idleMegabytes = daemon.usage?.residentMegabytes
            for trip in 0..<min(shape.trips, 50) {
                _ = try client.call(SmallTrips.change(of: trip, to: "killed")) { _ in }
            }
            try daemon.kill()
        }
        let (daemon, _, time) = try start(in: scratch.path)
        figures.startAfterKill = time
        try daemon.stop()
        return figures
    }

    /// Starts the daemon on existing data, and waits for its first answer. Returns the duration in nanoseconds, too.
    private func start(
        in directory: String
    ) throws(BenchFailure) -> (DaemonUnderTest, WireClient, Int64) {
        let watch = Stopwatch()
        let daemon = try DaemonUnderTest(options.daemon, .relaxed, in: directory)
        let client = try WireClient(path: daemon.socket, user: "visitor")
        _ = try client.call("\"method\":\"ping\"}") { _ in }
        return (daemon, client, watch.elapsed)
    }
}
