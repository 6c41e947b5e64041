import LocalSystem
import TripModel
import TripProtocol

/// The state machine of a client for one trip, as a value: its connection, its copy of the trip, its pending
/// changes and its drag. Each event returns actions; it does no I/O, and time and randomness are parameters.
///
/// There are two copies of the trip. `confirmed` is the newest one from the daemon. The shown trip is a
/// confirmed one (during a drag, the one from its beginning) with this client's pending changes applied in
/// order, as far as possible. An answered change stays pending until the confirmed trip contains it, because
/// its answer precedes the state; so nothing flickers.
///
/// Changes are sent in the order of their `seq`. Changes without an answer at the end of a connection are
/// sent again on the next one, after its subscription, and the daemon recognizes them by their `seq`.
package struct LiveTripCore: Sendable {
    /// The configuration of a core.
    package struct Configuration: Sendable {
        /// The trip; once known, it is referred to by its id.
        package var trip: TripReference
        /// The hello, which contains the client's id.
        package var hello: Hello
        /// A number above all that this client has used before.
        package var firstSequence: Int
        /// Randomizes the pauses between attempts.
        package var seed: UInt64
        /// The time without a hover from the app after which a drag is abandoned.
        package var dragTimeout: Duration

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

    /// An action that the user wants.
    package enum Intent: Equatable, Sendable {
        case edit([Edit])
        case undo
        case redo
        case beginDrag(ItemID)
        case hover(Placement?)
        case drop(Placement)
        case cancelDrag
        /// The cursor is on this row, or on none.
        case focus(ListRow?)
        /// Pauses the shown trip: the user drags something that is not in the trip yet, such as a new item.
        case hold
        /// Ends `hold`.
        case release
        /// A request without side effects.
        case ask(Question)

        /// True if `resolved` follows.
        var hasOutcome: Bool {
            switch self {
            case .edit, .undo, .redo, .drop, .beginDrag, .ask: true
            case .hover, .cancelDrag, .focus, .hold, .release: false
            }
        }
    }

    /// The outcome of an intent; hover, cancelDrag, focus, hold and release have none.
    package enum Resolution: Equatable, Sendable {
        case changed(ChangeResult)
        case granted(DragStart)
        case history([HistoryEntry])
        case failed(ClientError)
    }

    /// The actions that the driver must run, in order.
    package enum Action: Equatable, Sendable {
        /// Connect, and report `opened` or `connectFailed`.
        case connect
        /// Send these bytes, which are whole lines.
        case send([UInt8])
        /// End the connection, without reporting its loss.
        case disconnect
        /// `state` or `connection` has changed.
        case stateChanged
        /// An intent has its outcome.
        case resolved(intent: Int, Resolution)
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

    /// The state of the open connection, discarded when it ends.
    struct Link {
        var welcome: Welcome?
        var people: [PresentUser] = []
        /// The purposes of the unanswered requests.
        var expected: [Int: Expected] = [:]
        /// The change that is being sent in pieces.
        var upload: Upload?
        var pulse = Pulse()
        /// The reason of the daemon's goodbye.
        var farewell: GoodbyeReason?
    }

    /// The request to which an answer belongs.
    enum Expected: Equatable {
        case hello, subscription, hover, focus, ping, nothing
        case change(intent: Int)
        case question(intent: Int)
        case drag(number: Int)
        /// The opening of a batch, and one of its pieces.
        case batch(intent: Int)
        case piece(intent: Int)
    }

    /// Maximum number of unanswered changes.
    package static let maximumPending = 256
    /// Maximum number of changes that wait for an answer or for a state that contains them, which may take as
    /// long as a drag.
    static let maximumRetained = 4096
    /// Maximum number of changes in flight: far fewer than the daemon's cached answers, so that an applied
    /// one can always be answered.
    static let maximumInFlight = 64
    /// The timeout for the answers to hello and to a subscription.
    static let timeout = Duration.seconds(10)

    let configuration: Configuration
    var reference: TripReference
    var phase = Phase.idle
    var link = Link()
    /// The time of the current event.
    var now = Duration.zero
    /// The state of the connection for the app.
    package internal(set) var connection = LiveTrip.Connection.connecting(attempt: 1, reason: nil)
    /// The reason why the last connection ended; nil while connected.
    var lastLoss: ClientError?
    /// The edits of others that were not taken yet.
    var news = News()
    var attempt = 1
    var backoff: Backoff
    /// See `LiveTrip.State.user`.
    var ownName: String?
    /// This client's role in the trip, as last reported by the daemon.
    var role: Hello.Role

    var nextRequest = 1

    /// The newest state from the daemon.
    var confirmed: ConfirmedTrip?
    /// The state that is shown instead during a drag.
    var held: ConfirmedTrip?
    /// The known state contradicts the daemon's: the next subscription starts with a snapshot.
    var needsSnapshot = false
    /// Ordered by their numbers.
    var pending: [PendingChange] = []
    /// Unanswered questions, the oldest first.
    var questions: [OpenQuestion] = []
    var nextSequence: Int
    var isFinishing = false
    var drags = DragDesk()
    var focus = Focus()

    private var actions: [Action] = []
    private var hasChanged = false
    private var overlay: (trip: Trip, problems: [Problem])?

    /// Creates a core that has not started; see `start`.
    package init(_ configuration: Configuration) {
        precondition(configuration.hello.clientID != nil, "a client that retries its changes has an id")
        self.configuration = configuration
        reference = configuration.trip
        ownName = configuration.hello.user
        role = configuration.hello.role
        nextSequence = configuration.firstSequence
        backoff = Backoff(seed: configuration.seed)
    }

    // MARK: The shown state

    /// The next time to call `timer`; nil for none.
    package var nextDeadline: Duration? {
        let ofConnection: Duration? =
            switch phase {
            case .pausing(let until), .greeting(let until), .subscribing(let until): until
            case .live: link.pulse.next
            case .idle, .connecting, .ended: nil
            }
        return [ofConnection, isOpen ? drags.renewal : nil, endOfDrag, nextTimeout].compactMap { $0 }.min()
    }

    /// The epoch and version of the newest state from the daemon.
    package var since: Since? { confirmed?.since }

    /// The number of unanswered changes.
    package var pendingCount: Int { pending.count { $0.isUnanswered } }

    /// True if something is pending or about to be: a drop that waits for its lease.
    package var isDelivering: Bool { pendingCount > 0 || drags.isAsking }

    /// True if no change of the user and no cancellation of a drag is in flight.
    package var isIdle: Bool { pendingCount == 0 && (drags.isFree || phase != .live) }

    /// Removes and returns the edits of others, one per item; empty while the shown trip is paused.
    package mutating func takeNews() -> [LiveTrip.OthersEdit] { held == nil ? news.take() : [] }

    /// This client's changes that a state after a version may contain, although their own versions are unknown.
    func openChanges(after known: Int) -> News.Open {
        var open = News.Open()
        for change in pending {
            switch change.body {
            case .edits, .drop:
                if change.isUnanswered, change.timesSent > 0 { open.edits += change.edits }
            // Only the daemon knows which change an undo reverses, and its answer does not list removed items.
            case .undo, .redo:
                if case .applied(let version, _, _) = change.phase, version <= known { continue }
                if change.timesSent > 0 { open.hasReversal = true }
            }
        }
        return open
    }

    /// The state to show; nil before the first one.
    package mutating func state() -> LiveTrip.State? {
        guard let shown = held ?? confirmed, let client = configuration.hello.clientID else { return nil }
        let (trip, problems) = overlaid(shown)
        return LiveTrip.State(
            trip: trip, problems: problems, epoch: shown.epoch, version: shown.version,
            lastCause: shown.cause, connection: connection, people: link.people, user: ownName,
            role: role, connectionID: link.welcome?.connectionID, clientID: client,
            pendingCount: pendingCount,
            unsentCount: pending.count { $0.phase == .waiting || $0.phase == .inDoubt },
            doubtfulCount: pending.count { $0.phase == .inDoubt },
            isCatchingUp: self.held == nil && pending.contains { $0.isReversal && !$0.isUnanswered },
            isSilent: phase == .live && link.pulse.isSilent(at: now), lastLoss: lastLoss,
            waitingVersions: waitingVersions, drag: drags.shown)
    }

    /// The shown trip; nil before the first state.
    var shownTrip: Trip? {
        mutating get { (held ?? confirmed).map { overlaid($0).trip } }
    }

    /// True if the daemon accepts a place between two neighbours.
    var acceptsBetween: Bool { (link.welcome?.version.minor ?? 0) >= 1 }

    /// True if the daemon sends cursors to the others.
    var takesFocus: Bool { acceptsBetween }

    /// The trip with this client's pending changes.
    private mutating func overlaid(_ shown: ConfirmedTrip) -> (trip: Trip, problems: [Problem]) {
        if let overlay { return overlay }
        var result = (trip: shown.trip, problems: shown.problems)
        var isChanged = false
        for change in pending where apply(change, upon: &result.trip) { isChanged = true }
        if isChanged { result.problems = result.trip.problems }
        overlay = result
        return result
    }

    /// The shown trip, computed from scratch with each pending change applied once, for tests. Nil before the
    /// first state.
    package func recomputed() -> Trip? {
        guard var trip = (held ?? confirmed)?.trip else { return nil }
        for change in pending { _ = apply(change, upon: &trip) }
        return trip
    }

    /// Applies a pending change to the shown trip. Returns whether it has an effect. A change that cannot be
    /// applied here is not shown, because only the daemon can decide about it.
    private func apply(_ change: PendingChange, upon trip: inout Trip) -> Bool {
        guard !change.edits.isEmpty else { return false }
        let author = Author(name: ownName ?? "", at: change.at)
        if let commit = try? trip.apply(change.edits, by: author) { return !commit.isNoop }
        // With the place that a retry would use.
        let edits = change.editsWithoutLostAnchors(in: trip)
        guard edits != change.edits, let commit = try? trip.apply(edits, by: author) else { return false }
        return !commit.isNoop
    }

    /// Shows one more change, the newest, on top of the others.
    mutating func extendOverlay(with change: PendingChange) {
        hasChanged = true
        guard var result = overlay else { return }
        overlay = nil
        if apply(change, upon: &result.trip) { result.problems = result.trip.problems }
        overlay = result
    }

    /// The number of versions by others between the shown and the newest state.
    private var waitingVersions: Int {
        guard let held, let confirmed else { return 0 }
        // Versions of different epochs cannot be subtracted.
        guard held.epoch == confirmed.epoch else { return 1 }
        let own = pending.count { change in
            guard case .applied(let version, held.epoch, isNoop: false) = change.phase else { return false }
            return version > held.version && version <= confirmed.version
        }
        return max(0, confirmed.version - held.version - own)
    }

    // MARK: Doing

    mutating func add(_ action: Action) { actions.append(action) }

    /// Records a change beside the shown trip.
    mutating func note() { hasChanged = true }

    /// Recomputes the shown trip, which may have changed.
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

    /// Sends a request and remembers the purpose of its answer.
    mutating func send(_ request: Request, expecting what: Expected) {
        link.pulse.asked(at: now, isFirst: link.expected.isEmpty)
        link.expected[nextRequest] = what
        add(.send(request.line(id: .number(nextRequest))))
        nextRequest += 1
    }
}
