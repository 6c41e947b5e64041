import EditorLink
import ItineraryUI
import LocalSystem
import ScheduleFiles
import TripClient
import TripModel
import TripProtocol

/// Connects the user interface of the editor with the daemon.
///
/// Everything runs on one event loop: keys, notifications, timers and signals are handled one after the
/// other.
actor EditorSession: LoopActor {
    nonisolated let loop: EventLoop
    let caller: Caller
    /// The trip or list to open.
    let start: Start
    /// The role on the connection.
    private let role: Hello.Role
    var face: any EditorFace
    let input: Descriptor
    var inputBuffer = [UInt8](repeating: 0, count: 16 * 1024)
    var inputState = InputState.unwatched
    var live: LiveTrip?
    /// Whether the window was closed. Final messages are then saved for the next editor.
    private var isWindowClosed = false
    /// Whether SIGHUP was received.
    private var hasHungUp = false
    /// The client id for operations on whole trips, by which the daemon recognises repeated requests.
    let operationClient = ClientID.random()
    /// The number of the latest operation on a whole trip.
    var operationSequence = 0
    /// The message above the list of trips after the open trip is gone.
    var lobbySentence: String?
    /// Whether the open trip is being deleted from here.
    var deletesOwnTrip = false
    /// Whether the open trip was deleted by another client.
    var isTripGone = false
    /// The view that the editor shows.
    var shown: TripView?
    /// The previewed schedule, and the preview.
    var previewed: (file: NamedSchedule, preview: ImportPreview, said: [ItemID: SourceValues])?
    var escapeTimer: TimerID?
    var wakeTimer: TimerID?
    var suspendTimer: TimerID?
    /// Reads a file that was dropped on the editor.
    var reader: WorkerThread?
    /// The chain of slow operations, which run one at a time.
    private var operation: Task<Void, Never>?
    /// Whether another job uses the terminal, so that nothing is read or shown.
    var isInBackground = false
    var backgroundTimer: TimerID?
    var isDrawScheduled = false
    var isWatchingOutput = false
    /// The signal that asked this process to end.
    private var signal: Int32?
    private var isDraining = false
    var ending: Ending?
    /// The number of failed changes that were reported before the end.
    private var readUpTo = 0
    private var endWaiter: CheckedContinuation<Void, Never>?
    /// The state of standard input.
    enum InputState {
        /// The loop reports new input.
        case watched
        /// The system cannot report new input, for example of a file, so it is read on demand.
        case unwatched
        /// The input has ended.
        case ended
    }

    /// What the editor opens.
    enum Start: Sendable {
        case trip(TripReference)
        /// No trip, but the list of trips.
        case lobby(Lobby)
    }

    enum Ending {
        case quit
        case failed(CommandFailure)
    }

    private static let signals =
        Signals.termination + [Signals.windowChange, Signals.stop, Signals.continued, Signals.childEnded]
    /// How long to wait for changes to reach the daemon when the user quits.
    static let deliveryTimeout = Duration.seconds(2)
    /// How long to wait before a message about that is shown.
    private static let noticeDelay = Duration.milliseconds(200)
    /// How long cancelling a drag may delay Ctrl-Z.
    static let suspendTimeout = Duration.milliseconds(200)
    /// How long the process runs in the background before it stops.
    static let backgroundPause = Duration.milliseconds(50)

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Opens the editor; returns when the user quits it.
    static func open(
        _ start: Start, _ caller: Caller, as face: any EditorFace, role: Hello.Role
    ) async throws(CommandFailure) {
        let session: EditorSession
        let thread: WorkerThread
        do throws(SystemError) {
            let loop = try EventLoop()
            session = EditorSession(
                start, caller, role, face, try Descriptor.duplicate(of: 0), on: loop)
            thread = try WorkerThread { loop.run() }
        } catch {
            throw CommandFailure("\(error)", exitCode: .unavailable)
        }
        do throws(CommandFailure) { try await session.run() } catch {
            session.loop.stop()
            thread.join()
            throw error
        }
        session.loop.stop()
        thread.join()
    }

    private init(
        _ start: Start, _ caller: Caller, _ role: Hello.Role, _ face: any EditorFace,
        _ input: consuming Descriptor, on loop: EventLoop
    ) {
        self.start = start
        self.caller = caller
        self.role = role
        self.face = face
        self.loop = loop
        self.input = consume input
    }

    private func run() async throws(CommandFailure) {
        // The first connection is made before the screen is taken over, so that errors are printed on the
        // command line.
        let lobby = try await connect()
        do throws(CommandFailure) { try begin() } catch {
            await live?.close(waitingUpTo: .zero)
            throw error
        }
        if let lobby { handle(.lobby(lobby)) }
        let unsaidChanges = UnsaidChanges(.current, user: caller.user)
        let unsaid = unsaidChanges.take()
        if !unsaid.isEmpty { handle(.unsaid(unsaid)) }
        await untilEnd()
        // The next editor may start before the daemon has answered.
        let unconfirmed = isWindowClosed ? face.unconfirmedByTrip : []
        unsaidChanges.keep(unconfirmed)
        // Waits for a while until the user's changes have reached the daemon. Another Ctrl-C or `q` ends the
        // wait.
        await deliver()
        // Breaks the reference cycle with this session.
        live?.enter { $0.stopObserving() }
        live = nil
        face.leave()
        operation?.cancel()
        // A file that cannot be read, for example on a remote disk, must not delay the exit.
        if reader == nil { await operation?.value }
        // Must be done before signals kill the process again.
        if isWindowClosed { unsaidChanges.replace(unconfirmed, by: face.notDoneByTrip) }
        unwatch()
        do throws(CommandFailure) { try report() } catch {
            var failure = error
            failure.signal = signal
            throw failure
        }
        if let signal {
            var failure = CommandFailure("", exitCode: .unavailable)
            failure.signal = signal
            throw failure
        }
    }

    /// Waits for the user's changes to reach the daemon, with a message if that takes long, and closes the
    /// trip.
    func deliver(opensOther: Bool = false) async {
        let notice = loop.schedule(after: Self.noticeDelay) { [self] in
            enter { $0.sayLeaving(opensOther: opensOther) }
        }
        await live?.close(waitingUpTo: Self.deliveryTimeout)
        loop.cancel(notice)
    }

    /// Connects to the trip; returns the list of trips if there is none to show, with the reason.
    private func connect() async throws(CommandFailure) -> Lobby? {
        guard case .trip(let reference) = start else {
            guard case .lobby(let lobby) = start else { return nil }
            // The list of trips may start the daemon too.
            do throws(ClientError) {
                await (try await caller.connect(role: .viewer, on: loop)).client.close()
            } catch {
                throw CommandFailure(error)
            }
            return lobby
        }
        do throws(ClientError) {
            live = try await openLive(reference)
            return nil
        } catch {
            if case .refused(let refusal) = error, refusal.known == .tripNotFound, face.answersQuestions,
                case .slug(let name) = reference
            {
                return .missing(name)
            }
            throw CommandFailure(error)
        }
    }

    /// Connects to a trip; returns when it can be shown.
    func openLive(_ trip: TripReference) async throws(ClientError) -> LiveTrip {
        try await LiveTrip.open(trip, at: caller.address, options: caller.liveOptions(role: role), on: loop)
    }

    /// Shows a message while waiting for changes.
    private func sayLeaving(opensOther: Bool) {
        _ = face.handle(.leaving(opensOther: opensOther), now: loop.now)
        face.show()
    }

    /// Prints changes that failed or have an unknown outcome, because they cannot be looked up after the
    /// exit.
    private func report() throws(CommandFailure) {
        let all = face.notDone
        let new = all.count - readUpTo
        let lines = all.prefix(20) + (all.count > 20 ? ["and \(all.count - 20) more"] : [])
        if case .failed(let failure)? = ending {
            throw CommandFailure(
                ([failure.message] + lines).joined(separator: "\n  "), exitCode: failure.exitCode)
        }
        guard new > 0 else {
            for line in lines where !face.saysAtOnce { StandardStream.error.print(line) }
            // Makes a script fail too.
            if case .quit? = ending, !isWindowClosed, face.deniedCount > 0 {
                throw CommandFailure("", exitCode: .refused)
            }
            return
        }
        let what = new == 1 ? "1 change is" : "\(new) changes are"
        let areNotDone = all.suffix(new).allSatisfy { $0.contains(EditorState.notDonePrefix) }
        throw CommandFailure(
            (["\(what) not \(areNotDone ? "" : "known to be ")done:"] + lines).joined(separator: "\n  "),
            exitCode: .unavailable)
    }

    // MARK: Start and end

    private func begin() throws(CommandFailure) {
        if TerminalDevice.isInBackground(input.rawValue) { stayInBackground() } else { try face.enter() }
        do throws(SystemError) {
            try Signals.watch(Signals.termination, on: loop) { [self] signal in
                enter { $0.terminate(signal) }
            }
            try Signals.watch([Signals.windowChange], on: loop) { [self] _ in
                enter { $0.resize() }
            }
            try Signals.watch([Signals.stop], on: loop) { [self] _ in
                enter { $0.requestSuspend() }
            }
            try Signals.watch([Signals.continued], on: loop) { [self] _ in
                enter { $0.goOn() }
            }
            try Signals.watch([Signals.childEnded], on: loop) { _ in StartedChildren.reap() }
        } catch {
            face.leave()
            throw CommandFailure("\(error)", exitCode: .unavailable)
        }
        do throws(SystemError) {
            try loop.watch(input.rawValue, for: .read) { [self] _ in enter { $0.readInput() } }
            inputState = .watched
        } catch {
            // A file or a null device is always readable.
            inputState = .unwatched
        }
        awaitPause()
        resize()
        observeLive()
    }

    /// Shows the open trip from now on.
    func observeLive() {
        live?.enter { live in
            live.observe { [self] _ in enter { $0.observe() } }
        }
    }

    private func observe() {
        guard ending == nil else { return }
        showNewest()
        suspendIfIdle()
    }

    private func unwatch() {
        if case .watched = inputState { loop.unwatch(input.rawValue) }
        // Drawing may still be scheduled in this iteration, but nothing more is read.
        inputState = .ended
        if isWatchingOutput, let number = face.output.descriptor { loop.unwatch(number) }
        isWatchingOutput = false
        Signals.unwatch(Self.signals)
    }

    private func untilEnd() async {
        if ending != nil { return }
        await withCheckedContinuation { endWaiter = $0 }
    }

    /// Ends because of a signal; a second one ends without waiting.
    private func terminate(_ signal: Int32) {
        self.signal = self.signal ?? signal
        // A closed terminal ends the input and sends a signal, in any order; the second of both is not a
        // request to hurry.
        let isUrgent = signal != Signals.hangUp || hasHungUp
        if ending != nil, isUrgent { stopDelivering() }
        guard signal == Signals.hangUp else { return leave(.ended) }
        hasHungUp = true
        closeWindow()
    }

    func stopDelivering() { live?.enter { $0.stopDelivering() } }

    /// Handles a closed window. Changes in flight are still waited for.
    func closeWindow(as how: Ending = .quit) {
        isWindowClosed = true
        leave(.windowClosed, as: how)
    }

    /// Quits, other than by a key.
    func leave(_ departure: Departure, as how: Ending = .quit) {
        guard ending == nil else { return }
        carryOut(face.handle(.leave(departure), now: loop.now).filter { $0 != .quit })
        end(how)
    }

    private func end(_ how: Ending) {
        guard ending == nil else { return }
        ending = how
        readUpTo = face.notDone.count
        endWaiter?.resume()
        endWaiter = nil
    }

    // MARK: The editor's state

    func handle(_ event: EditorEvent) {
        carryOut(face.handle(event, now: loop.now))
        drain()
    }

    /// Processes typed input one key or line at a time, and shows the effects of each before the next.
    func drain() {
        guard !isDraining else { return }
        isDraining = true
        while ending == nil, let effects = face.next(now: loop.now) { carryOut(effects) }
        isDraining = false
        scheduleDraw()
    }

    func carryOut(_ effects: [EditorEffect]) {
        for effect in effects where ending == nil { carryOut(effect) }
        scheduleDraw()
    }

    /// Runs a slow operation after those before it.
    private func run(_ work: @escaping @Sendable (isolated EditorSession) async -> Void) {
        let before = operation
        // The loop must not wait. The session cancels the task at its end.
        operation = Task {
            await withTaskCancellationHandler {
                await before?.value
            } onCancel: {
                before?.cancel()
            }
            if !Task.isCancelled { await work(self) }
        }
    }

    private func carryOut(_ effect: EditorEffect) {
        switch effect {
        case .quit: end(.quit)
        case .suspend: requestSuspend()
        case .bell: face.ringBell()
        case .wake(let delay):
            if let wakeTimer { loop.cancel(wakeTimer) }
            wakeTimer = loop.schedule(after: delay) { [self] in
                enter { session in
                    session.wakeTimer = nil
                    session.handle(.timer)
                }
            }
        case .listTrips:
            let said = lobbySentence
            lobbySentence = nil
            run { await $0.listTrips(said) }
        case .openTrip(let id): run { await $0.open(id) }
        case .leaveTrip: run { await $0.goOn(to: nil) }
        case .createTrip(let plan, let id): run { await $0.create(plan, as: id) }
        case .changeTrip(let id, let change, let plan): run { await $0.change(id, change, from: plan) }
        case .copyTrip(let original, let plan, let id):
            run { await $0.copy(original, plan, as: id) }
        case .deleteTrip(let id, let name, let count):
            run { await $0.delete(id, named: name, itemCount: count) }
        case .restoreTrip(let id): run { await $0.restore(id) }
        case .previewImport(let path): run { await $0.previewImport(of: path) }
        case .takeImport: takeImport()
        case .listHistory: run { await $0.listHistory() }
        case .openLink(let address): open(address)
        case .startDaemon: run { await $0.startDaemon() }
        case .captureMouse(let captures): face.captureMouse(captures)
        case .beginDrag, .hover, .drop, .cancelDrag, .focus, .hold, .release, .apply, .undo, .redo:
            if let (intent, change) = EditorLink.intent(of: effect) { perform(intent, change) }
        }
    }
}
