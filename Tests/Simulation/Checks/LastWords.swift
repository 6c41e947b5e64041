import CLastWords

/// Prints the running seed on standard error if the process traps.
enum LastWords {
    /// Sets the seed of a simulation.
    static func prepare(_ seed: UInt64, _ steps: Int, _ breadth: Simulation.Breadth) {
        prepare(seed, replay: SimulationFailure.replay(seed, steps, breadth))
    }

    /// Sets the command that replays a seed.
    static func prepare(_ seed: UInt64, replay: String) {
        let words = "\nseed \(seed): the process died\n  replay: \(replay)\n  in step "
        Array(words.utf8).withUnsafeBytes { last_words_set($0.baseAddress, $0.count) }
    }

    /// Sets the step.
    static func note(step: Int) { last_words_set_number(step) }

    /// Clears the seed.
    static func end() { last_words_set("", 0) }
}
