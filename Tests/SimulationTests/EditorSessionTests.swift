import LocalSystem
import Simulation
import Testing

/// Random editor sessions with the real daemon. `swift run simulate --editors --minutes 10` runs more.
@Suite struct EditorSessionTests {
    /// In two halves, for two processors.
    @Test(
        "forty seeds: every screen shows the trip, and every change is in it once or reported",
        arguments: [1, 21] as [UInt64])
    func seeds(from first: UInt64) async throws {
        let outcomes = try await SimulationTests.apart {
            (first..<first + 20).map { EditorWorld.run(seed: $0) }
        }
        var sum = EditorWorld.Figures()
        for outcome in outcomes {
            if let failure = outcome.failure { Issue.record("\(failure)") }
            sum += outcome.figures
        }
        #expect(sum.changes > 400 && sum.refused > 25 && sum.unknown > 0, "\(sum)")
        #expect(sum.cuts > 20 && sum.restores > 10 && sum.quits > 8, "\(sum)")
    }
}
