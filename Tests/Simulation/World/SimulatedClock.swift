import LocalSystem

/// The clocks of a simulation, moved only by the scheduler.
package final class SimulatedClock: Sendable {
    private struct Times {
        var monotonic: Int64 = 1_000_000_000
        var wall: Int64 = 1_780_000_000_000
    }

    private let times = Guarded(Times())

    /// Monotonic time, in nanoseconds.
    package var nanoseconds: Int64 { times.withLock { $0.monotonic } }

    /// Wall-clock time, in milliseconds since 1970.
    package var wallMilliseconds: Int64 { times.withLock { $0.wall } }

    /// Advances both clocks.
    func advance(milliseconds: Int) {
        times.withLock {
            $0.monotonic += Int64(milliseconds) * 1_000_000
            $0.wall += Int64(milliseconds)
        }
    }

    /// Sets the wall clock forward or back.
    func setWall(by milliseconds: Int) { times.withLock { $0.wall += Int64(milliseconds) } }
}
