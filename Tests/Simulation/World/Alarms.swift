import LocalSystem

/// What a daemon says of itself, as far as anybody wants to know: that a trip is not served, which must not be, and
/// how often a journal was compacted.
final class Alarms: Sendable {
    private let lines = Guarded<[String]>([])
    private let compactionCount = Guarded(0)
    private let said = Guarded<[String]>([])

    var first: String? { lines.withLock { $0.first } }

    var compactions: Int { compactionCount.withLock { $0 } }

    /// Everything that was said since the last call.
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
