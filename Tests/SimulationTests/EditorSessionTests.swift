import LocalSystem
import Simulation
import Testing

/// Random sessions of editors against the real daemon; `swift run simulate --editors --minutes 10` runs more.
@Suite struct EditorSessionTests {
    @Test("a hundred seeds: every screen is the trip, every change is in it once or on its user's list")
    func seeds() async throws {
        let outcomes = try await SimulationTests.apart { (1...100).map { EditorWorld.run(seed: $0) } }
        var sum = EditorWorld.Figures()
        for outcome in outcomes {
            if let failure = outcome.failure { Issue.record("\(failure)") }
            sum += outcome.figures
        }
        #expect(sum.changes > 2_000 && sum.refused > 50 && sum.unknown > 5, "\(sum)")
        #expect(sum.cuts > 100 && sum.restores > 50 && sum.quits > 50, "\(sum)")
    }

    @Test(
        "each planted defect is found", .serialized, .enabled(if: EditorBug.canBePlanted),
        arguments: EditorBug.allCases)
    func finds(bug: EditorBug) async throws {
        let failure = try await SimulationTests.apart {
            (1...100).lazy.compactMap { EditorWorld.run(seed: $0, bug: bug).failure }.first
        }
        #expect(failure != nil, "\(bug) is not found")
    }
}
