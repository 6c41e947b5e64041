#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A monotonic clock for measurements and deadlines; it stops while the machine sleeps.
package enum MonotonicClock {
    /// Nanoseconds since a fixed time of this boot.
    package static var nowNanoseconds: Int64 {
        #if canImport(Darwin)
        Int64(clamping: clock_gettime_nsec_np(CLOCK_UPTIME_RAW))
        #else
        nanoseconds(of: CLOCK_MONOTONIC)
        #endif
    }
}

/// The time of day, which may be set back and forth; never for measurements.
package enum WallClock {
    /// Milliseconds since 1970 in UTC.
    package static var nowMilliseconds: Int64 {
        nanoseconds(of: CLOCK_REALTIME) / 1_000_000
    }
}

private func nanoseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    let result = clock_gettime(clock, &time)
    precondition(result == 0, "this clock always exists")
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
