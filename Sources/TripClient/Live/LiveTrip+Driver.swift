import LocalSystem
import TripModel
import TripProtocol

/// The driver of the core: its socket, its clock, and who waits for it.
extension LiveTrip {
    /// Does what the core wants done.
    func run(_ actions: [LiveTripCore.Action]) {
        var failure: ClientError?
        var settled: [(intent: Int, LiveTripCore.Settlement)] = []
        for action in actions {
            switch action {
            case .connect: connect()
            case .send(let bytes): failure = socket?.send(bytes) ?? failure
            case .disconnect: disconnect()
            case .stateChanged: schedulePublishing()
            case .settled(let intent, let settlement): settled.append((intent, settlement))
            }
        }
        // A caller may want the next thing at once, which must not overtake what is still to be sent.
        for (intent, settlement) in settled { callers.removeValue(forKey: intent)?(settlement) }
        if let failure { lose(failure) }
        if !closers.isEmpty, !core.isDelivering || isEnded { stopDelivering() }
        scheduleTimer()
    }

    private func scheduleTimer() {
        let deadline = core.nextDeadline
        guard deadline != timer?.deadline else { return }
        if let timer { loop.cancel(timer.id) }
        timer = deadline.map { deadline in
            let id = loop.schedule(after: max(.zero, deadline - loop.now)) { [self] in
                enter { live in
                    live.timer = nil
                    live.run(live.core.timer(now: live.loop.now))
                }
            }
            return (deadline, id)
        }
    }

    // MARK: Connection

    private func connect() {
        do throws(ClientError) {
            try open()
        } catch {
            guard case .noDaemon = error, let whenNobodyListens else { return fail(error) }
            let loss = core.lastLoss
            connecting = Task {
                var failure: ClientError?
                do throws(ClientError) { try await whenNobodyListens(loss) } catch { failure = error }
                self.connectAgain(failure)
            }
        }
    }

    /// The app has done what it could so that somebody listens.
    private func connectAgain(_ failure: ClientError?) {
        // The attempt may have been given up meanwhile, and another one begun.
        if Task.isCancelled { return }
        connecting = nil
        if let failure { return fail(failure) }
        do throws(ClientError) { try open() } catch { fail(error) }
    }

    /// Connects at once or not at all: a socket of this machine keeps nobody waiting but where its queue is full.
    private func open() throws(ClientError) {
        // Once there is something to show, a program that leads to another machine must not write or ask into it.
        let connection = try DaemonConnection.open(
            to: address, patience: nil, for: opener == nil ? .nobody : .person)
        socket = try LineSocket(connection, on: loop) { [self] readiness in
            enter { $0.ready(readiness) }
        }
        run(core.opened(now: loop.now))
    }

    private func fail(_ error: ClientError) {
        let isFatal = if case .otherUser = error { true } else { false }
        run(core.connectFailed(error, isFatal: isFatal, now: loop.now))
    }

    private func ready(_ readiness: Readiness) {
        guard let received = socket?.ready(readiness) else { return }
        for line in received.lines {
            // A line before may have ended the connection.
            guard socket != nil else { return }
            run(core.receive(line: line, now: loop.now))
        }
        if socket != nil, let ending = received.ending { lose(ending) }
    }

    private func lose(_ error: ClientError) {
        socket = nil
        run(core.lost(error, now: loop.now))
    }

    private func disconnect() {
        socket = nil
        connecting?.cancel()
        connecting = nil
    }

    /// Connects now, where the next attempt would come after a pause. On the loop's thread.
    package func connectNow() { run(core.connectNow(now: loop.now)) }

    // MARK: States

    /// Tells the newest state once for everything that happens in a round of the loop.
    private func schedulePublishing() {
        guard !isPublishing else { return }
        isPublishing = true
        loop.atEndOfRound { [self] in enter { $0.publish() } }
    }

    private func publish() {
        isPublishing = false
        reportOpening()
        guard let state = core.state() else { return endWaiting() }
        let number = (newest?.number ?? 0) + 1
        newest = (state, number)
        let waiting = waiters
        waiters = [:]
        for waiter in waiting.values { waiter.resume(returning: (state, number)) }
        observer?(state)
    }

    private func reportOpening() {
        guard opener != nil else { return }
        switch core.connection {
        case .connected: opened(.success(()))
        case .ended(let error): opened(.failure(error))
        case .connecting(let attempt, let reason?):
            // Waiting helps little where nobody listens, and more where a daemon has no room.
            if case .noDaemon = reason { return opened(.failure(reason)) }
            // What leads to another machine has said why not, and perhaps asked for a password.
            if address.host != nil || attempt >= Self.attemptsToOpen { opened(.failure(reason)) }
        case .connecting(_, nil): break
        }
    }

    func opened(_ result: Result<Void, ClientError>) {
        opener?.resume(returning: result)
        opener = nil
    }

    /// It ended before there was anything to show.
    private func endWaiting() {
        guard isEnded else { return }
        let waiting = waiters
        waiters = [:]
        for waiter in waiting.values { waiter.resume(returning: nil) }
    }

    /// The newest state where it is newer than a number, else the next one; nil where there is none any more.
    func state(after seen: Int) async -> (state: LiveTripState, number: Int)? {
        if let newest, newest.number > seen { return newest }
        if isEnded, !isPublishing { return nil }
        if Task.isCancelled { return nil }
        let number = nextWaiter
        nextWaiter += 1
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiters[number] = $0 }
        } onCancel: {
            // Runs after the wait has begun: that happens on the loop without a pause in between.
            loop.execute { [self] in
                enter { $0.waiters.removeValue(forKey: number)?.resume(returning: nil) }
            }
        }
    }

    /// What is to be shown now, and what others have done since that was asked last; nil before the first state. On the
    /// loop's thread.
    package func takeShown() -> (state: LiveTripState, news: [OthersEdit])? {
        guard let state = core.state() else { return nil }
        return (state, core.takeNews())
    }

    /// Whether nothing of the user's is on its way, no item being given back either.
    package var isIdle: Bool { core.isIdle }

    /// Calls nobody with states any more. On the loop's thread.
    package func stopObserving() { observer = nil }

    /// Calls `observer` with every state from now on, on the loop's thread, the present one first.
    package func observe(_ observer: @escaping @Sendable (LiveTripState) -> Void) {
        self.observer = observer
        schedulePublishing()
    }
}
