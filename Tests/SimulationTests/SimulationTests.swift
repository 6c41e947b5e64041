import LocalSystem
import Simulation
import Testing

/// Seeds of the simulation; `swift run -c release simulate` runs as many more as one has time for.
@Suite struct SimulationTests {
    /// In two halves, for two processors.
    @Test("a thousand seeds break no promise", arguments: [1, 501] as [UInt64])
    func seeds(from first: UInt64) {
        for seed in first..<first + 500 {
            if let failure = Simulation.run(seed: seed, steps: 300).failure { Issue.record("\(failure)") }
        }
    }

    @Test("a seed is one run, every time", arguments: [1, 2, 3] as [UInt64])
    func replays(seed: UInt64) {
        let hash = Simulation.run(seed: seed).hash
        #expect(Simulation.run(seed: seed).hash == hash)
        #expect(Simulation.run(seed: seed + 1).hash != hash)
    }

    /// Seeds of which one must show a planted bug; most are found by the first ten.
    static let patience: UInt64 = 150

    @Test(
        "each planted bug is found", .enabled(if: PlantedBug.canBePlanted), arguments: PlantedBug.allCases)
    func finds(bug: PlantedBug) throws {
        let failure = (1...Self.patience).lazy.compactMap { Simulation.run(seed: $0, bug: bug).failure }.first
        let found = try #require(failure, "\(bug) is not found by \(Self.patience) seeds")
        #expect("\(found)".contains("--bug \(bug)"), "the failure says how to see it again")
    }
}
