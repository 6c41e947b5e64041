import LocalSystem
import TripModel
import TripProtocol

/// A trip as an app shows and changes it, whatever becomes of the connection. May be used from any thread or actor.
///
/// `states` are the states to show: the trip with the user's own changes in it, at once. A change without an answer
/// is sent again after a loss of the connection, in order and without being made twice. While the user drags an
/// item, the shown trip stays as it is, and the changes of others are counted.
///
/// It connects again by itself, at first after a tenth of a second, then after growing pauses of up to five
/// seconds, also after a `goodbye`, as the daemon may be started again. It ends, and `states` with it, if another attempt
/// makes no sense: the daemon speaks another major version, refuses the hello (a name that is not allowed), belongs to
/// another user or is none; the trip does not exist, is deleted or damaged; or it was closed.
///
/// At most 256 changes wait for an answer; further ones are refused as `notMade`. After `outcome_unknown`, which a failing
/// disk causes, a change stays pending until the daemon has been restarted and can find out.
///
/// It closes when nothing refers to it any more, neither a variable nor a reader of its states, and delivers pending
/// changes for up to two seconds then. Call `close()` to know when that is done and what was not delivered, or use
/// `withLiveTrip`.
public final class LiveTrip: Sendable {
    /// Who calls, and how.
    public struct Options: Sendable {
        /// The user's name, for the others to see; left out, the daemon's account.
        public var user: String?
        /// What may be done; viewers change nothing.
        public var role: Hello.Role
        /// The app's name and version, for the daemon.
        public var client: (name: String, version: String)
        /// Names this client beyond the life of the process, so that it can undo its earlier changes. At most one live trip
        /// of a trip may use it at a time: `open` throws `inUse` for a second one of this process; other processes must use
        /// other ids. Left out, it is a new one.
        public var clientID: ClientID?
        /// The person, whose programs share one undo stack, `PersonFile.current()`; left out, each client has its own.
        public var person: PersonID?
        /// A drag ends as `LiveDragLoss.abandoned` after this time without a call of `hover`, because a toolkit may not report
        /// the end of a drag that was dropped outside of the app.
        public var dragTimeout: Duration
        /// Is called if no process listens at the address, before that counts as a failure: an app may start a daemon
        /// here, for example with `DaemonStarter`, and return when it serves. Its parameter is the reason why the last
        /// connection ended; nil if there was none.
        public var whenNobodyListens: (@Sendable (ClientError?) async throws(ClientError) -> Void)?

        /// Makes options.
        public init(
            user: String? = nil, role: Hello.Role = .editor,
            client: (name: String, version: String) = ("TripClient", ProtocolVersion.program),
            clientID: ClientID? = nil, person: PersonID? = nil, dragTimeout: Duration = .seconds(120),
            whenNobodyListens: (@Sendable (ClientError?) async throws(ClientError) -> Void)? = nil
        ) {
            self.user = user
            self.role = role
            self.client = client
            self.clientID = clientID
            self.person = person
            self.dragTimeout = dragTimeout
            self.whenNobodyListens = whenNobodyListens
        }
    }

    /// How long `close` and the end of the last reference deliver pending changes by default.
    public static let deliveryTime = Duration.seconds(2)

    let driver: LiveTripDriver

    private init(_ driver: LiveTripDriver) { self.driver = driver }

    deinit {
        if driver.isEnded { return }
        Task { [driver] in await driver.close(waitingUpTo: Self.deliveryTime) }
    }

    // MARK: Opening and closing

    /// Opens a trip, and returns when there is a state to show.
    ///
    /// - Throws: `noDaemon` if no process listens, `inUse` if a live trip of this process uses the client id, `cancelled` if
    ///   the task is cancelled; any other `ClientError` after a few attempts.
    public static func open(
        _ trip: TripReference, at address: DaemonAddress = .standard, _ options: Options = Options()
    ) async throws(ClientError) -> LiveTrip {
        try await open(trip, at: address, options, on: ClientThread.start())
    }

    /// Opens a trip that lives on a loop of the caller's.
    package static func open(
        _ trip: TripReference, at address: DaemonAddress, _ options: Options, on loop: EventLoop
    ) async throws(ClientError) -> LiveTrip {
        let driver = LiveTripDriver(trip, at: address, options, on: loop)
        try await driver.open()
        return LiveTrip(driver)
    }

    /// Delivers pending changes, for a while, and closes.
    ///
    /// New changes are refused from now on, though an item in hand may still be dropped. The callers of changes that are
    /// not answered in time get `outcomeUnknown` if they were sent, else `notMade`.
    ///
    /// - Parameter patience: how long the daemon may take; zero closes at once.
    /// - Returns: the number of changes without an answer.
    @discardableResult
    public func close(waitingUpTo patience: Duration = LiveTrip.deliveryTime) async -> Int {
        await driver.close(waitingUpTo: patience)
    }

    // MARK: States

    /// The states to show, beginning with the present one; a slow reader gets only the newest.
    public var states: LiveTripStates { LiveTripStates(trip: self) }

    /// The state to show now. Does not wait for the daemon.
    public var state: LiveTripState { shown.state }

    var shown: ShownState {
        guard let shown = driver.shown else { preconditionFailure("it is open when its first state is here") }
        return shown
    }

    /// The edits of others since the last call, each item once, in the order in which they came; empty while the shown trip
    /// is held back. It is meant for one reader, which calls it at each new state.
    public func takeNews() -> [OthersEdit] { driver.takeNews() }

    // MARK: For a driver on the same loop

    /// Enters the driver; on its loop's thread.
    package func enter<Value: Sendable>(
        _ body: (isolated LiveTripDriver) throws -> Value
    ) rethrows -> Value {
        try driver.enter(body)
    }

    /// Whether this is the live trip of a driver.
    package func isDriven(by driver: LiveTripDriver) -> Bool { self.driver === driver }
}

/// Opens a trip, calls `body` with it, and closes it afterwards, also if `body` throws; pending changes are delivered for
/// up to two seconds.
///
/// - Throws: `ClientError` if the trip cannot be opened, else the error of `body`.
public func withLiveTrip<Value>(
    _ trip: TripReference, at address: DaemonAddress = .standard,
    _ options: LiveTrip.Options = LiveTrip.Options(), isolation: isolated (any Actor)? = #isolation,
    _ body: (LiveTrip) async throws -> Value
) async throws -> Value {
    let live = try await LiveTrip.open(trip, at: address, options)
    do {
        let value = try await body(live)
        await live.close()
        return value
    } catch {
        await live.close()
        throw error
    }
}
