import LocalSystem

/// The clocks of a simulation: they move when the scheduler moves them, and at no other time.
package final class SimulatedClock: Sendable {
    private struct Times {
        var monotonic: Int64 = 1_000_000_000
        var wall: Int64 = 1_780_000_000_000
    }

    private let times = Guarded(Times())

    /// Monotonic time, in nanoseconds.
    package var nanoseconds: Int64 { times.withLock { $0.monotonic } }

    /// The time of day, in milliseconds since 1970.
    package var wallMilliseconds: Int64 { times.withLock { $0.wall } }

    /// Time passes.
    func advance(milliseconds: Int) {
        times.withLock {
            $0.monotonic += Int64(milliseconds) * 1_000_000
            $0.wall += Int64(milliseconds)
        }
    }

    /// Somebody sets the time of day, back or forth.
    func setWall(by milliseconds: Int) { times.withLock { $0.wall += Int64(milliseconds) } }
}
