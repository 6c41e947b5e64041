import LocalSystem

/// What a daemon said of itself and should not have to.
final class Alarms: Sendable {
    private let lines = Guarded<[String]>([])

    var first: String? { lines.withLock { $0.first } }

    func raise(_ line: String) { lines.withLock { $0.append(line) } }
}
