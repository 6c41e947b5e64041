import TripModel

/// Recent changes on the screen that the user did not cause. The next key may have been meant for the
/// previous state, so it has no effect on the new one.
///
/// The user's own removals do not count, and moving the cursor ends the protection.
struct UnexpectedChanges: Sendable {
    /// The focus is on another row than the user expects.
    private struct Displacement: Sendable {
        let sentence: String
        var until: Duration
        /// Whether the list is not visible; then it counts from when the user returns to it.
        var isCovered: Bool
    }

    private var displacement: Displacement?
    /// The time of others' last change of visible items.
    private var lastNews: Duration?
    /// The time of the last change on the screen that the user did not cause.
    private var lastChange: Duration?
    /// The user's removals that no view shows yet.
    private var ownRemovals: Set<ItemID> = []
    /// The time of the user's last undo or redo.
    private var lastUndo: Duration?

    /// How long after a change a key that would affect it is refused.
    static let time = Duration.seconds(1)
    /// How long after others' changes a removal asks first.
    private static let newsTime = Duration.milliseconds(500)
    /// The time after a key within which no user can have decided on the next one.
    static let glance = Duration.milliseconds(300)

    // MARK: Changes

    /// Records that others have changed the trip.
    mutating func noteNews(at now: Duration) { lastNews = now }

    /// Records new content on the screen.
    mutating func noteChange(at now: Duration) { lastChange = now }

    /// Records that the focus is on another row than expected.
    ///
    /// - Parameter isCovered: whether the list is not visible.
    mutating func displace(_ sentence: String, at now: Duration, isCovered: Bool = false) {
        displacement = Displacement(sentence: sentence, until: now + Self.time, isCovered: isCovered)
    }

    /// Records that the user has moved the focus.
    mutating func endDisplacement() { displacement = nil }

    /// Records that the list is visible again; returns the message if the focus has changed meanwhile.
    mutating func uncover(at now: Duration) -> String? {
        guard displacement?.isCovered == true else { return nil }
        displacement?.isCovered = false
        displacement?.until = now + Self.time
        return displacement?.sentence
    }

    /// Records the user's removal of an item.
    mutating func noteOwnRemoval(of item: ItemID) { ownRemovals.insert(item) }

    /// Records the user's undo or redo.
    mutating func noteUndo(at now: Duration) { lastUndo = now }

    /// Forgets removals that a view shows.
    mutating func forgetRemovals(shownBy trip: Trip) { ownRemovals = ownRemovals.filter { trip[$0] != nil } }

    /// Forgets failed removals: an item that is still in the trip may later be removed by others.
    mutating func forgetRemovals(notMadeIn trip: Trip?) {
        ownRemovals = ownRemovals.filter { trip?[$0] == nil }
    }

    // MARK: Queries

    /// Whether the user has removed an item.
    func isOwnRemoval(of item: ItemID) -> Bool { ownRemovals.contains(item) }

    /// Whether the effect of an undo or redo is shown before the user can have decided on the next key.
    func isAwaitingUndo(at now: Duration) -> Bool {
        lastUndo.map { now <= $0 + Self.glance } ?? false
    }

    /// The message about the focus, if it has just changed.
    func displacedSentence(at now: Duration) -> String? {
        displacement.flatMap { now < $0.until ? $0.sentence : nil }
    }

    /// Whether a removal may have been meant for another row.
    func isNews(at now: Duration) -> Bool { lastNews.map { now < $0 + Self.newsTime } ?? false }

    /// Whether a key may fail because of a change that the user has not seen.
    func isChange(at now: Duration) -> Bool { lastChange.map { now < $0 + Self.time } ?? false }
}

/// A message that the user must acknowledge before keys apply.
struct Notice: Sendable {
    /// The mode after it.
    enum Next: Sendable {
        case list
        /// A form whose change failed, with its text.
        case form(TripForm)
        /// A list to choose from.
        case chooser(Chooser)
    }

    let sentence: String
    var next = Next.list
    /// The time after which a key acknowledges it; earlier ones were typed for something else.
    var readFrom = Duration.zero
}

extension EditorState {
    /// Holds keys until the user has acknowledged a message.
    mutating func beginAcknowledging(_ sentence: String) { hold(Notice(sentence: sentence)) }

    /// Returns to an earlier mode after a failure. Keys typed for the failed screen are dropped.
    mutating func comeBack(to next: Notice.Next, saying sentence: String) {
        hold(Notice(sentence: sentence, next: next, readFrom: now + UnexpectedChanges.time))
    }

    /// Shows a message and holds keys. Lines that were typed ahead were dropped.
    private mutating func hold(_ notice: Notice) {
        begin(options.style.guardsKeys ? .acknowledging(notice) : mode(behind: notice))
        refuse(notice.sentence)
    }

    mutating func acknowledge(_ notice: Notice) {
        guard now >= notice.readFrom else { return refuse(notice.sentence) }
        begin(mode(behind: notice))
    }

    private func mode(behind notice: Notice) -> Mode {
        switch notice.next {
        case .list: .browsing
        case .form(let form): .planning(form)
        case .chooser(let chooser): .choosing(chooser)
        }
    }
}
