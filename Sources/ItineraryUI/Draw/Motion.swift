import TerminalCore
import TripModel

/// Temporary states of the screen: animations, flashes, the toast, and the marks on items changed by others.
///
/// Methods start them, and `expire` removes finished ones. With reduced motion only the marks exist, which
/// then stay until the next key.
struct Motion: Sendable {
    /// The rows between the old and the new gap are indented.
    struct Shuffle: Sendable {
        let steps: StepAnimation
        /// The range among the remaining rows, 0-based.
        let rows: Range<Int>
    }

    /// The background of a dropped row fades.
    struct Fade: Sendable {
        let steps: StepAnimation
        let item: ItemID
    }

    /// A row dropped at an invalid place returns.
    struct SnapBack: Sendable {
        let steps: StepAnimation
        let item: ItemID
        /// The number of remaining rows above the place where it begins.
        let boundary: Int
        let reason: String

        /// That number at a step on the way back to the item's row.
        func boundary(at step: Int, home: Int) -> Int {
            boundary + (home - boundary) * (step + 1) / (steps.count + 1)
        }
    }

    private(set) var shuffle: Shuffle?
    private(set) var fade: Fade?
    private(set) var snapBack: SnapBack?
    /// The handle of a grabbed row flashes.
    private(set) var grabFlash: StepAnimation?
    /// The message of a refusal flashes.
    private(set) var refusalFlash: StepAnimation?
    private(set) var toast: Toast?
    /// The marked items, which others have changed.
    private(set) var news: Set<ItemID> = []
    /// The time for which they are marked; nil until the next key.
    private var newsSteps: StepAnimation?

    private let isReduced: Bool
    private let flashes: Bool

    init(_ options: EditorOptions) {
        isReduced = options.reduceMotion
        flashes = options.feedback.isVisible
    }

    private static let shuffleFrame = Duration.milliseconds(50)
    private static let shuffleFrames = 2
    private static let fadeTime = Duration.milliseconds(700)
    private static let snapBackFrame = Duration.milliseconds(60)
    private static let snapBackFrames = 3
    private static let newsTime = Duration.seconds(3)
    private static let flashTime = Duration.milliseconds(150)

    // MARK: Starting

    /// Starts the animation of a grabbed item.
    mutating func beginLift(at now: Duration) {
        guard !isReduced else { return }
        if flashes { grabFlash = Self.flash(at: now) }
    }

    /// Indents the rows between two gaps of the dragged item.
    mutating func beginShuffle(from old: Int, to new: Int, at now: Duration) {
        guard !isReduced else { return }
        shuffle = Shuffle(
            steps: StepAnimation(start: now, interval: Self.shuffleFrame, count: Self.shuffleFrames),
            rows: min(old, new)..<max(old, new))
    }

    /// Starts to fade the background of a dropped item.
    mutating func beginFade(of item: ItemID, stages: Int, at now: Duration) {
        guard !isReduced, flashes else { return }
        fade = Fade(
            steps: StepAnimation(start: now, interval: Self.fadeTime / stages, count: stages), item: item)
    }

    /// Starts the return of an item from an invalid place.
    mutating func beginSnapBack(of item: ItemID, from boundary: Int, _ reason: String, at now: Duration) {
        guard !isReduced else { return }
        snapBack = SnapBack(
            steps: StepAnimation(start: now, interval: Self.snapBackFrame, count: Self.snapBackFrames),
            item: item, boundary: boundary, reason: reason)
    }

    mutating func flashRefusal(at now: Duration) {
        if !isReduced, flashes { refusalFlash = Self.flash(at: now) }
    }

    mutating func show(_ kind: Toast.Kind, at now: Duration) {
        if !isReduced { toast = Toast(kind, now: now) }
    }

    /// Marks items changed by others, for some seconds.
    mutating func mark(_ items: [ItemID], at now: Duration) {
        news.formUnion(items)
        if !isReduced, !news.isEmpty {
            newsSteps = StepAnimation(start: now, interval: Self.newsTime, count: 1)
        }
    }

    private static func flash(at now: Duration) -> StepAnimation {
        StepAnimation(start: now, interval: flashTime, count: 1)
    }

    // MARK: Ending

    /// Ends the animations of a drag.
    mutating func endDrag() { shuffle = nil }

    /// Ends the return of an item.
    mutating func endSnapBack() { snapBack = nil }

    mutating func hideToast() { toast = nil }

    /// Removes the marks, because the user has pressed a key.
    mutating func unmark() { (news, newsSteps) = ([], nil) }

    /// Ends all animations; marks stay until the next key.
    mutating func stop() {
        (shuffle, fade, snapBack) = (nil, nil, nil)
        (grabFlash, refusalFlash, toast, newsSteps) = (nil, nil, nil, nil)
    }

    // MARK: Current state

    /// The number of columns by which a row is indented; 0 for most.
    func indent(ofRemainingRow row: Int, at now: Duration) -> Int {
        guard let shuffle, shuffle.rows.contains(row), let step = shuffle.steps.step(at: now) else {
            return 0
        }
        return Self.shuffleFrames - step
    }

    /// Removes finished animations.
    mutating func expire(at now: Duration) {
        func isOver(_ steps: StepAnimation?) -> Bool { steps?.step(at: now) == nil }
        if isOver(shuffle?.steps) { shuffle = nil }
        if isOver(fade?.steps) { fade = nil }
        if isOver(snapBack?.steps) { snapBack = nil }
        if isOver(grabFlash) { grabFlash = nil }
        if isOver(refusalFlash) { refusalFlash = nil }
        if isOver(toast?.steps) { toast = nil }
        if newsSteps != nil, isOver(newsSteps) { unmark() }
    }

    /// The time of the next visible change; nil if nothing is animated.
    func next(after now: Duration) -> Duration? {
        [
            shuffle?.steps, fade?.steps, snapBack?.steps, grabFlash, refusalFlash, toast?.steps,
            newsSteps,
        ]
        .compactMap { $0?.next(after: now) }.min()
    }
}

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

/// A short message that stays for some seconds, independent of keys.
struct Toast: Sendable {
    enum Kind: Equatable, Sendable {
        /// The last change can be undone, with the key; also after the toast has disappeared.
        case undo(key: KeyStroke)
        /// The reason for a refusal.
        case reason(String)
    }

    let kind: Kind
    let steps: StepAnimation

    private static let time = Duration.seconds(5)

    init(_ kind: Kind, now: Duration) {
        self.kind = kind
        steps = StepAnimation(start: now, interval: Self.time, count: 1)
    }

    var text: String {
        switch kind {
        case .undo(let key): "\(key) undo"
        case .reason(let text): text
        }
    }
}
