import LocalSystem
import TripModel
import TripProtocol

/// A trip as an app shows and changes it, whatever becomes of the connection.
///
/// `states` gives what to show: the trip with the user's own changes in it, at once. What the daemon has not answered
/// is sent again after a loss of the connection, in order and without being done twice. While the user drags an
/// item, the shown trip stays as it is, and what others do is counted.
///
/// It connects again by itself, at first after a tenth of a second, then after ever longer pauses of up to five
/// seconds: also after the daemon has said goodbye, for it may be started again. It ends, and `states` with it, where
/// trying again makes no sense: the daemon speaks another major version, refuses the hello (a name it does not
/// allow), belongs to another user or is none; the trip is not there, is deleted or damaged; or `close` was called.
///
/// Every call that changes something waits for the daemon's answer, however long that takes, and throws a
/// `ClientError` where the change was not made. A caller that is cancelled waits no longer and gets `cancelled`: the
/// change stays shown, and is delivered. At most 256 changes wait for an answer; what is beyond is refused as
/// `notMade`. After `outcome_unknown`, which a failing disk causes, a change stays pending until the daemon has been
/// restarted and can say what became of it.
///
/// Close it in the end: until then it lives on.
public actor LiveTrip: LoopActor {
    /// Who calls, and how.
    public struct Options: Sendable {
        /// The user's name, for the others to see; left out, the daemon's account.
        public var user: String?
        /// What may be done; viewers change nothing.
        public var role: Hello.Role
        /// The app's name and version, for the daemon.
        public var client: (name: String, version: String)
        /// Names this client beyond the life of the process, so that it can undo what it did before. No two
        /// processes may use one at the same time. Left out, it is a new one.
        public var clientID: ClientID?
        /// The person, whose programs share what can be undone, `PersonFile.current()`; left out, each client has its
        /// own.
        public var person: PersonID?
        /// Is called when nobody listens at the address, before that counts as a failure: an app may start a daemon
        /// here, and return when it serves. It is told why the last connection ended; nil where there was none.
        public var whenNobodyListens: (@Sendable (ClientError?) async throws(ClientError) -> Void)?

        /// Makes options.
        public init(
            user: String? = nil, role: Hello.Role = .editor,
            client: (name: String, version: String) = ("TripClient", ProtocolVersion.program),
            clientID: ClientID? = nil, person: PersonID? = nil,
            whenNobodyListens: (@Sendable (ClientError?) async throws(ClientError) -> Void)? = nil
        ) {
            self.user = user
            self.role = role
            self.client = client
            self.clientID = clientID
            self.person = person
            self.whenNobodyListens = whenNobodyListens
        }
    }

    /// How many attempts to connect may fail before `open` gives up.
    static let attemptsToOpen = 3

    /// The loop that the trip lives on.
    package nonisolated let loop: EventLoop
    nonisolated let address: DaemonAddress
    let whenNobodyListens: (@Sendable (ClientError?) async throws(ClientError) -> Void)?
    var core: LiveTripCore
    var socket: LineSocket?
    /// The attempt to connect that is not over within a step.
    var connecting: Task<Void, Never>?
    var timer: (deadline: Duration, id: TimerID)?

    var nextIntent = 1
    /// Who waits for what became of an intent.
    var callers: [Int: @Sendable (LiveTripCore.Settlement) -> Void] = [:]

    /// The newest state, and its number.
    var newest: (state: LiveTripState, number: Int)?
    var nextWaiter = 1
    var waiters: [Int: CheckedContinuation<(state: LiveTripState, number: Int)?, Never>] = [:]
    var isPublishing = false
    /// Is told every state on the loop, by a driver that lives there too.
    var observer: (@Sendable (LiveTripState) -> Void)?
    var opener: CheckedContinuation<Result<Void, ClientError>, Never>?
    var closers: [CheckedContinuation<Void, Never>] = []

    /// The loop that it lives on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init(_ trip: TripReference, at address: DaemonAddress, _ options: Options, on loop: EventLoop) {
        self.loop = loop
        self.address = address
        whenNobodyListens = options.whenNobodyListens
        let hello = Hello(
            clientName: options.client.name, clientVersion: options.client.version, user: options.user,
            clientID: options.clientID ?? .random(), person: options.person, role: options.role)
        // A client that is known from before goes on above its numbers; the clock only has to have gone forward.
        let first = options.clientID == nil ? 1 : Int(LocalSystem.WallClock.nowMilliseconds)
        core = LiveTripCore(
            .init(trip: trip, hello: hello, firstSequence: first, seed: .random(in: .min ... .max)))
    }

    // MARK: Opening and closing

    /// Opens a trip, and returns when it can be shown.
    ///
    /// - Throws: `ClientError` where it cannot be had: `noDaemon` where nobody listens, else after a few attempts.
    public static func open(
        _ trip: TripReference, at address: DaemonAddress = .standard, _ options: Options = Options()
    ) async throws(ClientError) -> LiveTrip {
        try await open(trip, at: address, options, on: ClientThread.start())
    }

    /// Opens a trip that lives on a loop which the caller runs.
    package static func open(
        _ trip: TripReference, at address: DaemonAddress, _ options: Options, on loop: EventLoop
    ) async throws(ClientError) -> LiveTrip {
        let live = LiveTrip(trip, at: address, options, on: loop)
        do throws(ClientError) {
            try await live.begin().get()
        } catch {
            await live.end()
            throw error
        }
        return live
    }

    private func begin() async -> Result<Void, ClientError> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                opener = continuation
                run(core.start(now: loop.now))
            }
        } onCancel: {
            loop.execute { [self] in enter { $0.opened(.failure(.cancelled)) } }
        }
    }

    /// Delivers what is pending, for a while, and ends.
    ///
    /// New changes are refused from now on, though an item in hand may still be put down. Changes that are not answered
    /// in time are given up: their callers get `mayBeMade` where they were sent, as nobody knows what became of them,
    /// else `notMade`.
    ///
    /// - Parameter patience: how long the daemon may take; zero ends at once.
    /// - Returns: how many changes were not answered.
    @discardableResult
    public func close(waitingUpTo patience: Duration = .seconds(2)) async -> Int {
        core.finish()
        if core.isDelivering, patience > .zero, !isEnded {
            let timer = loop.schedule(after: patience) { [self] in
                enter { $0.stopDelivering() }
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { closers.append($0) }
            } onCancel: {
                loop.execute { [self] in enter { $0.stopDelivering() } }
            }
            loop.cancel(timer)
        }
        return end()
    }

    /// Ends the wait of `close`.
    package func stopDelivering() {
        let waiting = closers
        closers = []
        for closer in waiting { closer.resume() }
    }

    @discardableResult
    private func end() -> Int {
        let count = core.pendingCount
        run(core.close(now: loop.now))
        return count
    }

    /// Whether no connection will be made any more.
    var isEnded: Bool {
        if case .ended = core.connection { true } else { false }
    }

    // MARK: States

    /// What is to be shown from now on, beginning with what is to be shown now; the newest only.
    public nonisolated var states: LiveTripStates { LiveTripStates(trip: self) }

    /// What is to be shown now.
    public var state: LiveTripState {
        guard let state = core.state() else { preconditionFailure("it is open when its first state is here") }
        return state
    }
}
