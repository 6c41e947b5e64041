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
    private nonisolated let loop: EventLoop
    private let caller: Caller
    private let reference: TripReference
    private var terminal: EditorTerminal
    private var decoder = InputDecoder()
    private var editor: EditorState
    private let input: Descriptor
    private var inputBuffer = [UInt8](repeating: 0, count: 16 * 1024)
    private var link: EditorLink?
    private var commands = CommandQueue()
    private var escapeTimer: TimerID?
    private var wakeTimer: TimerID?
    private var keepAliveTimer: TimerID?
    private var isDrawScheduled = false
    private var ending: Ending?
    private var endWaiter: CheckedContinuation<Void, Never>?
    /// The change that waits for another connection.
    private var reconnectWaiter: CheckedContinuation<Void, Never>?
    /// The number of the last change, for the daemon to know a repeat by.
    private var lastSequence = 0
    /// The drag that the user wants, by number; the answer to an older one is of no interest.
    private var wantedDrag = 0

    private enum Ending {
        case quit
        case failed(CommandFailure)
    }

    /// How long a lone Esc is waited on for the rest of a sequence.
    static let escapePatience = Duration.milliseconds(30)
    /// How often a drag that rests is renewed; a third of its lease.
    static let keepAlive = Duration.milliseconds(WireLimits.leaseMilliseconds / 3)

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Opens the editor on a trip and returns when the user leaves it.
    static func open(
        _ trip: TripReference, _ caller: Caller, in terminal: EditorTerminal, _ options: EditorArguments
    ) async throws(CommandFailure) {
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
            try await session.run()
        } catch {
            session.loop.stop()
            thread.join()
            throw error
        }
        session.loop.stop()
        thread.join()
    }

    private init(
        _ trip: TripReference, _ caller: Caller, _ terminal: EditorTerminal, _ options: EditorArguments,
        _ input: consuming Descriptor, on loop: EventLoop
    ) {
        reference = trip
        self.caller = caller
        self.terminal = terminal
        self.loop = loop
        self.input = consume input
        editor = EditorState(
            userName: caller.user ?? CurrentUser.name ?? "you",
            options: EditorOptions(ascii: options.ascii, reduceMotion: options.reduceMotion))
    }

    private func run() async throws(CommandFailure) {
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
            group.cancelAll()
            commands.close()
            await link?.client.close()
        }
        terminal.leave()
        unwatch()
        if case .failed(let failure)? = ending { throw failure }
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

    private func end(_ how: Ending) {
        guard ending == nil else { return }
        ending = how
        endWaiter?.resume()
        endWaiter = nil
        reconnectWaiter?.resume()
        reconnectWaiter = nil
    }

    // MARK: Terminal

    private func readInput() {
        do throws(SystemError) {
            switch try input.read(into: &inputBuffer) {
            case .bytes(let count): handle(decoder.feed(inputBuffer[..<count]))
            case .wouldBlock: break
            case .end: end(.quit)
            }
        } catch {
            end(.failed(CommandFailure("\(error)", exitCode: CommandFailure.unavailable)))
        }
        if let escapeTimer { loop.cancel(escapeTimer) }
        escapeTimer = nil
        if ending == nil, decoder.isWaitingForMore {
            escapeTimer = loop.schedule(after: Self.escapePatience) { [self] in
                assumeIsolated { session in
                    session.escapeTimer = nil
                    session.handle(session.decoder.timeout())
                }
            }
        }
    }

    private func handle(_ events: [InputEvent]) {
        for event in events {
            if case .reply(let reply) = event { terminal.learn(reply) } else { handle(.input(event)) }
        }
    }

    private func resize() {
        guard let size = terminal.size else { return }
        terminal.forgetScreen()
        handle(.resized(columns: size.columns, rows: size.rows))
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

    private func handle(_ event: EditorEvent) {
        for effect in editor.handle(event, now: loop.now) { carryOut(effect) }
        scheduleDraw()
    }

    private func carryOut(_ effect: EditorEffect) {
        switch effect {
        case .quit: end(.quit)
        case .suspend: suspend()
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
            commands.append(.cancelDrag)
        case .apply(let edits): commands.append(.apply(edits))
        case .undo: commands.append(.undo)
        case .redo: commands.append(.redo)
        }
    }

    // MARK: The daemon's word

    /// Takes in notifications as long as the editor runs, over as many connections as it takes.
    private func listen() async {
        while ending == nil, let client = link?.client {
            for await notification in client.notifications { take(notification) }
            if ending != nil { return }
            let reason = await client.ending ?? .closed(nil)
            if link?.isTripDeleted == true {
                return end(.failed(CommandFailure("the trip was deleted", exitCode: CommandFailure.refused)))
            }
            await reconnect(after: reason)
        }
    }

    private func take(_ notification: Notification) {
        switch notification {
        case .snapshot(let snapshot, _, _, let cause):
            guard let before = link?.mirror.shown.trip else { return }
            if link?.mirror.receive(snapshot) == true {
                showMirror()
                announce(from: before, cause)
            } else {
                handle(.waiting(link?.mirror.waitingCount ?? 0))
            }
        case .presence(_, let users): handle(.people(people(users)))
        case .dragEnded(let drag, _, let reason):
            guard link?.drag == drag else { return }
            endDrag()
            letGo(after: nil)
            switch reason {
            case .expired: handle(.dragLost("the drag was let go: nothing was heard of it for too long"))
            case .itemRemoved: handle(.dragLost("the item was removed"))
            case .tripDeleted: handle(.dragLost("the trip was deleted"))
            }
        case .tripDeleted:
            link?.isTripDeleted = true
            end(.failed(CommandFailure("the trip was deleted", exitCode: CommandFailure.refused)))
        case .goodbye: break
        }
    }

    private func announce(from before: Trip, _ cause: Cause?) {
        guard let cause, cause.clientID != link?.welcome.clientID, let now = link?.mirror.shown.trip,
            let sentence = RemoteChange.sentence(from: before, to: now, by: cause.user)
        else { return }
        handle(.announced(sentence))
    }

    private func people(_ users: [PresentUser]) -> [Person] {
        users.filter { $0.connectionID != link?.welcome.connectionID }
            .map { Person(name: $0.user, dragging: $0.dragging, over: $0.over) }
    }

    private func show(_ link: EditorLink) {
        self.link = link
        reconnectWaiter?.resume()
        reconnectWaiter = nil
        handle(.connection(.connected))
        showMirror()
        handle(.people(people(link.users)))
    }

    private func showMirror() {
        guard let shown = link?.mirror.shown else { return }
        handle(.waiting(0))
        handle(.loaded(TripView(trip: shown.trip, problems: shown.problems)))
    }

    /// Shows newer states again, at once or from a version on.
    private func letGo(after version: Int?) {
        if link?.mirror.letGo(after: version) == true { showMirror() }
    }

    private func endDrag() {
        link?.drag = nil
        if let keepAliveTimer { loop.cancel(keepAliveTimer) }
        keepAliveTimer = nil
    }

    // MARK: Reconnecting

    /// Tries until it is connected again, or the editor ends, or it makes no sense.
    private func reconnect(after reason: ClientError) async {
        endDrag()
        commands.forgetDrag()
        handle(.connection(.lost(reason.description)))
        // A daemon that was stopped on purpose is not started again behind somebody's back.
        var caller = caller
        if case .closed(.shuttingDown?) = reason { caller = caller.withoutStarting }
        var pause = Duration.milliseconds(100)
        while ending == nil {
            do throws(ClientError) {
                let next = try await EditorLink.open(
                    link?.reference ?? reference, caller, clientID: link?.welcome.clientID, on: loop)
                if ending != nil { return await next.client.close() }
                return show(next)
            } catch {
                if case .refused = error { return end(.failed(CommandFailure(error))) }
                handle(.connection(.connecting("\(reason); trying again")))
            }
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(3))
        }
    }

    // MARK: The user's word

    /// Sends what the user does, one after the other.
    private func carryOutCommands() async {
        while let command = await nextCommand() { await carryOut(command) }
    }

    private func nextCommand() async -> EditorCommand? {
        if let command = commands.take() { return command }
        if commands.isClosed { return nil }
        return await withCheckedContinuation { commands.wait($0) }
    }

    private func carryOut(_ command: EditorCommand) async {
        guard let client = link?.client, let trip = link?.reference else { return }
        do throws(ClientError) {
            switch command {
            case .beginDrag(let item, let number):
                let start = try await client.beginDrag(of: item, in: trip)
                link?.drag = start.drag
                scheduleKeepAlive()
                if number == wantedDrag { handle(.dragGranted) }
            case .hover(let placement):
                guard let drag = link?.drag else { return }
                link?.hovered = placement
                try await client.hover(drag, over: placement)
            case .drop(let placement):
                guard let drag = link?.drag else { return }
                endDrag()
                let result = try await client.drop(Drop(drag: drag, placement: placement, trip: trip))
                handle(.dropAccepted)
                letGo(after: result.version)
            case .cancelDrag:
                let drag = link?.drag
                endDrag()
                letGo(after: nil)
                if let drag { try await client.cancel(drag) }
            case .apply(let edits):
                let method = edits.count == 1 ? edits[0].method : .apply
                let change = ChangeRequest(method: method, trip: trip, edits: edits, options: nextOptions())
                _ = try await surely { client async throws(ClientError) in try await client.change(change) }
                handle(.editAccepted(nil))
            case .undo:
                let options = nextOptions()
                let result = try await surely { client async throws(ClientError) in
                    try await client.undo(in: trip, options)
                }
                handle(.editAccepted(result.summary.map { "Undid: \($0)." }))
            case .redo:
                let options = nextOptions()
                let result = try await surely { client async throws(ClientError) in
                    try await client.redo(in: trip, options)
                }
                handle(.editAccepted(result.summary.map { "Did again: \($0)." }))
            }
        } catch {
            refused(command, error)
        }
    }

    /// A number for the next change: when the connection is lost before the answer, sending it again is safe.
    private func nextOptions() -> ChangeOptions {
        lastSequence += 1
        return ChangeOptions(seq: lastSequence)
    }

    /// Sends a numbered change, over as many connections as it takes to get its answer.
    private func surely<Value: Sendable>(
        _ send: (TripClient) async throws(ClientError) -> Value
    ) async throws(ClientError) -> Value {
        while true {
            guard let client = link?.client else { throw .closed(nil) }
            do throws(ClientError) {
                return try await send(client)
            } catch {
                guard error.isLossOfConnection, ending == nil else { throw error }
            }
            await untilReconnected(after: client)
        }
    }

    private func untilReconnected(after client: TripClient) async {
        guard ending == nil, link?.client === client else { return }
        await withCheckedContinuation { reconnectWaiter = $0 }
    }

    private func refused(_ command: EditorCommand, _ error: ClientError) {
        let message = error.description
        switch command {
        case .beginDrag(_, let number):
            guard number == wantedDrag else { return }
            handle(.dragRefused(message))
            letGo(after: nil)
        case .drop:
            handle(.dropRefused(message))
            letGo(after: nil)
        case .apply, .undo, .redo: handle(.editRefused(message))
        case .hover, .cancelDrag: break
        }
    }

    /// A drag that rests would run out; hovering at the same place keeps it.
    private func scheduleKeepAlive() {
        keepAliveTimer = loop.schedule(after: Self.keepAlive) { [self] in
            assumeIsolated { session in
                guard let link = session.link, link.drag != nil else { return }
                session.commands.append(.hover(link.hovered))
                session.scheduleKeepAlive()
            }
        }
    }
}
