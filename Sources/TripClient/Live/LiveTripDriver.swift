import LocalSystem
import TripModel
import TripProtocol

/// Runs a live trip's core: its socket, its timers and its readers. It lives until it is closed.
package actor LiveTripDriver: LoopActor {
    /// The number of attempts to connect after which `open` fails.
    private static let attemptsToOpen = 3

    /// The driver's loop.
    package nonisolated let loop: EventLoop
    private nonisolated let address: DaemonAddress
    private nonisolated let options: LiveTrip.Options
    private nonisolated let cell: LiveTripCell
    private var socket: LineSocket?
    /// The app's attempt to start a daemon.
    private var connecting: Task<Void, Never>?
    private var timer: (deadline: Duration, id: TimerID)?
    private var isCarryingOut = false
    /// Prevents a second use of the client id; nil if the id is random.
    private var reservation: ClientIDReservation?

    private var nextWaiter = 1
    private var waiters: [Int: (seen: Int, continuation: CheckedContinuation<ShownState?, Never>)] = [:]
    private var isPublishing = false
    /// Receives every state on the loop, for an owner that runs there too.
    private var observer: (@Sendable (LiveTrip.State) -> Void)?
    private var opener: CheckedContinuation<Result<Void, ClientError>, Never>?
    private var closers: [CheckedContinuation<Void, Never>] = []

    /// The driver's loop as its executor.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(
        _ core: LiveTripCore, at address: DaemonAddress = .standard,
        options: LiveTrip.Options = LiveTrip.Options(), on loop: EventLoop
    ) {
        self.loop = loop
        self.address = address
        self.options = options
        cell = LiveTripCell(core)
    }

    /// - Parameter loop: the loop on which it runs.
    init(_ trip: TripReference, at address: DaemonAddress, _ options: LiveTrip.Options, on loop: EventLoop) {
        let hello = Hello(
            clientName: options.clientName, clientVersion: options.clientVersion, user: options.user,
            clientID: options.clientID ?? .random(), person: options.person, role: options.role)
        // A client with a stored id continues above its earlier numbers, provided that the clock is not set back.
        let first = options.clientID == nil ? 1 : Int(LocalSystem.WallClock.nowMilliseconds)
        let core = LiveTripCore(
            .init(
                trip: trip, hello: hello, firstSequence: first, seed: .random(in: .min ... .max),
                dragTimeout: options.dragTimeout))
        self.init(core, at: address, options: options, on: loop)
    }

    // MARK: Opening and closing

    /// Connects, and returns when there is a state to show.
    func open() async throws(ClientError) {
        do throws(ClientError) {
            let result: Result<Void, ClientError> = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    opener = continuation
                    handle { [now = loop.now] in $0.start(now: now) }
                }
            } onCancel: {
                loop.execute { [self] in enter { $0.opened(.failure(.cancelled)) } }
            }
            try result.get()
            if let client = options.clientID, let trip = cell.shown?.state.trip.header.id {
                reservation = try ClientIDReservation(of: client, in: trip, at: address)
            }
        } catch {
            end()
            throw error
        }
    }

    /// Delivers pending changes up to a timeout, and ends; see `LiveTrip.close`.
    func close(waitingUpTo timeout: Duration) async -> Int {
        cell.read { $0.finish() }
        if cell.read({ $0.isDelivering }), timeout > .zero, !isEnded {
            let timer = loop.schedule(after: timeout) { [self] in
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
        let count = cell.read { $0.pendingCount }
        handle { [now = loop.now] in $0.close(now: now) }
        return count
    }

    /// True if it will not connect any more.
    nonisolated var isEnded: Bool {
        cell.read { if case .ended = $0.connection { true } else { false } }
    }

    // MARK: Changes

    /// Performs an intent at once and in the order of these calls; from any thread.
    ///
    /// - Parameter caller: receives the outcome on the loop's thread; hover, cancelDrag, focus, hold and
    ///   release have none.
    /// - Returns: the resulting state; nil before the first state.
    @discardableResult
    nonisolated func submit(
        _ intent: LiveTripCore.Intent, _ options: LiveTrip.ChangeOptions = .init(),
        caller: LiveTripCell.Caller?
    ) -> ShownState? {
        // Not the iteration's time, which may be long ago while the loop sleeps.
        let shown = cell.perform(intent, options, now: .nanoseconds(loop.nanoseconds), caller: caller)
        if loop.isCurrent {
            enter { $0.carryOut() }
        } else {
            loop.execute { [self] in enter { $0.carryOut() } }
        }
        return shown
    }

    /// Performs an intent; `report` receives the outcome, if there is one. On the loop's thread.
    package func perform(
        _ intent: LiveTripCore.Intent, then report: @escaping @Sendable (LiveTripCore.Resolution) -> Void
    ) {
        submit(intent, caller: report)
    }

    // MARK: Carrying out

    private func handle(_ event: (inout LiveTripCore) -> [LiveTripCore.Action]) {
        cell.handle(event)
        carryOut()
    }

    /// Runs all actions in order, including those that arise meanwhile.
    private func carryOut() {
        guard !isCarryingOut else { return }
        isCarryingOut = true
        var actions = cell.takeActions()
        while !actions.isEmpty {
            carryOut(actions)
            actions = cell.takeActions()
        }
        isCarryingOut = false
        let isOver = isEnded
        if isOver { reservation = nil }
        if !closers.isEmpty, isOver || !cell.read({ $0.isDelivering }) { stopDelivering() }
        scheduleTimer()
    }

    private func carryOut(_ actions: [LiveTripCore.Action]) {
        var failure: ClientError?
        var resolved: [(intent: Int, LiveTripCore.Resolution)] = []
        for action in actions {
            switch action {
            case .connect: connect()
            case .send(let bytes): failure = socket?.send(bytes) ?? failure
            case .disconnect: disconnect()
            case .stateChanged: schedulePublishing()
            case .resolved(let intent, let resolution): resolved.append((intent, resolution))
            }
        }
        // A caller may submit the next change at once, which must not overtake the rest of these actions.
        for (intent, resolution) in resolved { cell.takeCaller(of: intent)?(resolution) }
        if let failure { lose(failure) }
    }

    private func scheduleTimer() {
        let deadline = cell.read { $0.nextDeadline }
        guard deadline != timer?.deadline else { return }
        if let timer { loop.cancel(timer.id) }
        timer = deadline.map { deadline in
            let id = loop.schedule(after: max(.zero, deadline - loop.now)) { [self] in
                enter { driver in
                    driver.timer = nil
                    driver.handle { [now = driver.loop.now] in $0.timer(now: now) }
                }
            }
            return (deadline, id)
        }
    }

    // MARK: Connection

    private func connect() {
        do throws(ClientError) {
            try connectOnce()
        } catch {
            guard case .noDaemon = error, let startDaemon = options.startDaemon else {
                return fail(error)
            }
            let loss = cell.read { $0.lastLoss }
            // The loop must not wait for the app. Closing cancels the task.
            connecting = Task {
                var failure: ClientError?
                do throws(ClientError) { try await startDaemon(loss) } catch { failure = error }
                self.connectAgain(failure)
            }
        }
    }

    /// Connects after the app has tried to start a daemon.
    private func connectAgain(_ failure: ClientError?) {
        // This attempt may have been replaced by another one.
        if Task.isCancelled { return }
        connecting = nil
        if let failure { return fail(failure) }
        do throws(ClientError) { try connectOnce() } catch { fail(error) }
    }

    /// Connects at once or fails: connecting to a local socket takes time only if its backlog is full.
    private func connectOnce() throws(ClientError) {
        // Once there is a state to show, an ssh program must not write to the screen or ask for a password.
        let connection = try DaemonConnection.open(
            to: address, timeout: nil, for: opener == nil ? .nobody : .person)
        socket = try LineSocket(connection, on: loop) { [self] readiness in
            enter { $0.ready(readiness) }
        }
        handle { [now = loop.now] in $0.opened(now: now) }
    }

    private func fail(_ error: ClientError) {
        let isFatal = if case .otherUser = error { true } else { false }
        handle { [now = loop.now] in $0.connectFailed(error, isFatal: isFatal, now: now) }
    }

    private func ready(_ readiness: Readiness) {
        guard let received = socket?.ready(readiness) else { return }
        for line in received.lines {
            // An earlier line may have ended the connection.
            guard socket != nil else { return }
            handle { [now = loop.now] in $0.receive(line: line, now: now) }
        }
        if socket != nil, let ending = received.ending { lose(ending) }
    }

    private func lose(_ error: ClientError) {
        socket = nil
        handle { [now = loop.now] in $0.lost(error, now: now) }
    }

    private func disconnect() {
        socket = nil
        connecting?.cancel()
        connecting = nil
    }

    /// Connects now, without the rest of a pause. On the loop's thread.
    package func connectNow() { handle { [now = loop.now] in $0.connectNow(now: now) } }

    // MARK: States

    /// The newest state; nil before the first one. From any thread.
    nonisolated var shown: ShownState? { cell.shown }

    /// Publishes the newest state once for all events of a loop iteration.
    private func schedulePublishing() {
        guard !isPublishing else { return }
        isPublishing = true
        loop.atEndOfIteration { [self] in enter { $0.publish() } }
    }

    private func publish() {
        isPublishing = false
        reportOpening()
        let shown = cell.shown
        for (number, waiter) in waiters {
            if let shown, shown.revision > waiter.seen {
                waiters[number] = nil
                waiter.continuation.resume(returning: shown)
            } else if isEnded {
                waiters[number] = nil
                waiter.continuation.resume(returning: nil)
            }
        }
        if let shown { observer?(shown.state) }
    }

    private func reportOpening() {
        guard opener != nil else { return }
        switch cell.read({ $0.connection }) {
        case .connected: opened(.success(()))
        case .ended(let error): opened(.failure(error))
        case .connecting(let attempt, let reason?):
            // Waiting rarely helps if no process listens; it does if the daemon is overloaded.
            if case .noDaemon = reason { return opened(.failure(reason)) }
            // The ssh program has reported the reason, and may have asked for a password.
            if address.host != nil || attempt >= Self.attemptsToOpen { opened(.failure(reason)) }
        case .connecting(_, nil): break
        }
    }

    private func opened(_ result: Result<Void, ClientError>) {
        opener?.resume(returning: result)
        opener = nil
    }

    /// The newest state if its revision is above a given one, otherwise the next state; nil if there will be
    /// none, or if the task is cancelled.
    func state(after seen: Int) async -> ShownState? {
        if Task.isCancelled { return nil }
        if let shown = cell.shown, shown.revision > seen { return shown }
        if isEnded { return nil }
        let number = nextWaiter
        nextWaiter += 1
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiters[number] = (seen, $0) }
        } onCancel: {
            // Runs after the wait has begun, because that happens on the loop without a suspension in between.
            loop.execute { [self] in
                enter { $0.waiters.removeValue(forKey: number)?.continuation.resume(returning: nil) }
            }
        }
    }

    /// The edits of others since the last call; see `LiveTrip.takeNews`. From any thread.
    nonisolated func takeNews() -> [LiveTrip.OthersEdit] { cell.read { $0.takeNews() } }

    /// The newest state and the edits of others since the last call; nil before the first state. On the loop's thread.
    package func takeShown() -> (state: LiveTrip.State, news: [LiveTrip.OthersEdit])? {
        cell.read { core in core.state().map { ($0, core.takeNews()) } }
    }

    /// True if no change and no cancellation of a drag is in flight.
    package var isIdle: Bool { cell.read { $0.isIdle } }

    /// Ends `observe`. On the loop's thread.
    package func stopObserving() { observer = nil }

    /// Calls `observer` with every state from now on, on the loop's thread, starting with the current one.
    package func observe(_ observer: @escaping @Sendable (LiveTrip.State) -> Void) {
        self.observer = observer
        schedulePublishing()
    }
}
