import ItineraryUI
import LocalSystem
import TerminalCore
import TripClient
import TripModel
import TripProtocol

/// The editor at work: the terminal on one side, the daemon on the other, and the editor's state between them.
///
/// Everything runs on one event loop: keys, notifications, timers and signals are handled one after the other.
actor EditorSession {
    nonisolated let loop: EventLoop
    let caller: Caller
    let reference: TripReference
    private var terminal: EditorTerminal
    private var decoder = InputDecoder()
    private var editor: EditorState
    private let input: Descriptor
    private var inputBuffer = [UInt8](repeating: 0, count: 16 * 1024)
    private(set) var live: LiveTrip?
    /// The state that is on the screen.
    var shown: LiveTripState?
    private var escapeTimer: TimerID?
    private var wakeTimer: TimerID?
    private var suspendTimer: TimerID?
    /// Reads a file that was dropped on the editor.
    var reader: WorkerThread?
    /// What is done beside the editing, one thing after the other.
    private var errand: Task<Void, Never>?
    private var isDrawScheduled = false
    var ending: Ending?
    private var endWaiter: CheckedContinuation<Void, Never>?
    /// The drag that the user wants, by number; the answer to an older one is of no interest.
    var wantedDrag = 0
    /// The drag that the user had when the connection was lost.
    var lostDrag: Int?
    /// Why the connection was lost; attempts to connect fail for reasons of their own.
    var lossReason = ""

    enum Ending {
        case quit
        /// Another trip is to be opened in its place.
        case openTrip(TripID)
        case failed(CommandFailure)
    }

    /// How long a lone Esc is waited on for the rest of a sequence.
    static let escapePatience = Duration.milliseconds(30)
    /// How long a paste is waited on for its end, which may have been lost on the way.
    static let pastePatience = Duration.seconds(2)
    /// How long changes may take to reach the daemon when the user quits.
    static let deliveryPatience = Duration.seconds(2)
    /// How long giving back an item may hold up Ctrl-Z.
    static let suspendPatience = Duration.milliseconds(200)

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Opens the editor on a trip, and on others as the user likes; returns when the user leaves it.
    static func open(
        _ trip: TripReference, _ caller: Caller, in terminal: EditorTerminal, _ options: EditorArguments
    ) async throws(CommandFailure) {
        var next: TripReference? = trip
        while let trip = next { next = try await edit(trip, caller, in: terminal, options) }
    }

    /// Edits one trip; returns the one to open after it.
    private static func edit(
        _ trip: TripReference, _ caller: Caller, in terminal: EditorTerminal, _ options: EditorArguments
    ) async throws(CommandFailure) -> TripReference? {
        let next: TripReference?
        let session: EditorSession
        let thread: WorkerThread
        do throws(SystemError) {
            let loop = try EventLoop()
            session = EditorSession(
                trip, caller, terminal, options, try Descriptor.duplicate(of: 0), on: loop)
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
        session.loop.stop()
        thread.join()
        return next
    }

    private init(
        _ trip: TripReference, _ caller: Caller, _ terminal: EditorTerminal, _ options: EditorArguments,
        _ input: consuming Descriptor, on loop: EventLoop
    ) {
        reference = trip
        self.caller = caller
        let options = options.options(for: terminal)
        self.terminal = terminal
        self.terminal.captureMouse(options.takesMouse)
        self.loop = loop
        self.input = consume input
        editor = EditorState(
            userName: caller.user ?? CurrentUser.name ?? "you", options: options)
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
        let lostChanges: Int
        switch ending {
        case .quit, .openTrip: lostChanges = await live.close(waitingUpTo: Self.deliveryPatience)
        case .failed, nil: lostChanges = await live.close(waitingUpTo: .zero)
        }
        errand?.cancel()
        await errand?.value
        terminal.leave()
        unwatch()
        if case .failed(let failure)? = ending { throw failure }
        guard lostChanges == 0 else {
            throw CommandFailure(
                "\(lostChanges) of your changes did not reach the daemon",
                exitCode: CommandFailure.unavailable)
        }
        if case .openTrip(let id)? = ending { return .id(id) }
        return nil
    }

    // MARK: Beginning and ending

    private func begin() throws(CommandFailure) {
        try terminal.enter()
        do throws(SystemError) {
            try loop.watch(input.rawValue, for: .read) { [self] _ in assumeIsolated { $0.readInput() } }
            try Signals.watch(Signals.termination, on: loop) { [self] _ in
                assumeIsolated { $0.end(.quit) }
            }
            try Signals.watch([Signals.windowChange], on: loop) { [self] _ in
                assumeIsolated { $0.resize() }
            }
        } catch {
            terminal.leave()
            throw CommandFailure("\(error)", exitCode: CommandFailure.unavailable)
        }
        resize()
        live?.assumeIsolated { live in
            live.observe { [self] state in assumeIsolated { $0.observe(state) } }
        }
    }

    private func observe(_ state: LiveTripState) {
        if ending == nil { take(state) }
    }

    private func unwatch() {
        loop.unwatch(input.rawValue)
        Signals.unwatch(Signals.termination + [Signals.windowChange])
    }

    private func untilEnd() async {
        if ending != nil { return }
        await withCheckedContinuation { endWaiter = $0 }
    }

    func end(_ how: Ending) {
        guard ending == nil else { return }
        ending = how
        endWaiter?.resume()
        endWaiter = nil
    }

    // MARK: Terminal

    private func readInput() {
        do throws(SystemError) {
            switch try input.read(into: &inputBuffer) {
            case .bytes(let count) where ending != nil:
                if inputBuffer[..<count].contains(where: { $0 == 3 || $0 == UInt8(ascii: "q") }) {
                    live?.assumeIsolated { $0.stopDelivering() }
                }
            case .bytes(let count): handle(decoder.feed(inputBuffer[..<count]))
            case .wouldBlock: break
            case .end: end(.quit)
            }
        } catch {
            end(.failed(CommandFailure("\(error)", exitCode: CommandFailure.unavailable)))
        }
        if let escapeTimer { loop.cancel(escapeTimer) }
        escapeTimer = nil
        if ending == nil, decoder.isWaitingForMore || decoder.isPasting {
            let patience = decoder.isPasting ? Self.pastePatience : Self.escapePatience
            escapeTimer = loop.schedule(after: patience) { [self] in
                assumeIsolated { session in
                    session.escapeTimer = nil
                    session.handle(session.decoder.timeout())
                }
            }
        }
    }

    private func handle(_ events: [InputEvent]) {
        for event in events where ending == nil {
            if case .reply(let reply) = event { terminal.learn(reply) }
            handle(.input(event))
        }
    }

    private func resize() {
        guard let size = terminal.size else { return }
        terminal.forgetScreen()
        handle(.resized(columns: size.columns, rows: size.rows))
    }

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
        terminal.leave()
        Signals.stopProcess()
        do throws(CommandFailure) { try terminal.enter() } catch { end(.failed(error)) }
        resize()
    }

    /// Draws once for everything that happens in a round.
    private func scheduleDraw() {
        guard !isDrawScheduled else { return }
        isDrawScheduled = true
        loop.atEndOfRound { [self] in
            assumeIsolated { session in
                session.isDrawScheduled = false
                if session.ending == nil { session.terminal.draw(session.editor.frame()) }
            }
        }
    }

    // MARK: The editor's state

    func handle(_ event: EditorEvent) {
        for effect in editor.handle(event, now: loop.now) { carryOut(effect) }
        scheduleDraw()
    }

    /// Does something beside the editing that takes its time.
    private func run(_ work: @escaping @Sendable (isolated EditorSession) async -> Void) {
        let before = errand
        errand = Task {
            await before?.value
            if !Task.isCancelled { await work(self) }
        }
    }

    private func carryOut(_ effect: EditorEffect) {
        switch effect {
        case .quit: end(.quit)
        case .suspend: requestSuspend()
        case .bell: terminal.ringBell()
        case .wake(let delay):
            if let wakeTimer { loop.cancel(wakeTimer) }
            wakeTimer = loop.schedule(after: delay) { [self] in
                assumeIsolated { session in
                    session.wakeTimer = nil
                    session.handle(.timer)
                }
            }
        case .beginDrag(let item): beginDrag(of: item)
        case .hover(let placement): want(.hover(placement)) { _, _ in }
        case .drop(let placement): drop(placement)
        case .cancelDrag: cancelDrag()
        case .apply(let edits): apply(edits)
        case .undo: undo()
        case .redo: redo()
        case .listTrips: run { await $0.listTrips() }
        case .openTrip(let id): end(.openTrip(id))
        case .previewImport(let path): run { await $0.previewImport(of: path) }
        case .captureMouse(let captures): terminal.captureMouse(captures)
        }
    }
}
