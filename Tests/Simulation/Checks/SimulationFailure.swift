/// A broken promise, with everything needed to reproduce it.
package struct SimulationFailure: Error, CustomStringConvertible, Sendable {
    package let seed: UInt64
    /// The number of steps of the whole run.
    package let steps: Int
    package let step: Int
    /// The promise.
    package let invariant: String
    /// What was observed.
    package let facts: String
    /// The special conditions of the seed.
    package let scenario: String
    package let breadth: Simulation.Breadth

    package var description: String {
        """
        seed \(seed), step \(step): \(invariant)
          \(facts)
          it meets \(scenario)
          replay: \(Self.replay(seed, steps, breadth))
        """
    }

    /// The command that reproduces a seed's run.
    static func replay(_ seed: UInt64, _ steps: Int, _ breadth: Simulation.Breadth) -> String {
        let trips = breadth == .mixed ? "" : " --trips \(breadth)"
        return "swift run simulate --start \(seed) --seeds 1 --steps \(steps)\(trips) --trace"
    }
}

/// A broken promise, as thrown by a check.
struct Violation: Error {
    let invariant: String
    let facts: String

    init(_ invariant: String, _ facts: String = "") {
        self.invariant = invariant
        self.facts = facts
    }
}
