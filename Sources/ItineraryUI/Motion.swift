import TripModel

/// What changes on the screen by time alone. Nothing of it is there with reduced motion.
struct Motion: Sendable {
    /// The rows between the old gap and the new one step aside.
    struct Shuffle: Sendable {
        let steps: Steps
        /// Which of the rows that are left, counted from 0.
        let rows: Range<Int>
    }

    /// A row just put down loses its background.
    struct Fade: Sendable {
        let steps: Steps
        let item: ItemID
    }

    /// A row that may not go where it was dropped returns to its place.
    struct SnapBack: Sendable {
        let steps: Steps
        let item: ItemID
        /// How many of the rows that are left are above the place it begins at.
        let boundary: Int
        let reason: String

        /// The same count for a step on the way to the item's own row.
        func boundary(at step: Int, home: Int) -> Int {
            boundary + (home - boundary) * (step + 1) / (steps.count + 1)
        }
    }

    /// While it lasts the row is just being lifted, and not yet wider.
    var lift: Steps?
    var shuffle: Shuffle?
    var fade: Fade?
    var snapBack: SnapBack?
    /// The handle of a row just grabbed flashes.
    var grabFlash: Steps?
    /// What says a refusal flashes.
    var refusalFlash: Steps?
    var toast: Toast?
    /// Rows that others have changed are marked.
    var news: Steps?

    static let liftTime = Duration.milliseconds(80)
    static let shuffleFrame = Duration.milliseconds(50)
    static let shuffleFrames = 2
    static let fadeTime = Duration.milliseconds(700)
    static let snapBackFrame = Duration.milliseconds(60)
    static let snapBackFrames = 3
    static let newsTime = Duration.seconds(3)
    static let flashTime = Duration.milliseconds(150)

    /// How many columns a row is aside in a step of the shuffle; 0 for all others.
    func indent(ofRemainingRow row: Int, at now: Duration) -> Int {
        guard let shuffle, shuffle.rows.contains(row), let step = shuffle.steps.step(at: now) else {
            return 0
        }
        return Self.shuffleFrames - step
    }

    /// Forgets what is over.
    mutating func expire(at now: Duration) {
        func isOver(_ steps: Steps?) -> Bool { steps?.step(at: now) == nil }
        if isOver(lift) { lift = nil }
        if isOver(shuffle?.steps) { shuffle = nil }
        if isOver(fade?.steps) { fade = nil }
        if isOver(snapBack?.steps) { snapBack = nil }
        if isOver(grabFlash) { grabFlash = nil }
        if isOver(refusalFlash) { refusalFlash = nil }
        if isOver(toast?.steps) { toast = nil }
        if isOver(news) { news = nil }
    }

    /// When something will look different; nil if nothing moves.
    func next(after now: Duration) -> Duration? {
        [lift, shuffle?.steps, fade?.steps, snapBack?.steps, grabFlash, refusalFlash, toast?.steps, news]
            .compactMap { $0?.next(after: now) }.min()
    }
}
