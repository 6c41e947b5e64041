import LocalSystem

/// A daemon with a trip, its watchers, and the clients that move its items.
final class TestBed {
    /// The size of a trip, and the number of its watchers.
    struct Shape {
        var items = 200
        var days = 10
        var watchers = 2
        var mode = WatchMode.snapshot
    }

    let daemon: DaemonUnderTest
    let client: WireClient
    let script: TripScript
    /// The trip's current version.
    private(set) var version: Int
    private var watchers: Watchers?
    private var pipeliners: [WireClient] = []

    /// Starts the daemon and creates the trip; returns when every watcher has it.
    init(
        _ executable: String, _ durability: DaemonUnderTest.Durability, _ shape: Shape, in directory: String
    ) throws(BenchFailure) {
        daemon = try DaemonUnderTest(executable, durability, in: directory)
        client = try WireClient(path: daemon.socket, user: "mover")
        script = TripScript(itemCount: shape.items, dayCount: shape.days)
        version = try script.create(by: client)
        if shape.watchers > 0 {
            watchers = try Watchers(
                count: shape.watchers, mode: shape.mode, path: daemon.socket, version: version)
        }
    }

    /// Stops everything in order.
    func stop() throws(BenchFailure) {
        watchers = nil
        pipeliners = []
        try daemon.stop()
    }

    /// The bytes that all watchers have read so far.
    var watchedBytes: Int { watchers?.bytes ?? 0 }

    /// Round trips of `ping`; the nanoseconds of each.
    func pings(seconds: Double) throws(BenchFailure) -> [Int64] {
        try daemon.using { () throws(BenchFailure) in
            try Stopwatch.times(for: seconds) { () throws(BenchFailure) in
                try client.call("\"method\":\"ping\"}") { _ in }
            }
        }
    }

    /// Moves, each sent after the acknowledgement of the previous one; the nanoseconds of each.
    func singleMoves(seconds: Double) throws(BenchFailure) -> [Int64] {
        try daemon.using { () throws(BenchFailure) in try measureSingleMoves(seconds) }
    }

    private func measureSingleMoves(_ seconds: Double) throws(BenchFailure) -> [Int64] {
        var line: [UInt8] = []
        let times = try Stopwatch.times(for: seconds) { () throws(BenchFailure) in
            line.removeAll(keepingCapacity: true)
            script.appendMove(id: client.nextID(), by: 0, of: 1, to: &line)
            try client.send(line)
            let version = try client.receive { $0.version }
            try accept(version, after: self.version)
            self.version = version ?? 0
        }
        try watchers?.waitForAll(upTo: version)
        return times
    }

    /// Moves by many clients at once, each with many requests in flight.
    func pipelinedMoves(
        clients: Int = 16, inFlight: Int = 32, seconds: Double
    ) throws(BenchFailure) -> LoadFigures {
        try daemon.using { () throws(BenchFailure) in
            try measurePipelinedMoves(clients, inFlight, seconds)
        }
    }

    private func measurePipelinedMoves(
        _ clients: Int, _ inFlight: Int, _ seconds: Double
    ) throws(BenchFailure) -> LoadFigures {
        while pipeliners.count < clients {
            pipeliners.append(try WireClient(path: daemon.socket, user: "mover-\(pipeliners.count)"))
        }
        let before = try daemon.counters(by: client)
        let usageBefore = daemon.usage
        var run = PipelinedRun(pipeliners, script, inFlight: inFlight, version: version)
        let time = try run.moves(seconds: seconds)
        // Nobody else changes the trip, and every move has an effect.
        try accept(run.newest, after: version + run.moveCount - 1)
        version += run.moveCount
        try watchers?.waitForAll(upTo: version)
        let usage = daemon.usage
        let after = try daemon.counters(by: client)
        return LoadFigures(
            moves: run.moveCount, seconds: time, commits: after.commits - before.commits,
            syncs: after.syncs - before.syncs, snapshots: after.sentSnapshots - before.sentSnapshots,
            cpuSeconds: usage.flatMap { usage in usageBefore.map { usage.cpuSeconds - $0.cpuSeconds } })
    }

    private func accept(_ version: Int?, after last: Int) throws(BenchFailure) {
        if version != last + 1 {
            throw .unexpected(line: "version \(version ?? 0)", wanted: "version \(last + 1)")
        }
    }
}

/// The result of a run with many movers.
struct LoadFigures {
    let moves: Int
    /// From the first request to the last acknowledgement.
    let seconds: Double
    let commits: Int
    let syncs: Int
    let snapshots: Int
    /// The daemon's CPU time until the watchers had the last version; nil if the system does not report it.
    let cpuSeconds: Double?

    var movesPerSecond: Double { Double(moves) / seconds }
    var commitsPerSync: Double? { syncs == 0 ? nil : Double(commits) / Double(syncs) }
    var cpuPerTenThousand: Double? { cpuSeconds.map { $0 / Double(moves) * 10_000 } }
}
