import EditorLink
import ItineraryUI
import LocalSystem
import ScheduleFiles
import TripClient
import TripModel
import TripProtocol

/// The editor at work: the user's face of it on one side, the daemon on the other.
///
/// Everything runs on one event loop: keys, notifications, timers and signals are handled one after the other.
actor EditorSession {
    nonisolated let loop: EventLoop
    let caller: Caller
    let reference: TripReference
    private var face: any EditorFace
    private let input: Descriptor
    private var inputBuffer = [UInt8](repeating: 0, count: 16 * 1024)
    private var inputState = InputState.unwatched
    private(set) var live: LiveTrip?
    /// What the editor was shown last.
    var shown: TripView?
    /// The schedule that was previewed, and what it would do then.
    var previewed: (table: ScheduleTable, preview: ImportPreview)?
    private var escapeTimer: TimerID?
    private var wakeTimer: TimerID?
    private var suspendTimer: TimerID?
    /// Reads a file that was dropped on the editor.
    var reader: WorkerThread?
    /// What is done beside the editing, one thing after the other.
    private var errand: Task<Void, Never>?
    private var isDrawScheduled = false
    private var isDraining = false
    var ending: Ending?
    /// How many of the changes that were not done had come to nothing before the end.
    private var readUpTo = 0
    private var endWaiter: CheckedContinuation<Void, Never>?
    /// How standard input is read.
    private enum InputState {
        /// The loop tells when there is something.
        case watched
        /// The system cannot wait for it, as for a file: it is read whenever more is wanted.
        case unwatched
        /// There is no more.
        case ended
    }

    enum Ending {
        case quit
        /// Another trip is to be opened in its place.
        case openTrip(TripID)
        case failed(CommandFailure)
    }

    /// How long changes may take to reach the daemon when the user quits.
    static let deliveryPatience = Duration.seconds(2)
    /// How long giving back an item may hold up Ctrl-Z.
    static let suspendPatience = Duration.milliseconds(200)

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Opens the editor on a trip, and on others as the user likes; returns when the user leaves it.
    static func open(
        _ trip: TripReference, _ caller: Caller, as face: any EditorFace
    ) async throws(CommandFailure) {
        var face = face
        var next: TripReference? = trip
        while let trip = next {
            face.begin()
            (next, face) = try await edit(trip, caller, as: face)
        }
    }

    /// Edits one trip; returns the one to open after it, and the face as it is then: there may be input in it.
    private static func edit(
        _ trip: TripReference, _ caller: Caller, as face: any EditorFace
    ) async throws(CommandFailure) -> (next: TripReference?, face: any EditorFace) {
        let next: TripReference?
        let session: EditorSession
        let thread: WorkerThread
        do throws(SystemError) {
            let loop = try EventLoop()
            session = EditorSession(
                trip, caller, face, try Descriptor.duplicate(of: 0), on: loop)
            thread = try WorkerThread { loop.run() }
        } catch {
            throw CommandFailure("\(error)", exitCode: CommandFailure.unavailable)
        }
        // The first connection is made before the screen is taken: what fails is said on the command line.
        do throws(CommandFailure) {
            next = try await session.run()
        } catch {
            session.loop.stop()
            thread.join()
            throw error
        }
        let last = await session.face
        session.loop.stop()
        thread.join()
        return (next, last)
    }

    private init(
        _ trip: TripReference, _ caller: Caller, _ face: any EditorFace, _ input: consuming Descriptor,
        on loop: EventLoop
    ) {
        reference = trip
        self.caller = caller
        self.face = face
        self.loop = loop
        self.input = consume input
    }

    private func run() async throws(CommandFailure) -> TripReference? {
        let live: LiveTrip
        do throws(ClientError) {
            live = try await LiveTrip.open(
                reference, at: DaemonAddress(path: caller.socket), caller.liveOptions, on: loop)
        } catch {
            throw CommandFailure(error)
        }
        self.live = live
        do throws(CommandFailure) { try begin() } catch {
            await live.close(waitingUpTo: .zero)
            throw error
        }
        await untilEnd()
        // What the user did may reach the daemon, for a while; another Ctrl-C or `q` ends the wait.
        switch ending {
        case .quit, .openTrip: await live.close(waitingUpTo: Self.deliveryPatience)
        case .failed, nil: await live.close(waitingUpTo: .zero)
        }
        // It holds on to this session, and this session to it.
        await live.stopObserving()
        self.live = nil
        face.leave()
        errand?.cancel()
        await errand?.value
        unwatch()
        try report()
        if case .openTrip(let id)? = ending { return .id(id) }
        return nil
    }

    /// Says at the end what was not done, or perhaps not, as nobody can look it up in the editor any more.
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
            return
        }
        let what = new == 1 ? "1 change is" : "\(new) changes are"
        throw CommandFailure(
            (["\(what) not known to be done:"] + lines).joined(separator: "\n  "),
            exitCode: CommandFailure.unavailable)
    }

    // MARK: Beginning and ending

    private func begin() throws(CommandFailure) {
        try face.enter()
        do throws(SystemError) {
            try Signals.watch(Signals.termination, on: loop) { [self] _ in
                assumeIsolated { $0.terminate() }
            }
            try Signals.watch([Signals.windowChange], on: loop) { [self] _ in
                assumeIsolated { $0.resize() }
            }
        } catch {
            face.leave()
            throw CommandFailure("\(error)", exitCode: CommandFailure.unavailable)
        }
        do throws(SystemError) {
            try loop.watch(input.rawValue, for: .read) { [self] _ in assumeIsolated { $0.readInput() } }
            inputState = .watched
        } catch {
            // A file, or nothing at all: it is always ready.
            inputState = .unwatched
        }
        resize()
        live?.assumeIsolated { live in
            live.observe { [self] _ in assumeIsolated { $0.observe() } }
        }
    }

    private func observe() {
        guard ending == nil else { return }
        showNewest()
        suspendIfIdle()
    }

    private func unwatch() {
        if case .watched = inputState { loop.unwatch(input.rawValue) }
        // Something may still be about to be shown in this round; nothing more is read then.
        inputState = .ended
        Signals.unwatch(Signals.termination + [Signals.windowChange])
    }

    private func untilEnd() async {
        if ending != nil { return }
        await withCheckedContinuation { endWaiter = $0 }
    }

    /// Ends as it was asked to from outside; asked once more, without waiting for anything.
    private func terminate() {
        if ending == nil { end(.quit) } else { stopDelivering() }
    }

    private func stopDelivering() { live?.assumeIsolated { $0.stopDelivering() } }

    func end(_ how: Ending) {
        guard ending == nil else { return }
        ending = how
        readUpTo = face.notDone.count
        endWaiter?.resume()
        endWaiter = nil
    }

    // MARK: Terminal

    private func readInput() {
        if case .ended = inputState { return }
        do throws(SystemError) {
            switch try input.read(into: &inputBuffer) {
            case .bytes(let count) where ending != nil:
                if face.isImpatient(inputBuffer[..<count]) { stopDelivering() }
            case .bytes(let count):
                face.typed(inputBuffer[..<count])
                drain()
            case .wouldBlock: break
            case .end:
                if case .watched = inputState { loop.unwatch(input.rawValue) }
                inputState = .ended
                face.inputEnded()
                drain()
            }
        } catch {
            end(.failed(CommandFailure("\(error)", exitCode: CommandFailure.unavailable)))
        }
        if let escapeTimer { loop.cancel(escapeTimer) }
        escapeTimer = nil
        if ending == nil, let patience = face.inputPatience {
            escapeTimer = loop.schedule(after: patience) { [self] in
                assumeIsolated { session in
                    session.escapeTimer = nil
                    session.face.inputPaused()
                    session.drain()
                }
            }
        }
    }

    /// Reads on when the face wants more, and leaves what is typed to the system when it does not.
    private func askForInput() {
        switch inputState {
        case .watched:
            loop.changeInterest(input.rawValue, to: face.takesInput ? .read : [])
        case .unwatched:
            guard face.takesInput, ending == nil else { return }
            _ = loop.schedule(after: .zero) { [self] in assumeIsolated { $0.readInput() } }
        case .ended: break
        }
    }

    private func resize() { carryOut(face.resized(now: loop.now)) }

    /// Suspends when the item in hand is given back, or when that takes too long.
    private func requestSuspend() {
        guard suspendTimer == nil else { return }
        suspendTimer = loop.schedule(after: Self.suspendPatience) { [self] in
            assumeIsolated { $0.suspendNow() }
        }
        suspendIfIdle()
    }

    /// Suspends, if that is wanted and nothing is on its way to the daemon.
    func suspendIfIdle() {
        if live?.assumeIsolated({ $0.isIdle }) != false { suspendNow() }
    }

    private func suspendNow() {
        guard let timer = suspendTimer else { return }
        loop.cancel(timer)
        suspendTimer = nil
        if ending == nil { suspend() }
    }

    private func suspend() {
        face.leave()
        Signals.stopProcess()
        do throws(CommandFailure) { try face.enter() } catch { end(.failed(error)) }
        resize()
    }

    /// Shows once what has changed by all that happens in a round, and asks for more.
    private func scheduleDraw() {
        guard !isDrawScheduled else { return }
        isDrawScheduled = true
        loop.atEndOfRound { [self] in
            assumeIsolated { session in
                session.isDrawScheduled = false
                if session.ending == nil { session.face.show() }
                session.askForInput()
            }
        }
    }

    // MARK: The editor's state

    func handle(_ event: EditorEvent) {
        carryOut(face.handle(event, now: loop.now))
        drain()
    }

    /// Looks at what has been typed, one key or line after the other: what one leads to is shown before the next.
    private func drain() {
        guard !isDraining else { return }
        isDraining = true
        while ending == nil, let effects = face.next(now: loop.now) { carryOut(effects) }
        isDraining = false
        scheduleDraw()
    }

    private func carryOut(_ effects: [EditorEffect]) {
        for effect in effects where ending == nil { carryOut(effect) }
        scheduleDraw()
    }

    /// Does something beside the editing that takes its time.
    private func run(_ work: @escaping @Sendable (isolated EditorSession) async -> Void) {
        let before = errand
        errand = Task {
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
                assumeIsolated { session in
                    session.wakeTimer = nil
                    session.handle(.timer)
                }
            }
        case .listTrips: run { await $0.listTrips() }
        case .openTrip(let id): run { await $0.open(id) }
        case .previewImport(let path): run { await $0.previewImport(of: path) }
        case .takeImport: takeImport()
        case .startDaemon: run { await $0.startDaemon() }
        case .captureMouse(let captures): face.captureMouse(captures)
        case .beginDrag, .hover, .drop, .cancelDrag, .hold, .release, .apply, .undo, .redo:
            if let (intent, change) = EditorLink.intent(of: effect) { perform(intent, change) }
        }
    }
}
