import CLastWords
import LocalSystem

/// Names the seed that this thread runs, on the standard error, if the process traps in it.
enum LastWords {
    /// A seed begins.
    static func prepare(_ seed: UInt64, _ steps: Int, _ breadth: Simulation.Breadth, _ bug: PlantedBug?) {
        prepare(seed, replay: SimulationFailure.replay(seed, steps, breadth, bug))
    }

    /// A seed begins, of any world.
    static func prepare(_ seed: UInt64, replay: String) {
        let words = "\nseed \(seed): the process died\n  replay: \(replay)\n  in step "
        Array(words.utf8).withUnsafeBytes { last_words_set($0.baseAddress, $0.count) }
    }

    /// A step begins.
    static func note(step: Int) { last_words_set_number(step) }

    /// What comes is none of a seed's.
    static func end() { last_words_set("", 0) }
}
