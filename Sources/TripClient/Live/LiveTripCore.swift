import LocalSystem
import TripModel
import TripProtocol

/// A client's side of one trip, as a value: its connection, its copy of the trip, its changes under way and its
/// drag. Each event returns what to do; it does no I/O, and time and randomness come in.
///
/// There are two copies of the trip. `confirmed` is the newest that the daemon has told. What is shown is made of a
/// confirmed trip (while the user drags, the one from the drag's beginning) and this client's own changes upon it,
/// in their order, as far as they can be made there. A change that the daemon has answered stays upon it until the
/// confirmed trip contains it, for the answer comes before the state; so nothing flickers.
///
/// Changes leave in the order of their `seq`. Those that were not answered when a connection ended are sent again on
/// the next one, after its subscription, and the daemon tells a repeat by its `seq`.
package struct LiveTripCore: Sendable {
    /// What it is told at the beginning.
    package struct Configuration: Sendable {
        /// The trip; once it is known, it is called by its id.
        package var trip: TripReference
        /// Who calls; it names the client.
        package var hello: Hello
        /// Above every number that this client has used before.
        package var firstSequence: Int
        /// Shortens the pauses between attempts.
        package var seed: UInt64
        /// A drag ends as lost after this time without a hover from the app.
        package var dragTimeout: Duration

        /// Makes options.
        package init(
            trip: TripReference, hello: Hello, firstSequence: Int = 1, seed: UInt64,
            dragTimeout: Duration = .seconds(120)
        ) {
            self.trip = trip
            self.hello = hello
            self.firstSequence = firstSequence
            self.seed = seed
            self.dragTimeout = dragTimeout
        }
    }

    /// What the user wants.
    package enum Intent: Equatable, Sendable {
        case edit([Edit])
        case undo
        case redo
        case beginDrag(ItemID)
        case hover(Placement?)
        case drop(Placement)
        case cancelDrag
        /// The cursor is on this item, or on none.
        case focus(ItemID?)
        /// Something that is not of the trip yet is in hand, such as a new item: what is shown stays as it is.
        case hold
        /// It is not any more.
        case release
        /// A request that changes nothing.
        case ask(Question)

        /// Whether `settled` follows.
        var hasOutcome: Bool {
            switch self {
            case .edit, .undo, .redo, .drop, .beginDrag, .ask: true
            case .hover, .cancelDrag, .focus, .hold, .release: false
            }
        }
    }

    /// The outcome of an intent; hover, cancelDrag, focus, hold and release have none.
    package enum Settlement: Equatable, Sendable {
        case changed(ChangeResult)
        case granted(DragStart)
        case history([HistoryEntry])
        case failed(ClientError)
    }

    /// What the driver has to do, in this order.
    package enum Action: Equatable, Sendable {
        /// Connect, and tell by `opened` or `connectFailed`.
        case connect
        /// Send these bytes, whole lines.
        case send([UInt8])
        /// End the connection; that is not to be told.
        case disconnect
        /// `state` or `connection` has changed.
        case stateChanged
        /// An intent has come to its end.
        case settled(intent: Int, Settlement)
    }

    enum Phase: Equatable {
        case idle
        case pausing(until: Duration)
        case connecting
        case greeting(until: Duration)
        case subscribing(until: Duration)
        case live
        case ended
    }

    /// What the answer to a request belongs to.
    enum Expected: Equatable {
        case hello, subscription, hover, focus, ping, nothing
        case change(intent: Int)
        case question(intent: Int)
        case drag(number: Int)
        /// A place for a change that comes in pieces, and one of its pieces.
        case batch(intent: Int)
        case piece(intent: Int)
    }

    /// Changes that may wait for the daemon's answer.
    package static let maximumPending = 256
    /// Changes that may wait for the daemon's answer or for its state, which may take as long as an item is in hand.
    static let maximumKept = 4096
    /// Changes under way at a time: by far fewer than the answers that the daemon keeps, so that one of them which
    /// was made is never too old to be told.
    static let maximumInFlight = 64
    /// How long the daemon may take to answer hello, and to begin a subscription.
    static let patience = Duration.seconds(10)

    let configuration: Configuration
    var reference: TripReference
    var phase = Phase.idle
    /// The time of the event that is handled.
    var now = Duration.zero
    /// How the daemon can be reached, as an app sees it.
    package internal(set) var connection = LiveConnection.connecting(attempt: 1, reason: nil)
    /// Why the last connection ended, while there is none.
    var lastLoss: ClientError?
    var pulse = Pulse()
    /// What others have done and nobody has been told.
    var news = News()
    var attempt = 1
    var backoff: Backoff
    /// What the daemon said of the end that comes.
    var farewell: GoodbyeReason?
    var welcome: Welcome?
    var people: [PresentUser] = []
    /// What the daemon calls this client's user; nil before it has said so.
    var ownName: String?
    /// What this client may do in the trip, as the daemon said last.
    var role: Hello.Role

    var nextRequest = 1
    var expected: [Int: Expected] = [:]

    /// The newest state that the daemon has told.
    var confirmed: ConfirmedTrip?
    /// The state that is shown instead while the user drags.
    var held: ConfirmedTrip?
    /// What is known does not fit what is told: the next subscription begins from nothing.
    var needsSnapshot = false
    /// In the order of their numbers.
    var pending: [PendingChange] = []
    /// The change that is being brought in pieces, if one is.
    var bringing: Bringing?
    /// Questions without an answer, the oldest first.
    var questions: [OpenQuestion] = []
    var nextSequence: Int
    var isFinishing = false
    var drags = DragDesk()
    var focus = Focus()

    private var actions: [Action] = []
    private var hasChanged = false
    private var overlay: (trip: Trip, problems: [Problem])?

    /// Makes one that has not begun; see `start`.
    package init(_ configuration: Configuration) {
        precondition(configuration.hello.clientID != nil, "a client that repeats its changes has a name")
        self.configuration = configuration
        reference = configuration.trip
        ownName = configuration.hello.user
        role = configuration.hello.role
        nextSequence = configuration.firstSequence
        backoff = Backoff(seed: configuration.seed)
    }

    // MARK: What can be seen

    /// The time at which `timer` is to be called next; nil if there is none.
    package var nextDeadline: Duration? {
        let ofConnection: Duration? =
            switch phase {
            case .pausing(let until), .greeting(let until), .subscribing(let until): until
            case .live: pulse.next
            case .idle, .connecting, .ended: nil
            }
        return [ofConnection, isOpen ? drags.renewal : nil, endOfDrag, nextTimeout].compactMap { $0 }.min()
    }

    /// The newest version that the daemon has told, and its history.
    package var since: Since? { confirmed?.since }

    /// Changes that the daemon has not answered.
    package var pendingCount: Int { pending.count { $0.isUnanswered } }

    /// Whether something is pending, or about to be: an item is put down when it is granted.
    package var isDelivering: Bool { pendingCount > 0 || drags.isAsking }

    /// Whether nothing of the user's is on its way, no item being given back either.
    package var isIdle: Bool { pendingCount == 0 && (drags.isFree || phase != .live) }

    /// What others have done since this was asked last, each item once; nothing while it is held back.
    package mutating func takeNews() -> [OthersEdit] { held == nil ? news.take() : [] }

    /// What of this client's own may be in a state that follows a version, besides what it knows to be its own.
    func openChanges(after known: Int) -> News.Open {
        var open = News.Open()
        for change in pending {
            switch change.body {
            case .edits, .drop:
                if change.isUnanswered, change.timesSent > 0 { open.edits += change.edits }
            // What one takes back, only the daemon knows, and its answer does not tell what was removed.
            case .undo, .redo:
                if case .made(let version, _, _) = change.phase, version <= known { continue }
                if change.timesSent > 0 { open.takesBack = true }
            }
        }
        return open
    }

    /// What is to be shown; nil before the first state has come.
    package mutating func state() -> LiveTripState? {
        let held = PlantedBug.shownDuringDrag.isPlanted ? nil : held
        guard let shown = held ?? confirmed, let client = configuration.hello.clientID else { return nil }
        let (trip, problems) = overlaid(shown)
        return LiveTripState(
            trip: trip, problems: problems, epoch: shown.epoch, version: shown.version,
            lastCause: shown.cause, connection: connection, people: people, role: role,
            connectionID: welcome?.connectionID, clientID: client,
            pendingCount: pendingCount,
            unsentCount: pending.count { $0.phase == .waiting || $0.phase == .inDoubt },
            doubtfulCount: pending.count { $0.phase == .inDoubt },
            isCatchingUp: self.held == nil && pending.contains { $0.isTakingBack && !$0.isUnanswered },
            isSilent: phase == .live && pulse.isSilent(at: now), lastLoss: lastLoss,
            waitingVersions: waitingVersions, drag: drags.shown)
    }

    /// The trip as it is shown; nil before the first state has come.
    var shownTrip: Trip? {
        mutating get { (held ?? confirmed).map { overlaid($0).trip } }
    }

    /// Whether the daemon takes a place between two neighbours.
    var takesBoth: Bool { (welcome?.version.minor ?? 0) >= 1 }

    /// Whether the daemon tells the others where the cursor is.
    var takesFocus: Bool { takesBoth }

    /// The trip with this client's changes upon it.
    private mutating func overlaid(_ shown: ConfirmedTrip) -> (trip: Trip, problems: [Problem]) {
        if let overlay { return overlay }
        var result = (trip: shown.trip, problems: shown.problems)
        var isChanged = false
        for change in pending where lay(change, upon: &result.trip) { isChanged = true }
        if PlantedBug.overlayTwice.isPlanted { for change in pending { _ = lay(change, upon: &result.trip) } }
        if isChanged { result.problems = result.trip.problems }
        overlay = result
        return result
    }

    /// The trip that is to be shown, made anew from what the daemon has told and from each change of the user's, once: what
    /// tests hold every screen against. Nil before the first state.
    package func recomputed() -> Trip? {
        guard var trip = (held ?? confirmed)?.trip else { return nil }
        for change in pending { _ = lay(change, upon: &trip) }
        return trip
    }

    /// Makes a change in what is shown; whether it differs then. What cannot be made here is not shown: whether it can
    /// be made is for the daemon to say.
    private func lay(_ change: PendingChange, upon trip: inout Trip) -> Bool {
        guard !change.edits.isEmpty else { return false }
        let author = Author(name: ownName ?? "", at: change.at)
        if let commit = try? trip.apply(change.edits, by: author) { return !commit.isNoop }
        // As it is asked for when the daemon has found so.
        let edits = change.editsElsewhere(in: trip)
        guard edits != change.edits, let commit = try? trip.apply(edits, by: author) else { return false }
        return !commit.isNoop
    }

    /// Shows one more change, the newest: what was laid before it stays as it is.
    mutating func extendOverlay(with change: PendingChange) {
        hasChanged = true
        guard var result = overlay else { return }
        overlay = nil
        if PlantedBug.overlayTwice.isPlanted { return }
        if lay(change, upon: &result.trip) { result.problems = result.trip.problems }
        overlay = result
    }

    /// Versions of others between what is shown and what has come.
    private var waitingVersions: Int {
        guard let held, let confirmed else { return 0 }
        // Another history has no distance to this one.
        guard held.epoch == confirmed.epoch else { return 1 }
        let own = pending.count { change in
            guard case .made(let version, held.epoch, isNoop: false) = change.phase else { return false }
            return version > held.version && version <= confirmed.version
        }
        return max(0, confirmed.version - held.version - own)
    }

    // MARK: Doing

    mutating func add(_ action: Action) { actions.append(action) }

    /// Something beside the shown trip has changed.
    mutating func note() { hasChanged = true }

    /// The shown trip has changed, perhaps.
    mutating func reshape() {
        hasChanged = true
        overlay = nil
    }

    /// Handles one event.
    mutating func handle(at now: Duration, _ body: (inout LiveTripCore) -> Void) -> [Action] {
        self.now = max(now, self.now)
        body(&self)
        if hasChanged { actions.append(.stateChanged) }
        hasChanged = false
        defer { actions = [] }
        return actions
    }

    /// Sends a request and remembers what its answer belongs to.
    mutating func send(_ request: Request, expecting what: Expected) {
        pulse.asked(at: now, isFirst: expected.isEmpty)
        expected[nextRequest] = what
        add(.send(request.line(id: .number(nextRequest))))
        nextRequest += 1
    }
}
