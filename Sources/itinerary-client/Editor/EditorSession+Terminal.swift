import ItineraryUI
import LocalSystem

/// The terminal: what is typed there, what is shown, and that it is somebody else's for a while.
extension EditorSession {
    func readInput() {
        if case .ended = inputState { return }
        if isInBackground { return }
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
                if face.isWindow { closeWindow() } else { face.inputEnded() }
                drain()
            }
        } catch {
            lose(error)
        }
        awaitPause()
    }

    /// Looks again in a moment where what was typed last may be the beginning of something.
    func awaitPause() {
        if let escapeTimer { loop.cancel(escapeTimer) }
        escapeTimer = nil
        if ending == nil, let patience = face.inputPatience {
            escapeTimer = loop.schedule(after: patience) { [self] in
                enter { session in
                    session.escapeTimer = nil
                    session.face.inputPaused()
                    session.drain()
                }
            }
        }
    }

    /// The input or the output has failed; a reader that has gone has closed the window.
    private func lose(_ failure: SystemError) {
        guard ending == nil else { return }
        // A terminal that is another's is not lost.
        if failure.isLostTerminal, TerminalDevice.isAnothers(input.rawValue) { return goOn() }
        guard failure.isBrokenPipe || failure.isLostTerminal else {
            return leave(.ended, as: .failed(CommandFailure("\(failure)", exitCode: CommandFailure.ioFailed)))
        }
        closeWindow()
    }

    /// Reads on when the face wants more, and leaves what is typed to the system when it does not.
    private func askForInput() {
        switch inputState {
        case .watched:
            loop.changeInterest(input.rawValue, to: face.takesInput && !isInBackground ? .read : [])
        case .unwatched:
            guard face.takesInput, ending == nil, !isInBackground else { return }
            _ = loop.schedule(after: .zero) { [self] in enter { $0.readInput() } }
        case .ended: break
        }
    }

    func resize() { carryOut(face.resized(now: loop.now)) }

    /// Suspends when the item in hand is given back, or when that takes too long.
    func requestSuspend() {
        guard suspendTimer == nil else { return }
        suspendTimer = loop.schedule(after: Self.suspendPatience) { [self] in
            enter { $0.suspendNow() }
        }
        suspendIfIdle()
    }

    /// Suspends, if that is wanted and nothing is on its way to the daemon.
    func suspendIfIdle() {
        if live?.enter({ $0.isIdle }) != false { suspendNow() }
    }

    private func suspendNow() {
        guard let timer = suspendTimer else { return }
        loop.cancel(timer)
        suspendTimer = nil
        if ending == nil { suspend() }
    }

    private func suspend() {
        face.leave()
        stop()
        goOn()
    }

    private func stop() {
        Signals.unwatch([Signals.stop])
        Signals.stopGroup()
        do throws(SystemError) {
            try Signals.watch([Signals.stop], on: loop) { [self] _ in
                enter { $0.requestSuspend() }
            }
        } catch {
            leave(.ended, as: .failed(CommandFailure("\(error)", exitCode: CommandFailure.unavailable)))
        }
    }

    /// The process goes on, whoever stopped it: the terminal may be another's by now, and show something else.
    func goOn() {
        guard ending == nil else { return }
        guard !TerminalDevice.isAnothers(input.rawValue) else { return stayInBackground() }
        isInBackground = false
        do throws(CommandFailure) { try face.enter() } catch {
            // A terminal that is closed lets its programs go on, so that they hear of it.
            closeWindow(as: .failed(error))
        }
        resize()
    }

    /// Leaves the terminal alone and stops, as the system has every program stopped that reads it in the background. What
    /// came with going on comes before, as the signal by which a shell ends a job.
    func stayInBackground() {
        isInBackground = true
        guard backgroundTimer == nil else { return }
        backgroundTimer = loop.schedule(after: Self.backgroundPause) { [self] in
            enter { session in
                session.backgroundTimer = nil
                guard session.ending == nil else { return }
                if TerminalDevice.isAnothers(session.input.rawValue) { session.stop() }
                session.goOn()
            }
        }
        scheduleDraw()
    }

    /// Shows once what has changed by all that happens in a round, and asks for more.
    func scheduleDraw() {
        guard !isDrawScheduled else { return }
        isDrawScheduled = true
        loop.atEndOfRound { [self] in
            enter { session in
                session.isDrawScheduled = false
                if session.ending == nil, !session.isInBackground { session.face.show() }
                session.watchOutput()
                session.askForInput()
            }
        }
    }

    /// Goes on showing when a terminal that did not read reads again; whoever has gone is left.
    private func watchOutput() {
        if let failure = face.output.failure {
            return lose(failure)
        }
        guard ending == nil, face.output.isStuck, !isWatchingOutput, let number = face.output.descriptor
        else {
            return
        }
        do throws(SystemError) {
            try loop.watch(number, for: .write) { [self] _ in enter { $0.outputReady() } }
            isWatchingOutput = true
        } catch {
            leave(.ended, as: .failed(CommandFailure("\(error)", exitCode: CommandFailure.unavailable)))
        }
    }

    private func outputReady() {
        face.output.flush()
        guard !face.output.isStuck else { return }
        if isWatchingOutput, let number = face.output.descriptor { loop.unwatch(number) }
        isWatchingOutput = false
        drain()
    }
}
