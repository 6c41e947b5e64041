import Simulation
import Testing

/// Random histories of undo and redo; `swift run -c release simulate --undo --seeds 100000` runs more.
@Suite struct UndoHistoryTests {
    @Test("three hundred histories of undo and redo break no promise", arguments: [1, 151] as [UInt64])
    func seeds(from first: UInt64) async throws {
        let outcomes = try await SimulationTests.apart {
            (first..<first + 150).map { UndoHistory.run(seed: $0) }
        }
        var sum = UndoHistory.Figures()
        for (figures, failure) in outcomes {
            if let failure { Issue.record("\(failure)") }
            sum += figures
        }
        #expect(sum.undos > 1_000 && sum.redos > 1_000 && sum.conflicts > 10, "\(sum)")
        #expect(sum.restarts > 100 && sum.compactions > 50, "\(sum)")
    }
}
