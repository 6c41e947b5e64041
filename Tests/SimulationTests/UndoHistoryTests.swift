import Simulation
import Testing

/// Random histories of undo and redo; `swift run -c release simulate --undo --seeds 100000` runs more.
@Suite struct UndoHistoryTests {
    @Test(arguments: [1, 51] as [UInt64])
    func `a hundred histories of undo and redo break no promise`(from first: UInt64) async throws {
        let outcomes = try await SimulationTests.apart {
            (first..<first + 50).map { UndoHistory.run(seed: $0) }
        }
        var sum = UndoHistory.Figures()
        for (figures, failure) in outcomes {
            if let failure { Issue.record("\(failure)") }
            sum += figures
        }
        #expect(sum.undos > 300 && sum.redos > 300 && sum.conflicts > 3, "\(sum)")
        #expect(sum.restarts > 30 && sum.compactions > 15, "\(sum)")
    }

    @Test func `after a failed write the trip contains only acknowledged changes`() async throws {
        let outcomes = try await SimulationTests.apart { (1...24).map { PipelinedHistory.run(seed: $0) } }
        var sum = PipelinedHistory.Figures()
        for (figures, failure) in outcomes {
            if let failure { Issue.record("\(failure)") }
            sum += figures
        }
        #expect(sum.failures > 100 && sum.acknowledged > 3_000, "\(sum)")
        #expect(sum.acknowledged < sum.requests - 1_000, "\(sum)")
    }
}
