import LocalSystem

/// Filters the daemon's log for trips that it does not serve, which is an error, and counts compactions.
final class Alarms: Sendable {
    private let lines = Guarded<[String]>([])
    private let compactionCount = Guarded(0)
    private let said = Guarded<[String]>([])

    var first: String? { lines.withLock { $0.first } }

    var compactions: Int { compactionCount.withLock { $0 } }

    /// The errors since the last call.
    func takeSaid() -> [String] {
        said.withLock { said in
            defer { said = [] }
            return said
        }
    }

    func hear(_ line: String) {
        said.withLock { $0.append(line) }
        if line.contains("is not served") { lines.withLock { $0.append(line) } }
        if line.contains("is compacted") { compactionCount.withLock { $0 += 1 } }
    }
}
