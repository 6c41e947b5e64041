import Foundation
import LocalSystem
import Testing

@Suite struct WorkerThreadTests {
    /// The time slice of the calling thread in nanoseconds; nil if the kernel does not say, or does not let a thread choose.
    private static func timeSlice() -> Int? {
        func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
        let release = text("/proc/sys/kernel/osrelease").split { !$0.isNumber }.prefix(2)
            .compactMap { Int($0) }
        guard release.count == 2, (release[0], release[1]) >= (6, 12) else { return nil }
        let line = text("/proc/thread-self/sched").split(separator: "\n").first { $0.hasPrefix("se.slice") }
        return line?.split(separator: " ").last.flatMap { Int($0) }
    }

    @Test(.enabled(if: timeSlice() != nil, "needs Linux 6.12"))
    func `a worker thread has a shorter time slice than an event loop's thread`() throws {
        let usual = try #require(Self.timeSlice())
        for urgency in [WorkerThread.Urgency.usual, .low] {
            let found = Guarded<Int?>(nil)
            try WorkerThread(urgency: urgency) { found.withLock { $0 = Self.timeSlice() } }.join()
            #expect(found.withLock { $0 } == 200_000)
            #expect(usual > 200_000)
        }
    }
}
