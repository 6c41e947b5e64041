/// A movement in equal steps, begun at a moment of the editor's clock.
struct Steps: Equatable, Sendable {
    let start: Duration
    let interval: Duration
    let count: Int

    /// Which step is on the screen, counted from 0; nil when all are over.
    func step(at now: Duration) -> Int? {
        (0..<count).first { now < start + interval * ($0 + 1) }
    }

    /// When the next step, or the end, comes; nil when it has come.
    func next(after now: Duration) -> Duration? {
        step(at: now).map { start + interval * ($0 + 1) }
    }
}
