import LocalSystem
import Simulation
import Testing

@Suite struct SimulationTests {
    /// Two halves, for two processors.
    @Test("a thousand seeds run without a broken promise", arguments: [1, 501])
    func seeds(from first: Int) {
        for seed in UInt64(first)..<UInt64(first + 500) {
            let outcome = Simulation.run(seed: seed)
            if let failure = outcome.failure { Issue.record("\(failure)") }
        }
    }

    @Test("a seed replays", arguments: [1, 2, 3, 4, 5] as [UInt64])
    func replays(seed: UInt64) {
        #expect(Simulation.run(seed: seed).hash == Simulation.run(seed: seed).hash)
        #expect(Simulation.run(seed: seed).hash != Simulation.run(seed: seed + 1).hash)
    }

    /// Seeds in which a planted bug must show.
    static let patience: UInt64 = 200

    @Test("each planted bug is found", .enabled(if: PlantedBug.canBePlanted), arguments: PlantedBug.allCases)
    func finds(bug: PlantedBug) {
        let seed = (1...Self.patience).first { Simulation.run(seed: $0, bug: bug).failure != nil }
        #expect(seed != nil, "\(bug) is not found in \(Self.patience) seeds")
    }
}
