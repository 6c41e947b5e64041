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
    /// The bug that was planted, if one was.
    package let bug: String?

    package var description: String {
        let planted = bug.map { " --bug \($0)" } ?? ""
        return """
            seed \(seed), step \(step): \(invariant)
              \(facts)
              replay: swift run simulate --start \(seed) --seeds 1 --steps \(steps) --trace\(planted)
            """
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
