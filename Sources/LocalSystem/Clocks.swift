#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Time that only goes forward, for measuring and for deadlines; it stands still while the machine sleeps.
package enum MonotonicClock {
    /// Nanoseconds since some fixed moment of this boot.
    package static var nowNanoseconds: Int64 {
        #if canImport(Darwin)
        Int64(clamping: clock_gettime_nsec_np(CLOCK_UPTIME_RAW))
        #else
        nanoseconds(of: CLOCK_MONOTONIC)
        #endif
    }
}

/// What a thread's work takes, however often others have the processor in between.
package enum ProcessorClock {
    /// Nanoseconds of a processor that the calling thread has had so far.
    package static var spentNanoseconds: Int64 { nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) }
}

/// The time of day, which people and the network may set back and forth; never for measuring.
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
