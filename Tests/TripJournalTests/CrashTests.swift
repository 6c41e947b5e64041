import SimulatedSystem
import Testing

@testable import TripJournal

@Suite struct CrashTests {
    /// The number of calls of the uninterrupted workload.
    private func callCount(_ disk: SimulatedDisk = SimulatedDisk()) throws -> Int {
        let workload = CrashWorkload(on: disk)
        try workload.run()
        #expect(workload.isFinished)
        #expect(workload.compactions >= 2, "it compacts, before and after the restart")
        return disk.log.count
    }

    @Test func `a crash at any call loses nothing that was acknowledged`()
        throws
    {
        let calls = try callCount()
        var crashes = 0
        for count in 0...calls {
            let disk = SimulatedDisk()
            disk.stop(after: count)
            let workload = CrashWorkload(on: disk)
            try workload.run()
            for crash in SimulatedDisk.Crash.allCases {
                crashes += 1
                let found = try workload.violations(after: crash)
                #expect(found == [], "\(crash) at call \(count)")
            }
        }
        print("crash workload: \(calls + 1) calls × \(SimulatedDisk.Crash.allCases.count) ways = \(crashes)")
        #expect(calls > 150)
    }

    /// Shows that the checks can fail: they find a program that leaves out a call. A cut is the exception:
    /// the writer finds the file too long before its next write.
    @Test(arguments: ["syncData", "sync", "syncDirectory"])
    func `the crash test detects an omitted sync`(_ call: String) throws {
        let disk = SimulatedDisk()
        disk.omit(call)
        let calls = try {
            try CrashWorkload(on: disk).run()
            return disk.log.count
        }()
        var found = 0
        for count in stride(from: 10, through: calls, by: 7) where found == 0 {
            let disk = SimulatedDisk()
            disk.omit(call)
            disk.stop(after: count)
            let workload = CrashWorkload(on: disk)
            try workload.run()
            for crash in SimulatedDisk.Crash.allCases { found += try workload.violations(after: crash).count }
        }
        #expect(found > 0)
    }
}
