import LocalSystem
import Simulation
import Testing

/// Random editor sessions with the real daemon. `swift run simulate --editors --minutes 10` runs more.
@Suite struct EditorSessionTests {
    /// In two halves, for two processors.
    @Test(arguments: [1, 13] as [UInt64])
    func `twenty-four seeds: every screen shows the trip, and every change is in it once or reported`(
        from first: UInt64
    ) async throws {
        let outcomes = try await SimulationTests.apart {
            (first..<first + 12).map { EditorWorld.run(seed: $0) }
        }
        var sum = EditorWorld.Figures()
        for outcome in outcomes {
            if let failure = outcome.failure { Issue.record("\(failure)") }
            sum += outcome.figures
        }
        #expect(sum.changes > 240 && sum.refused > 15 && sum.unknown > 0, "\(sum)")
        #expect(sum.cuts > 12 && sum.restores > 2 && sum.quits > 4, "\(sum)")
    }
}
