/// An animation in equal steps from a start time.
struct StepAnimation: Equatable, Sendable {
    let start: Duration
    let interval: Duration
    let count: Int

    /// The index of the current step; nil after the last.
    func step(at now: Duration) -> Int? {
        (0..<count).first { now < start + interval * ($0 + 1) }
    }

    /// The time of the next step or the end; nil after it.
    func next(after now: Duration) -> Duration? {
        step(at: now).map { start + interval * ($0 + 1) }
    }
}
