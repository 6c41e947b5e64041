/// Many clients that get snapshots of a large trip during moves. Compared with the moves without them, the
/// daemon may use no more CPU time than writing as many bytes to as many sockets needs.
enum SnapshotCrowd {
    struct Figures {
        /// The daemon's CPU seconds for 10,000 moves; nil if the system does not report them.
        let alone: Double?
        /// The same with the crowd.
        let watched: Double?
        /// The CPU seconds of a process that only copies, for 10,000 moves.
        let copies: Double
        /// The snapshots sent to all clients in 10,000 moves.
        let snapshots: Double
        /// The megabytes (10^6 bytes) read by all clients in 10,000 moves.
        let megabytes: Double
    }

    private static let listeners = 64
    private static let items = 500
    private static let clients = 4
    /// The moves take about a second.
    private static let seconds = 1.0

    /// Measures moves without the crowd and with it, and then the copies.
    static func measure(_ executable: String, in directory: String) throws(BenchFailure) -> Figures {
        let alone = try moves(watchers: 0, executable, directory)
        let watched = try moves(watchers: listeners, executable, directory)
        let share = 10_000 / Double(watched.load.moves)
        let snapshots = max(1, watched.load.snapshots)
        let floor = try CopyFloor(listeners: listeners).cost(
            bytes: watched.bytes / snapshots, writes: snapshots)
        return Figures(
            alone: alone.load.cpuPerTenThousand, watched: watched.load.cpuPerTenThousand,
            copies: floor * share,
            snapshots: Double(watched.load.snapshots) * share, megabytes: Double(watched.bytes) * share / 1e6)
    }

    private static func moves(
        watchers: Int, _ executable: String, _ directory: String
    ) throws(BenchFailure) -> (load: LoadFigures, bytes: Int) {
        let scratch = try ScratchDirectory(in: directory)
        let shape = TestBed.Shape(items: items, days: 10, watchers: watchers)
        let bed = try TestBed(executable, .relaxed, shape, in: scratch.path)
        let before = bed.watchedBytes
        let load = try bed.pipelinedMoves(clients: clients, seconds: seconds)
        let bytes = bed.watchedBytes - before
        try bed.stop()
        return (load, bytes)
    }

    /// The medians of rounds, as a table.
    static func table(_ rounds: [Figures]) -> Table {
        func cell(_ value: (Figures) -> Double?, decimals: Int = 0) -> Table.Cell {
            let known = rounds.compactMap(value)
            return .init(known.isEmpty ? nil : known.median, decimals: decimals)
        }
        func more(_ figures: Figures) -> Double? {
            figures.watched.flatMap { watched in figures.alone.map { watched - $0 } }
        }
        return Table(
            name: "\(listeners) told snapshots of \(items) items",
            columns: ["alone s", "with them s", "more s", "copies s", "more ÷ copies", "snapshots", "MB"],
            rows: [
                (
                    "10,000 moves",
                    [
                        cell(\.alone, decimals: 3), cell(\.watched, decimals: 3), cell(more, decimals: 3),
                        cell(\.copies, decimals: 3),
                        cell({ figures in more(figures).map { $0 / figures.copies } }, decimals: 2),
                        cell(\.snapshots), cell(\.megabytes, decimals: 1),
                    ]
                )
            ])
    }
}
