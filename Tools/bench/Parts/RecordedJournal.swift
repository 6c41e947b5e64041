import LocalSystem
import TripJournal
import TripMaintenance
import TripServer

/// A data directory with one trip whose journal contains many moves, as written by a daemon.
enum RecordedJournal {
    /// The moves that a daemon records; more would be compacted.
    private static let recordedMoves = 1000
    private static let repetitions = 100

    /// Records a trip and moves with the daemon at `executable`, and repeats the moves in the journal.
    ///
    /// - Returns: the data directory, in `directory`.
    static func make(by executable: String, in directory: String) throws(BenchFailure) -> String {
        let daemon = try DaemonUnderTest(executable, .relaxed, in: directory)
        let client = try WireClient(path: daemon.socket, user: "mover")
        let script = TripScript(itemCount: 200, dayCount: 10)
        let created = try script.create(by: client)
        var line: [UInt8] = []
        for _ in 0..<recordedMoves {
            line.removeAll(keepingCapacity: true)
            script.appendMove(id: client.nextID(), by: 0, of: 1, to: &line)
            try client.send(line)
            try client.receive { _ in }
        }
        try daemon.stop()
        let data = "\(directory)/relaxed/data"
        try repeatMoves(in: "\(data)/trips/\(TripScript.tripID)/journal", after: created)
        return data
    }

    /// Reads everything, like a start that opens each trip.
    static func read(in directory: String, times: Int) throws {
        for _ in 0..<times {
            let report = try DataDirectory(directory).check()
            precondition(report.problems.isEmpty, "the journal is good: \(report.problems)")
            keep(report.records / (recordedMoves * repetitions))
        }
    }

    /// Each record contains an item's new place, so repeating the records gives a valid, longer journal.
    private static func repeatMoves(in journal: String, after created: Int) throws(BenchFailure) {
        let bytes = try failing { () throws(SystemError) in
            try OpenFile(journal, .read, in: RealFileSystem()).readAll()
        }
        guard case .whole(let contents) = JournalScanner.scan(bytes), contents.snapshot == nil else {
            throw .unexpected(line: journal, wanted: "a whole journal without a snapshot")
        }
        let moves = contents.records(in: bytes).filter { $0.version > created }
        var encoder = JournalEncoder(resuming: contents.checkpoint)
        var more: [UInt8] = []
        var version = contents.checkpoint.version
        for move in Array(repeating: moves, count: repetitions - 1).joined() {
            version += 1
            do throws(JournalPayloadTooLarge) {
                more += try encoder.encode(version: version, payload: move.payload).bytes
            } catch {
                preconditionFailure("it was written before")
            }
        }
        try failing { () throws(SystemError) in
            let file = try OpenFile(journal, .append, in: RealFileSystem())
            var rest = more[...]
            while !rest.isEmpty { rest = rest.dropFirst(try file.write(rest)) }
        }
    }
}
