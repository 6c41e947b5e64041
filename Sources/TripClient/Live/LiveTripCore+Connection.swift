import LocalSystem
import TripModel
import TripProtocol

/// Connecting, losing the connection, and the end.
extension LiveTripCore {
    /// Starts to connect.
    package mutating func start(now: Duration) -> [Action] {
        handle(at: now) { core in
            guard core.phase == .idle else { return }
            core.phase = .connecting
            core.add(.connect)
        }
    }

    /// The connection is open.
    package mutating func opened(now: Duration) -> [Action] {
        handle(at: now) { core in
            guard core.phase == .connecting else { return }
            core.phase = .greeting(until: core.now + Self.timeout)
            core.send(.hello(core.configuration.hello), expecting: .hello)
        }
    }

    /// The connection failed.
    ///
    /// - Parameter isFatal: whether retrying is pointless.
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

    /// A deadline has passed.
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
                core.checkPulse()
            }
            core.endAbandonedDrag()
            core.endTimedOut()
        }
    }

    /// Detects a daemon that does not answer.
    private mutating func checkPulse() {
        guard phase == .live else { return }
        if link.pulse.isDead(at: now) { return drop(.unreachable("the daemon does not answer")) }
        if link.pulse.reportSilence(at: now) { note() }
        if link.pulse.wantsPing(at: now) { send(.ping, expecting: .ping) }
    }

    /// Connects at once, without the rest of a pause.
    package mutating func connectNow(now: Duration) -> [Action] {
        handle(at: now) { core in
            guard case .pausing = core.phase else { return }
            core.phase = .connecting
            core.add(.connect)
        }
    }

    /// Rejects further changes; pending ones are still delivered.
    package mutating func finish() {
        isFinishing = true
    }

    /// Ends the live trip now; unanswered changes fail.
    package mutating func close(now: Duration) -> [Action] {
        handle(at: now) { core in
            let why = core.connection == .connected ? "no answer came in time" : core.lastLoss.map { "\($0)" }
            core.end(.clientClosed, because: why)
        }
    }

    // MARK: Greeting and subscribing

    mutating func welcomed(_ welcome: Welcome) {
        link.welcome = welcome
        subscribe()
    }

    /// Subscribes from the known state on.
    mutating func subscribe() {
        phase = .subscribing(until: now + Self.timeout)
        // Updates are not deferred by the daemon during a drag: they are held back and counted here.
        send(
            .subscribe(
                Subscribe(
                    trip: reference, mode: .delta, since: needsSnapshot ? nil : confirmed?.since,
                    defersWhileDragging: false)),
            expecting: .subscription)
    }

    mutating func subscribed(_ subscription: Subscription) {
        if let own = subscription.users.first(where: { $0.connectionID == link.welcome?.connectionID }) {
            ownName = own.user
            // In a single trip the user's access may be lower than elsewhere.
            role = own.role
        } else if let welcome = link.welcome {
            role = welcome.role
        }
        switch subscription.start {
        case .snapshot(let snapshot): confirmed = ConfirmedTrip(snapshot)
        case .delta(let delta):
            do throws(ConfirmedTrip.Misfit) {
                guard let before = try confirmed?.apply(delta) else { throw .gap }
                note(delta, upon: before)
            } catch {
                return resubscribe()
            }
        case .upToDate:
            if confirmed == nil { return resubscribe() }
        }
        needsSnapshot = false
        link.people = subscription.users
        phase = .live
        connection = .connected
        lastLoss = nil
        attempt = 1
        backoff.reset()
        if let id = confirmed?.trip.header.id { reference = .id(id) }
        // Every earlier answer preceded this one, so its change is contained in this state, or its history no
        // longer exists.
        containApplied()
        showNewest()
        pump()
        sendFocus()
    }

    /// Subscribes again, starting with a snapshot.
    mutating func resubscribe() {
        needsSnapshot = true
        subscribe()
    }

    /// True if an error of hello or of a subscription may be temporary; retrying after any other is pointless.
    static func isPassing(_ error: RemoteError) -> Bool {
        switch error.known {
        case .internalError, .storageFull, .storageFailed, .outcomeUnknown, .shuttingDown: true
        default: false
        }
    }

    /// Hello or a subscription was refused.
    mutating func connectionRefused(_ error: RemoteError) {
        if Self.isPassing(error) { drop(.refused(error)) } else { end(.refused(error)) }
    }

    // MARK: Losing it

    /// True if there is a connection.
    var isOpen: Bool {
        switch phase {
        case .greeting, .subscribing, .live: true
        case .idle, .pausing, .connecting, .ended: false
        }
    }

    /// Ends the connection, and reconnects.
    mutating func drop(_ error: ClientError) {
        add(.disconnect)
        disconnected(error)
    }

    private mutating func disconnected(_ error: ClientError) {
        let reason = link.farewell.map { ClientError.closed($0) } ?? error
        // A connection that failed before its hello does not count as lost.
        switch phase {
        case .subscribing, .live: lastLoss = reason
        case .idle, .pausing, .connecting, .greeting, .ended: break
        }
        resetConnection()
        pause(after: reason)
        loseDrags(.disconnected, resolvingAs: .notMade("the connection to the daemon was lost: \(reason)"))
        for index in pending.indices where pending[index].isUnanswered { pending[index].phase = .waiting }
        for index in questions.indices { questions[index].isSent = false }
    }

    private mutating func resetConnection() {
        link = Link()
        focus.reset()
    }

    private mutating func pause(after reason: ClientError) {
        phase = .pausing(until: now + backoff.pause())
        connection = .connecting(attempt: attempt, reason: reason)
        attempt += 1
        note()
    }

    /// Ends the live trip permanently.
    ///
    /// - Parameter why: the reason for changes that fail; nil for the error.
    mutating func end(_ error: ClientError, because why: String? = nil) {
        guard phase != .ended else { return }
        if isOpen || phase == .connecting { add(.disconnect) }
        resetConnection()
        phase = .ended
        connection = .ended(error)
        loseDrags(.disconnected, resolvingAs: .notMade("\(error)"))
        let given = pending.filter(\.isUnanswered)
        pending.removeAll { $0.isUnanswered }
        for change in given {
            let why = why ?? "\(error)"
            resolve(change.intent, .failed(change.timesSent == 0 ? .notMade(why) : .outcomeUnknown(why)))
        }
        reportReversals()
        failQuestions(error)
        reshape()
    }
}
