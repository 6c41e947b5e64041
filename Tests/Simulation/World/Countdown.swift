import LocalSystem

/// A counter that decreases, also below zero.
final class Countdown: Sendable {
    private let left: Guarded<Int>

    init(_ count: Int) { left = Guarded(count) }

    /// Decreases the counter and returns the former value.
    func next() -> Int {
        left.withLock { left in
            defer { left -= 1 }
            return left
        }
    }
}
