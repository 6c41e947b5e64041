import LocalSystem
import TripModel
import TripProtocol

/// Connecting, losing the connection, and the end.
extension LiveTripCore {
    /// Begins.
    package mutating func start(now: Duration) -> [Action] {
        handle(at: now) { core in
            guard core.phase == .idle else { return }
            core.phase = .connecting
            core.add(.connect)
        }
    }

    /// There is a connection.
    package mutating func opened(now: Duration) -> [Action] {
        handle(at: now) { core in
            guard core.phase == .connecting else { return }
            core.phase = .greeting(until: core.now + Self.patience)
            core.send(.hello(core.configuration.hello), expecting: .hello)
        }
    }

    /// There is none.
    ///
    /// - Parameter isFatal: whether trying again makes no sense.
    package mutating func connectFailed(_ error: ClientError, isFatal: Bool, now: Duration) -> [Action] {
        handle(at: now) { core in
            guard core.phase == .connecting else { return }
            if isFatal { core.end(error) } else { core.pause(after: error) }
        }
    }

    /// The connection has ended.
    package mutating func lost(_ error: ClientError, now: Duration) -> [Action] {
        handle(at: now) { core in
            if core.isOpen { core.disconnected(error) }
        }
    }

    /// A deadline has come.
    package mutating func timer(now: Duration) -> [Action] {
        handle(at: now) { core in
            switch core.phase {
            case .pausing(let until) where until <= core.now:
                core.phase = .connecting
                core.add(.connect)
            case .greeting(let until) where until <= core.now,
                .subscribing(let until) where until <= core.now:
                core.drop(.unreachable("the daemon does not answer"))
            default:
                core.renewDrag()
                core.feelPulse()
            }
            core.endAbandonedDrag()
            core.endTimedOut()
        }
    }

    /// Notices a daemon that does not answer.
    private mutating func feelPulse() {
        guard phase == .live else { return }
        if pulse.isDead(at: now) { return drop(.unreachable("the daemon does not answer")) }
        if pulse.tellSilence(at: now) { note() }
        if pulse.wantsWord(at: now) { send(.ping, expecting: .ping) }
    }

    /// Connects at once, where a pause would come first.
    package mutating func connectNow(now: Duration) -> [Action] {
        handle(at: now) { core in
            guard case .pausing = core.phase else { return }
            core.phase = .connecting
            core.add(.connect)
        }
    }

    /// Takes no more changes; what is pending is still delivered.
    package mutating func finish() {
        isFinishing = true
        guard PlantedBug.dropLostAtQuit.isPlanted else { return }
        pending.removeAll { if case .drop(_, _, _, nil) = $0.body { true } else { false } }
    }

    /// Ends it now; what is not answered is given up.
    package mutating func close(now: Duration) -> [Action] {
        handle(at: now) { core in
            let why = core.connection == .connected ? "no answer came in time" : core.lastLoss.map { "\($0)" }
            core.end(.clientClosed, because: why)
        }
    }

    // MARK: Greeting and subscribing

    mutating func welcomed(_ welcome: Welcome) {
        self.welcome = welcome
        subscribe()
    }

    /// Asks for the trip, from what is known of it on.
    mutating func subscribe() {
        phase = .subscribing(until: now + Self.patience)
        // Newer states come during a drag too: they are held back here, and counted.
        send(
            .subscribe(
                Subscribe(
                    trip: reference, mode: .delta, since: needsSnapshot ? nil : confirmed?.since,
                    defersWhileDragging: false)),
            expecting: .subscription)
    }

    mutating func subscribed(_ subscription: Subscription) {
        if let own = subscription.users.first(where: { $0.connectionID == welcome?.connectionID }) {
            ownName = own.user
            // In one trip somebody may do less than elsewhere.
            role = own.role
        } else if let welcome {
            role = welcome.role
        }
        switch subscription.start {
        case .snapshot(let snapshot): confirmed = ConfirmedTrip(snapshot)
        case .delta(let delta):
            do throws(ConfirmedTrip.Misfit) {
                guard let before = try confirmed?.apply(delta) else { throw .gap }
                note(delta, upon: before)
            } catch {
                return subscribeAnew()
            }
        case .upToDate:
            if confirmed == nil { return subscribeAnew() }
        }
        needsSnapshot = false
        people = subscription.users
        phase = .live
        connection = .connected
        lastLoss = nil
        attempt = 1
        backoff.reset()
        if let id = confirmed?.trip.header.id { reference = .id(id) }
        // All that was answered was answered before this, and is contained in it, or no history has it.
        containMade()
        showNewest()
        pump()
        tellFocus()
    }

    /// Subscribes again and takes nothing for granted.
    mutating func subscribeAnew() {
        needsSnapshot = true
        subscribe()
    }

    /// Whether an error of hello or of a subscription may pass by itself; retrying after any other is pointless.
    static func isPassing(_ error: RemoteError) -> Bool {
        switch error.known {
        case .internalError, .storageFull, .storageFailed, .outcomeUnknown, .shuttingDown: true
        default: false
        }
    }

    /// Hello or a subscription was refused.
    mutating func turnedAway(_ error: RemoteError) {
        if Self.isPassing(error) { drop(.refused(error)) } else { end(.refused(error)) }
    }

    // MARK: Losing it

    /// Whether there is a connection.
    var isOpen: Bool {
        switch phase {
        case .greeting, .subscribing, .live: true
        case .idle, .pausing, .connecting, .ended: false
        }
    }

    /// Ends the connection, and tries again.
    mutating func drop(_ error: ClientError) {
        add(.disconnect)
        disconnected(error)
    }

    private mutating func disconnected(_ error: ClientError) {
        let reason = farewell.map { ClientError.closed($0) } ?? error
        // A connection that came no further than hello is no connection that was lost.
        switch phase {
        case .subscribing, .live: lastLoss = reason
        case .idle, .pausing, .connecting, .greeting, .ended: break
        }
        forgetConnection()
        pause(after: reason)
        loseDrags(.disconnected, settlingAs: .notMade("the connection to the daemon was lost: \(reason)"))
        if PlantedBug.pendingLostOnReconnect.isPlanted { pending.removeAll(where: \.isUnanswered) }
        for index in pending.indices where pending[index].isUnanswered { pending[index].phase = .waiting }
        for index in questions.indices { questions[index].isSent = false }
    }

    private mutating func forgetConnection() {
        expected = [:]
        bringing = nil
        farewell = nil
        welcome = nil
        people = []
        focus.forget()
    }

    private mutating func pause(after reason: ClientError) {
        phase = .pausing(until: now + backoff.pause())
        connection = .connecting(attempt: attempt, reason: reason)
        attempt += 1
        note()
    }

    /// Ends it for good.
    ///
    /// - Parameter why: what is said of changes that are given up; left out, the error.
    mutating func end(_ error: ClientError, because why: String? = nil) {
        guard phase != .ended else { return }
        if isOpen || phase == .connecting { add(.disconnect) }
        forgetConnection()
        phase = .ended
        connection = .ended(error)
        loseDrags(.disconnected, settlingAs: .notMade("\(error)"))
        let given = pending.filter(\.isUnanswered)
        pending.removeAll { $0.isUnanswered }
        for change in given {
            let why = why ?? "\(error)"
            settle(change.intent, .failed(change.timesSent == 0 ? .notMade(why) : .outcomeUnknown(why)))
        }
        failQuestions(error)
        reshape()
    }
}
