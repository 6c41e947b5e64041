import TripModel

/// What has changed before the user's eyes a moment ago other than by their own hand. The next key may have been meant for
/// what was there before: it does nothing to what is there now.
///
/// What the user removes themselves surprises nobody, and who moves the cursor knows what it is on.
struct Surprises: Sendable {
    /// Another row is in focus than the user thinks.
    private struct Displacement: Sendable {
        let sentence: String
        var until: Duration
        /// The list was not what the user looked at: it counts from when the user comes back to it.
        var isCovered: Bool
    }

    private var displacement: Displacement?
    /// When others changed what is on the screen.
    private var lastNews: Duration?
    /// When anything on the screen changed last that the user did not change.
    private var lastChange: Duration?
    /// Items that the user has removed and that no view has shown gone.
    private var ownRemovals: Set<ItemID> = []
    /// When the user last asked for a change to be taken back or made again.
    private var takingBack: Duration?

    /// How long after something has changed a key that would do something to it is not taken.
    static let time = Duration.seconds(1)
    /// How long after a change by others a removal asks first.
    private static let newsTime = Duration.milliseconds(500)
    /// How soon after a key nobody has decided yet what the next one is for.
    static let glance = Duration.milliseconds(300)

    // MARK: What happens

    /// Others have changed the trip.
    mutating func noteNews(at now: Duration) { lastNews = now }

    /// Something is on the screen that was not there.
    mutating func noteChange(at now: Duration) { lastChange = now }

    /// Something else is in focus, or what was to be in focus is not.
    ///
    /// - Parameter isCovered: whether the user does not see the list now.
    mutating func displace(_ sentence: String, at now: Duration, isCovered: Bool = false) {
        displacement = Displacement(sentence: sentence, until: now + Self.time, isCovered: isCovered)
    }

    /// The user has put the focus where it is.
    mutating func endDisplacement() { displacement = nil }

    /// The user sees the list again: what is said of the focus, if something else took it meanwhile.
    mutating func uncover(at now: Duration) -> String? {
        guard displacement?.isCovered == true else { return nil }
        displacement?.isCovered = false
        displacement?.until = now + Self.time
        return displacement?.sentence
    }

    /// The user removes an item.
    mutating func noteOwnRemoval(of item: ItemID) { ownRemovals.insert(item) }

    /// The user asks for a change to be taken back or made again.
    mutating func noteTakingBack(at now: Duration) { takingBack = now }

    /// A view has shown what became of removals: those of items that are still in the trip may yet be shown.
    mutating func forgetRemovals(shownBy trip: Trip) { ownRemovals = ownRemovals.filter { trip[$0] != nil } }

    /// A change was not made: what is in the trip after all may yet be removed by others.
    mutating func forgetRemovals(notMadeIn trip: Trip?) {
        ownRemovals = ownRemovals.filter { trip?[$0] == nil }
    }

    // MARK: What follows from it

    /// Whether the user has removed an item themselves.
    func isOwnRemoval(of item: ItemID) -> Bool { ownRemovals.contains(item) }

    /// Whether what the user took back, or made again, comes before they can have decided what to do next.
    func isAwaitingTakingBack(at now: Duration) -> Bool {
        takingBack.map { now <= $0 + Self.glance } ?? false
    }

    /// What is said of the focus, if it has just been displaced.
    func displacedSentence(at now: Duration) -> String? {
        displacement.flatMap { now < $0.until ? $0.sentence : nil }
    }

    /// Whether a removal may have been meant for another row.
    func isNews(at now: Duration) -> Bool { lastNews.map { now < $0 + Self.newsTime } ?? false }

    /// Whether a key may fail for a change that the user has not seen.
    func isChange(at now: Duration) -> Bool { lastChange.map { now < $0 + Self.time } ?? false }
}
