import LocalSystem

/// Counts down, below zero too.
final class Countdown: Sendable {
    private let left: Guarded<Int>

    init(_ count: Int) { left = Guarded(count) }

    /// What is left before this call.
    func next() -> Int {
        left.withLock { left in
            defer { left -= 1 }
            return left
        }
    }
}
