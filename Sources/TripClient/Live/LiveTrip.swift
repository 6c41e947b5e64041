import LocalSystem
import TripModel
import TripProtocol

/// A trip that an app shows and changes, independent of the connection's state. May be used from any thread or actor.
///
/// `states` are the states to show, which contain the user's own changes at once. After a loss of the connection, a
/// change without an answer is sent again, in order, and applied only once. While the user drags an item, the shown
/// trip does not change, and the changes of others are counted.
///
/// It reconnects by itself, at first after a tenth of a second, then after growing pauses of up to five seconds, also
/// after a `goodbye`, because the daemon may be started again. It ends, and `states` with it, if another attempt is
/// pointless: the daemon has another major version, refuses the hello (an invalid name), belongs to another user or is
/// not a daemon; the trip does not exist, is deleted or damaged; or the live trip was closed.
///
/// At most 256 changes wait for an answer; further ones are refused as `notMade`. After `outcome_unknown`, which a
/// failing disk causes, a change stays pending until the daemon has been restarted and can answer.
///
/// It closes when there are no more references to it or to an iterator of its states, and then delivers pending changes
/// for up to two seconds. Call `close()` to know when that is done and how many were not delivered, or use
/// `withLiveTrip`.
public final class LiveTrip: Sendable {
    /// The identity and behaviour of a live trip.
    public struct Options: Sendable {
        /// The user's name as shown to others; nil for the daemon's account.
        public var user: String?
        /// The role; viewers change nothing.
        public var role: Hello.Role
        /// The app's name, for the daemon.
        public var clientName: String
        /// The app's version, for the daemon.
        public var clientVersion: String
        /// Identifies this client beyond the life of the process, so that it can undo its earlier changes. At
        /// most one live trip of a trip may use it at a time: `open` throws `inUse` for a second one in this
        /// process; other processes must use other ids. Nil for a new id.
        public var clientID: ClientID?
        /// The person, whose programs share one undo stack, for example `PersonFile.current()`; nil if each
        /// client has its own.
        public var person: PersonID?
        /// The time without a call of `hover` after which a drag ends as `LiveTrip.DragLoss.abandoned`, because a
        /// toolkit may not report that a drag ended outside the app.
        public var dragTimeout: Duration
        /// Called if no process listens at the address, before this counts as a failure. An app may start a
        /// daemon here, for example with `DaemonStarter`, and return when it serves. The parameter is the
        /// reason why the last connection ended; nil if there was none.
        public var startDaemon: (@Sendable (ClientError?) async throws(ClientError) -> Void)?

        /// Creates options.
        public init(
            user: String? = nil, role: Hello.Role = .editor,
            clientName: String = "TripClient", clientVersion: String = ProtocolVersion.program,
            clientID: ClientID? = nil, person: PersonID? = nil, dragTimeout: Duration = .seconds(120),
            startDaemon: (@Sendable (ClientError?) async throws(ClientError) -> Void)? = nil
        ) {
            self.user = user
            self.role = role
            self.clientName = clientName
            self.clientVersion = clientVersion
            self.clientID = clientID
            self.person = person
            self.dragTimeout = dragTimeout
            self.startDaemon = startDaemon
        }
    }

    /// The default time for delivering pending changes in `close` and after the last reference.
    public static let deliveryTime = Duration.seconds(2)

    let driver: LiveTripDriver

    init(_ driver: LiveTripDriver) { self.driver = driver }

    deinit {
        if driver.isEnded { return }
        // `deinit` cannot wait. The task keeps only the driver alive, and ends after `deliveryTime`.
        Task { [driver] in await driver.close(waitingUpTo: Self.deliveryTime) }
    }

    // MARK: Opening and closing

    /// Opens a trip, and returns when there is a state to show.
    ///
    /// - Throws: `noDaemon` if no process listens, `inUse` if a live trip of this process uses the client id, `cancelled` if
    ///   the task is cancelled; any other `ClientError` after a few attempts.
    public static func open(
        _ trip: TripReference, at address: DaemonAddress = .standard, options: Options = Options()
    ) async throws(ClientError) -> LiveTrip {
        try await open(trip, at: address, options: options, on: ClientThread.start())
    }

    /// Opens a trip on a loop of the caller.
    package static func open(
        _ trip: TripReference, at address: DaemonAddress, options: Options, on loop: EventLoop
    ) async throws(ClientError) -> LiveTrip {
        let driver = LiveTripDriver(trip, at: address, options, on: loop)
        try await driver.open()
        return LiveTrip(driver)
    }

