import LocalSystem

/// Measures how long something is repeated, and each repetition.
struct Stopwatch {
    private let began = MonotonicClock.nowNanoseconds

    /// Nanoseconds since it was made.
    var elapsed: Int64 { MonotonicClock.nowNanoseconds - began }

    /// Repeats `body` for so many seconds, once at least; the nanoseconds that each time took.
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
