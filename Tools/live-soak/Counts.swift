import LocalSystem
import TripClient

/// Counts the outcomes of changes.
final class Counts: Sendable, CustomStringConvertible {
    enum Kind: String, CaseIterable {
        case asked, made, noop, refused, unknown, lost, doubled, wrong
    }

    private let counts = Guarded<(kinds: [Kind: Int], reasons: Set<String>)>(([:], []))

    func add(_ kind: Kind, _ count: Int = 1, because reason: ClientError? = nil) {
        counts.withLock { counts in
            counts.kinds[kind, default: 0] += count
            if let reason, counts.reasons.count < 5 { counts.reasons.insert("\(reason)") }
        }
    }

    private func count(_ kind: Kind) -> Int { counts.withLock { $0.kinds[kind] ?? 0 } }

    var made: Int { count(.made) }

    var isClean: Bool { made > 0 && [.unknown, .lost, .doubled, .wrong].allSatisfy { count($0) == 0 } }

    var description: String {
        let reasons = counts.withLock { $0.reasons }.sorted()
        let numbers = Kind.allCases.map { "\($0.rawValue) \(count($0))" }.joined(separator: ", ")
        return reasons.isEmpty ? numbers : "\(numbers) (refused: \(reasons.joined(separator: "; ")))"
    }
}

/// Allows new changes, unless they are paused.
actor Gate {
    private var isOpen = true
    private var isStopped = false
    private var underWay = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var idle: CheckedContinuation<Void, Never>?

    /// Waits while changes are paused; false at the end.
    func enter() async -> Bool {
        while !isOpen, !isStopped { await withCheckedContinuation { waiting.append($0) } }
        if isStopped { return false }
        underWay += 1
        return true
    }

    func leave() {
        underWay -= 1
        guard underWay == 0 else { return }
        idle?.resume()
        idle = nil
    }

    /// Returns when no change is in flight.
    func pause() async {
        isOpen = false
        if underWay > 0 { await withCheckedContinuation { idle = $0 } }
    }

    func go() {
        isOpen = true
        wake()
    }

    func stop() async {
        isStopped = true
        wake()
        if underWay > 0 { await withCheckedContinuation { idle = $0 } }
    }

    private func wake() {
        let woken = waiting
        waiting = []
        for continuation in woken { continuation.resume() }
    }
}
