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
    var link: EditorLink?
    var commands = CommandQueue()
    private var escapeTimer: TimerID?
    private var wakeTimer: TimerID?
    private var suspendTimer: TimerID?
    private var deliveryWaiter: CheckedContinuation<Void, Never>?
    private var isDelivered = false
    /// A change is sent and not answered.
    var isChanging = false
    /// Changes that could not be delivered before the editor ended.
    var lostChanges = 0
    var keepAliveTimer: TimerID?
    /// Reads a file that was dropped on the editor.
    var reader: WorkerThread?
    private var isDrawScheduled = false
    var ending: Ending?
    private var endWaiter: CheckedContinuation<Void, Never>?
    /// The change that waits for another connection.
    var reconnectWaiter: CheckedContinuation<Void, Never>?
    /// The number of the last change, for the daemon to know a repeat by.
    var lastSequence = 0
    /// The drag that the user wants, by number; the answer to an older one is of no interest.
    var wantedDrag = 0

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
    /// How often a drag that rests is renewed; a third of its lease.
    static let keepAlive = Duration.milliseconds(WireLimits.leaseMilliseconds / 3)

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
        let first: EditorLink
        do throws(ClientError) {
            first = try await EditorLink.open(reference, caller, clientID: nil, on: loop)
        } catch {
            throw CommandFailure(error)
        }
        try begin(with: first)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.listen() }
            group.addTask { await self.carryOutCommands() }
            await self.untilEnd()
            switch ending {
            case .quit, .openTrip: await self.deliverRest()
            case .failed, nil: break
            }
            group.cancelAll()
            commands.close()
            await link?.client.close()
        }
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

    private func begin(with first: EditorLink) throws(CommandFailure) {
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
        show(first)
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
        reconnectWaiter?.resume()
        reconnectWaiter = nil
    }

    /// Lets what the user did reach the daemon, for a while; another Ctrl-C or `q` ends the wait.
    private func deliverRest() async {
        commands.finish()
        guard !isDelivered else { return }
        let timer = loop.schedule(after: Self.deliveryPatience) { [self] in
            assumeIsolated { $0.stopDelivering() }
        }
        await withCheckedContinuation { deliveryWaiter = $0 }
        loop.cancel(timer)
        if !isDelivered { lostChanges += commands.changeCount + (isChanging ? 1 : 0) }
    }

    /// Every command is carried out, or as far as it goes.
    func delivered() {
        isDelivered = true
        stopDelivering()
    }

    private func stopDelivering() {
        deliveryWaiter?.resume()
        deliveryWaiter = nil
    }

    // MARK: Terminal

    private func readInput() {
        do throws(SystemError) {
            switch try input.read(into: &inputBuffer) {
            case .bytes(let count) where ending != nil:
                if inputBuffer[..<count].contains(where: { $0 == 3 || $0 == UInt8(ascii: "q") }) {
                    stopDelivering()
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
        guard link?.drag != nil || !commands.isIdle else { return suspend() }
        guard suspendTimer == nil else { return }
        suspendTimer = loop.schedule(after: Self.suspendPatience) { [self] in
            assumeIsolated { $0.suspendNow() }
        }
        commands.append(.suspend)
    }

    /// Suspends if that is still wanted.
    func suspendNow() {
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
        case .beginDrag(let item):
            wantedDrag += 1
            link?.mirror.holdBack()
            commands.append(.beginDrag(item, number: wantedDrag))
        case .hover(let placement): commands.append(.hover(placement))
        case .drop(let placement): commands.append(.drop(placement))
        case .cancelDrag:
            wantedDrag += 1
            commands.append(.cancelDrag(number: wantedDrag))
        case .apply(let edits): commands.append(.apply(edits))
        case .undo: commands.append(.undo)
        case .redo: commands.append(.redo)
        case .listTrips: commands.append(.listTrips)
        case .openTrip(let id): end(.openTrip(id))
        case .previewImport(let path): commands.append(.previewImport(path: path))
        case .captureMouse(let captures): terminal.captureMouse(captures)
        }
    }
}
