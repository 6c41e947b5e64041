import Simulation
import Testing

@Suite struct SimulationTests {
    @Test("seeds run without a broken promise")
    func seeds() {
        for seed in UInt64(1)...20 {
            let outcome = Simulation.run(seed: seed, steps: 400)
            if let failure = outcome.failure { Issue.record("\(failure)") }
        }
    }
}
