import LocalSystem

/// The minimum cost of storing a change: 300 bytes appended to a file and synced.
struct SyncFloor: ~Copyable {
    private static let record = [UInt8](repeating: UInt8(ascii: "x"), count: 299) + [UInt8(ascii: "\n")]

    private let file: OpenFile

    /// A new file in `directory`, which must be on the disk of the daemon's data.
    init(in directory: String) throws(BenchFailure) {
        file = try failing { () throws(SystemError) in
            try OpenFile("\(directory)/floor", .create, in: RealFileSystem())
        }
    }

    /// Appends and syncs for a number of seconds; the nanoseconds of each.
    func measure(seconds: Double) throws(BenchFailure) -> [Int64] {
        try Stopwatch.times(for: seconds) { () throws(BenchFailure) in
            try failing { () throws(SystemError) in
                _ = try file.write(Self.record[...])
                try file.syncData()
            }
        }
    }
}
