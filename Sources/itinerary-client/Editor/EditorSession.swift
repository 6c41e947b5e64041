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
actor EditorSession: LoopActor {
    nonisolated let loop: EventLoop
    let caller: Caller
    /// What is opened.
    let start: Start
    /// What the user may do.
    private let role: Hello.Role
    var face: any EditorFace
    let input: Descriptor
    var inputBuffer = [UInt8](repeating: 0, count: 16 * 1024)
    var inputState = InputState.unwatched
    var live: LiveTrip?
    /// Nobody sees this editor any more: what it would say at the end is kept for the next one.
    private var isWindowClosed = false
    /// The terminal has said by a signal that it goes.
    private var hasHungUp = false
    /// Names what is done to trips as wholes, so that a request which is made again is known for the same one.
    let errandClient = ClientID.random()
    /// The number of the newest change of a trip as a whole.
    var errandSequence = 0
    /// What is said with the list of trips where there is no trip any more.
    var lobbySentence: String?
    /// The trip that is open here is being deleted here.
    var deletesOwnTrip = false
    /// The trip that is open has been deleted by somebody else.
    var isTripGone = false
    /// What the editor was shown last.
    var shown: TripView?
    /// The schedule that was previewed, and what it would do then.
    var previewed: (file: NamedSchedule, preview: ImportPreview)?
    var escapeTimer: TimerID?
    var wakeTimer: TimerID?
    var suspendTimer: TimerID?
    /// Reads a file that was dropped on the editor.
    var reader: WorkerThread?
    /// What is done beside the editing, one thing after the other.
    private var errand: Task<Void, Never>?
    /// The terminal is another's, and nothing is read there or shown.
    var isInBackground = false
    var backgroundTimer: TimerID?
    var isDrawScheduled = false
    var isWatchingOutput = false
    /// What asked this process to end.
    private var signal: Int32?
    private var isDraining = false
    var ending: Ending?
    /// How many of the changes that were not done had come to nothing before the end.
    private var readUpTo = 0
    private var endWaiter: CheckedContinuation<Void, Never>?
    /// How standard input is read.
    enum InputState {
        /// The loop tells when there is something.
        case watched
        /// The system cannot wait for it, as for a file: it is read whenever more is wanted.
        case unwatched
        /// There is no more.
        case ended
    }

    /// What the editor is opened on.
    enum Start: Sendable {
        case trip(TripReference)
        /// No trip: one is chosen or made there.
        case lobby(Lobby)
    }

    enum Ending {
        case quit
        case failed(CommandFailure)
    }

    private static let signals =
        Signals.termination + [Signals.windowChange, Signals.stop, Signals.goesOn, Signals.childEnded]
    /// How long changes may take to reach the daemon when the user quits.
    static let deliveryPatience = Duration.seconds(2)
    /// How long they may take before it is said that they are waited for.
    private static let noticePatience = Duration.milliseconds(200)
    /// How long giving back an item may hold up Ctrl-Z.
    static let suspendPatience = Duration.milliseconds(200)
    /// How long it goes on in the background before it stops.
    static let backgroundPause = Duration.milliseconds(50)

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Opens the editor, in which other trips may be opened; returns when the user leaves it.
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
            throw CommandFailure("\(error)", exitCode: CommandFailure.unavailable)
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
        // The first connection is made before the screen is taken: what fails is said on the command line.
        let lobby = try await connect()
        do throws(CommandFailure) { try begin() } catch {
            await live?.close(waitingUpTo: .zero)
            throw error
        }
        if let lobby { handle(.lobby(lobby)) }
        let unsaid = UnsaidChanges(.current).take()
        if !unsaid.isEmpty { handle(.unsaid(unsaid)) }
        await untilEnd()
        // What the user did may reach the daemon, for a while; another Ctrl-C or `q` ends the wait.
        // Whatever it is that ends the editor: what is on its way is the user's.
        await deliver()
        // It holds on to this session, and this session to it.
        live?.enter { $0.stopObserving() }
        live = nil
        face.leave()
        errand?.cancel()
        // A file that cannot be read, as on a disk far away, keeps nobody from leaving.
        if reader == nil { await errand?.value }
        // Before the signals end the process again.
        if isWindowClosed { UnsaidChanges(.current).keep(face.notDoneByTrip) }
        unwatch()
        do throws(CommandFailure) { try report() } catch {
            var failure = error
            failure.signal = signal
            throw failure
        }
        if let signal {
            var failure = CommandFailure("", exitCode: CommandFailure.unavailable)
            failure.signal = signal
            throw failure
        }
    }

    /// Gives what the user did time to reach the daemon, saying so where it takes some, and closes the trip.
    func deliver(opensOther: Bool = false) async {
        let notice = loop.schedule(after: Self.noticePatience) { [self] in
            enter { $0.sayLeaving(opensOther: opensOther) }
        }
        await live?.close(waitingUpTo: Self.deliveryPatience)
        loop.cancel(notice)
    }

    /// Connects to the trip, or finds out that there is none to show, and why.
    private func connect() async throws(CommandFailure) -> Lobby? {
        guard case .trip(let reference) = start else {
            guard case .lobby(let lobby) = start else { return nil }
            // Whoever only looks for trips has the daemon started too.
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
        try await LiveTrip.open(trip, at: caller.address, caller.liveOptions(role: role), on: loop)
    }

    /// Says what is waited for.
    private func sayLeaving(opensOther: Bool) {
        _ = face.handle(.leaving(opensOther: opensOther), now: loop.now)
        face.show()
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
            // A script has to be told too.
            if case .quit? = ending, !isWindowClosed, face.deniedCount > 0 {
                throw CommandFailure("", exitCode: CommandFailure.refused)
            }
            return
        }
        let what = new == 1 ? "1 change is" : "\(new) changes are"
        throw CommandFailure(
            (["\(what) not known to be done:"] + lines).joined(separator: "\n  "),
            exitCode: CommandFailure.unavailable)
    }

    // MARK: Beginning and ending

    private func begin() throws(CommandFailure) {
        if TerminalDevice.isAnothers(input.rawValue) { stayInBackground() } else { try face.enter() }
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
            try Signals.watch([Signals.goesOn], on: loop) { [self] _ in
                enter { $0.goOn() }
            }
            try Signals.watch([Signals.childEnded], on: loop) { _ in StartedChildren.reap() }
        } catch {
            face.leave()
            throw CommandFailure("\(error)", exitCode: CommandFailure.unavailable)
        }
        do throws(SystemError) {
            try loop.watch(input.rawValue, for: .read) { [self] _ in enter { $0.readInput() } }
            inputState = .watched
        } catch {
            // A file, or nothing at all: it is always ready.
            inputState = .unwatched
        }
        awaitPause()
        resize()
        observeLive()
    }

    /// Shows the trip that is open, from now on.
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
        // Something may still be about to be shown in this round; nothing more is read then.
        inputState = .ended
        if isWatchingOutput, let number = face.output.descriptor { loop.unwatch(number) }
        isWatchingOutput = false
        Signals.unwatch(Self.signals)
    }

    private func untilEnd() async {
        if ending != nil { return }
        await withCheckedContinuation { endWaiter = $0 }
    }

    /// Ends as it was asked to from outside; asked once more, without waiting for anything.
    private func terminate(_ signal: Int32) {
        self.signal = self.signal ?? signal
        // A terminal that goes ends the input too, before its signal or after it: the first one shows no impatience.
        let isImpatient = signal != Signals.hangUp || hasHungUp
        if ending != nil, isImpatient { stopDelivering() }
        guard signal == Signals.hangUp else { return leave(.ended) }
        hasHungUp = true
        closeWindow()
    }

    func stopDelivering() { live?.enter { $0.stopDelivering() } }

    /// Nobody sees this editor any more. What is on its way is waited for.
    func closeWindow(as how: Ending = .quit) {
        isWindowClosed = true
        leave(.windowClosed, as: how)
    }

    /// Leaves, other than by a key.
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

    /// Looks at what has been typed, one key or line after the other: what one leads to is shown before the next.
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
        case .deleteTrip(let id, let name): run { await $0.delete(id, named: name) }
        case .restoreTrip(let key, let id): run { await $0.restore(key, as: id) }
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
