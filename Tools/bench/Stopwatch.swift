import LocalSystem

/// Measures the duration of repetitions.
struct Stopwatch {
    private let began = MonotonicClock.nowNanoseconds

    /// Nanoseconds since its creation.
    var elapsed: Int64 { MonotonicClock.nowNanoseconds - began }

    /// Repeats `body` for a number of seconds, at least once. Returns the nanoseconds of each repetition.
    static func times(
        for seconds: Double, _ body: () throws(BenchFailure) -> Void
    ) throws(BenchFailure) -> [Int64] {
        var times: [Int64] = []
        times.reserveCapacity(1 << 16)
        let end = MonotonicClock.nowNanoseconds + Int64(seconds * 1e9)
        var before = MonotonicClock.nowNanoseconds
        repeat {
            try body()
            let now = MonotonicClock.nowNanoseconds
            times.append(now - before)
            before = now
        } while before < end
        return times
    }
}
