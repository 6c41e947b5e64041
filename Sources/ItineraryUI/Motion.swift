import TripModel

/// What is on the screen for a while only: what moves or flashes, the toast, and the marks on what others have changed.
///
/// Its verbs begin something, and `expire` forgets what is over. With reduced motion nothing begins but the marks, which then
/// stay until the next key.
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
    private(set) var lift: Steps?
    private(set) var shuffle: Shuffle?
    private(set) var fade: Fade?
    private(set) var snapBack: SnapBack?
    /// The handle of a row just grabbed flashes.
    private(set) var grabFlash: Steps?
    /// What says a refusal flashes.
    private(set) var refusalFlash: Steps?
    private(set) var toast: Toast?
    /// Items that others have changed, which are marked.
    private(set) var news: Set<ItemID> = []
    /// How long they are; nil until the next key.
    private var newsSteps: Steps?

    private let isReduced: Bool
    private let flashes: Bool

    init(_ options: EditorOptions) {
        isReduced = options.reduceMotion
        flashes = options.feedback.isVisible
    }

    private static let liftTime = Duration.milliseconds(80)
    private static let shuffleFrame = Duration.milliseconds(50)
    private static let shuffleFrames = 2
    private static let fadeTime = Duration.milliseconds(700)
    private static let snapBackFrame = Duration.milliseconds(60)
    private static let snapBackFrames = 3
    private static let newsTime = Duration.seconds(3)
    private static let flashTime = Duration.milliseconds(150)

    // MARK: What begins

    /// An item is grabbed: one step until it is raised, and its handle flashes.
    mutating func beginLift(at now: Duration) {
        guard !isReduced else { return }
        lift = Steps(start: now, interval: Self.liftTime, count: 1)
        if flashes { grabFlash = Self.flash(at: now) }
    }

    /// The lifted item goes from one gap to another: the rows between step aside.
    mutating func beginShuffle(from old: Int, to new: Int, at now: Duration) {
        guard !isReduced else { return }
        shuffle = Shuffle(
            steps: Steps(start: now, interval: Self.shuffleFrame, count: Self.shuffleFrames),
            rows: min(old, new)..<max(old, new))
    }

    /// An item is put down: its background fades in stages.
    mutating func beginFade(of item: ItemID, stages: Int, at now: Duration) {
        guard !isReduced, flashes else { return }
        fade = Fade(steps: Steps(start: now, interval: Self.fadeTime / stages, count: stages), item: item)
    }

    /// An item goes home from where it may not be.
    mutating func beginSnapBack(of item: ItemID, from boundary: Int, _ reason: String, at now: Duration) {
        guard !isReduced else { return }
        snapBack = SnapBack(
            steps: Steps(start: now, interval: Self.snapBackFrame, count: Self.snapBackFrames),
            item: item, boundary: boundary, reason: reason)
    }

    mutating func flashRefusal(at now: Duration) {
        if !isReduced, flashes { refusalFlash = Self.flash(at: now) }
    }

    mutating func show(_ kind: Toast.Kind, at now: Duration) {
        if !isReduced { toast = Toast(kind, now: now) }
    }

    /// Marks what others have changed, for some seconds.
    mutating func mark(_ items: [ItemID], at now: Duration) {
        news.formUnion(items)
        if !isReduced, !news.isEmpty {
            newsSteps = Steps(start: now, interval: Self.newsTime, count: 1)
        }
    }

    private static func flash(at now: Duration) -> Steps {
        Steps(start: now, interval: flashTime, count: 1)
    }

    // MARK: What ends

    /// Nothing is in hand any more.
    mutating func endDrag() { (lift, shuffle) = (nil, nil) }

    /// An item on its way home is there at once.
    mutating func endSnapBack() { snapBack = nil }

    mutating func hideToast() { toast = nil }

    /// The user has seen what others have changed.
    mutating func unmark() { (news, newsSteps) = ([], nil) }

    /// Nothing moves any more; what is marked stays so until the next key.
    mutating func stop() {
        (lift, shuffle, fade, snapBack) = (nil, nil, nil, nil)
        (grabFlash, refusalFlash, toast, newsSteps) = (nil, nil, nil, nil)
    }

    // MARK: What is to be seen

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
        if newsSteps != nil, isOver(newsSteps) { unmark() }
    }

    /// When something will look different; nil if nothing moves.
    func next(after now: Duration) -> Duration? {
        [
            lift, shuffle?.steps, fade?.steps, snapBack?.steps, grabFlash, refusalFlash, toast?.steps,
            newsSteps,
        ]
        .compactMap { $0?.next(after: now) }.min()
    }
}