    /// Delivers pending changes up to a timeout, and closes.
    ///
    /// New changes are refused from now on, but a dragged item may still be dropped. The callers of changes
    /// without an answer get `outcomeUnknown` if they were sent, otherwise `notMade`.
    ///
    /// - Parameter timeout: the timeout for the daemon; zero closes at once.
    /// - Returns: the number of changes without an answer.
    @discardableResult
    public func close(waitingUpTo timeout: Duration = LiveTrip.deliveryTime) async -> Int {
        await driver.close(waitingUpTo: timeout)
    }

    // MARK: States

    /// The states to show, beginning with the current one; a slow reader gets only the newest.
    public var states: States { States(trip: self) }

    /// The state to show now. Does not wait for the daemon.
    public var state: State { shown.state }

    var shown: ShownState {
        guard let shown = driver.shown else { preconditionFailure("an open live trip has a state") }
        return shown
    }

    /// The edits of others since the last call, one per item, in the order of arrival; empty while the shown
    /// trip is paused. Meant for a single reader, which calls it at each new state.
    public func takeNews() -> [OthersEdit] { driver.takeNews() }

    // MARK: For a driver on the same loop

    /// Enters the driver; on its loop's thread.
    package func enter<Value: Sendable>(
        _ body: (isolated LiveTripDriver) throws -> Value
    ) rethrows -> Value {
        try driver.enter(body)
    }

    /// True if this is the live trip of a driver.
    package func isDriven(by driver: LiveTripDriver) -> Bool { self.driver === driver }
}

/// Opens a trip, calls `body` with it, and closes it afterwards, also if `body` throws; pending changes are
/// delivered for up to two seconds.
///
/// - Throws: `ClientError` if the trip cannot be opened, otherwise the error of `body`.
public func withLiveTrip<Value>(
    _ trip: TripReference, at address: DaemonAddress = .standard,
    options: LiveTrip.Options = LiveTrip.Options(), isolation: isolated (any Actor)? = #isolation,
    _ body: (LiveTrip) async throws -> Value
) async throws -> Value {
    let live = try await LiveTrip.open(trip, at: address, options: options)
    do {
        let value = try await body(live)
        await live.close()
        return value
    } catch {
        await live.close()
        throw error
    }
}

extension LiveTrip {
    /// The preconditions of a change of a live trip, and its caller's timeout.
    public struct ChangeOptions: Equatable, Sendable {
        /// The daemon's version that the trip must have; otherwise the change is refused as `version_conflict`.
        /// Earlier changes of this client count too, so wait for their results first.
        public var ifVersion: Int?
        /// The version that the item must have, for a change of a single item.
        public var ifItemVersion: Int?
        /// The timeout for the daemon's answer; nil for none. After the timeout, a change that was never sent is
        /// cancelled and throws `notMade`. One that was sent throws `outcomeUnknown` and stays pending,
        /// because it is still delivered.
        public var timeout: Duration?

        /// Creates options; by default there are no preconditions and no timeout.
        public init(ifVersion: Int? = nil, ifItemVersion: Int? = nil, timeout: Duration? = nil) {
            self.ifVersion = ifVersion
            self.ifItemVersion = ifItemVersion
            self.timeout = timeout
        }
    }
}

extension LiveTripCore {
    /// The next deadline of a waiting caller; nil for none.
    var nextTimeout: Duration? {
        let ofChange = pending.lazy.filter { $0.isUnanswered || $0.unreported != nil }.compactMap(\.deadline)
            .min()
        let ofQuestion = questions.lazy.compactMap(\.deadline).min()
        return [ofChange, ofQuestion].compactMap { $0 }.min()
    }

    /// Ends the waits whose deadline has passed.
    mutating func endTimedOut() {
        reportReversals { [now] in $0.deadline.map { $0 <= now } == true }
        for change in pending where change.isUnanswered && change.deadline.map({ $0 <= now }) == true {
            guard let index = pending.firstIndex(where: { $0.intent == change.intent }) else { continue }
            if change.timesSent == 0, change.phase == .waiting {
                fail(change.intent, .notMade("it could not be sent in time: \(whyUnsent)"))
            } else {
                pending[index].deadline = nil
                resolve(change.intent, .failed(.outcomeUnknown("the daemon did not answer in time")))
            }
        }
        for question in questions where question.deadline.map({ $0 <= now }) == true {
            questions.removeAll { $0.intent == question.intent }
            resolve(question.intent, .failed(.unreachable("the daemon did not answer in time")))
        }
    }

    private var whyUnsent: String {
        if case .connecting(_, let reason?) = connection { return "\(reason)" }
        return connection == .connected ? "earlier changes wait for their answers" : "there is no connection"
    }
}
