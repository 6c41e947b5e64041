import LocalSystem

/// A promise that was broken, with all that is needed to see it again.
package struct SimulationFailure: Error, CustomStringConvertible, Sendable {
    package let seed: UInt64
    /// Steps of the whole run.
    package let steps: Int
    package let step: Int
    /// The promise.
    package let invariant: String
    /// What was seen instead.
    package let facts: String
    /// What the seed meets besides what every seed does.
    package let scenario: String
    package let breadth: Simulation.Breadth
    /// The bug that was planted, if one was.
    package let bug: PlantedBug?

    package var description: String {
        """
        seed \(seed), step \(step): \(invariant)
          \(facts)
          it meets \(scenario)
          replay: \(Self.replay(seed, steps, breadth, bug))
        """
    }

    /// What to type to see a seed again.
    static func replay(
        _ seed: UInt64, _ steps: Int, _ breadth: Simulation.Breadth, _ bug: PlantedBug?
    ) -> String {
        let trips = breadth == .mixed ? "" : " --trips \(breadth)"
        let planted = bug.map { " --bug \($0)" } ?? ""
        return "swift run simulate --start \(seed) --seeds 1 --steps \(steps)\(trips) --trace\(planted)"
    }
}

/// A promise that was broken, as the one who notices it says it.
struct Violation: Error {
    let invariant: String
    let facts: String

    init(_ invariant: String, _ facts: String = "") {
        self.invariant = invariant
        self.facts = facts
    }
}
