import ItineraryUI
import LocalSystem

/// Terminal input and output, suspending and background mode.
extension EditorSession {
    func readInput() {
        if case .ended = inputState { return }
        if isInBackground { return }
        do throws(SystemError) {
            switch try input.read(into: &inputBuffer) {
            case .bytes(let count) where ending != nil:
                if face.isUrgent(inputBuffer[..<count]) { stopDelivering() }
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

    /// Starts a timer if the last input may be incomplete.
    func awaitPause() {
        if let escapeTimer { loop.cancel(escapeTimer) }
        escapeTimer = nil
        if ending == nil, let timeout = face.inputTimeout {
            escapeTimer = loop.schedule(after: timeout) { [self] in
                enter { session in
                    session.escapeTimer = nil
                    session.face.inputPaused()
                    session.drain()
                }
            }
        }
    }

    /// Handles a failure of the input or output. If the terminal is gone, the window was closed.
    private func lose(_ failure: SystemError) {
        guard ending == nil else { return }
        // A terminal that another job uses is not lost.
        if failure.isLostTerminal, TerminalDevice.isInBackground(input.rawValue) { return goOn() }
        guard failure.isBrokenPipe || failure.isLostTerminal else {
            return leave(.ended, as: .failed(CommandFailure("\(failure)", exitCode: .ioFailed)))
        }
        closeWindow()
    }

    /// Reads more input if the interface can process it; otherwise the input stays in the system's buffer.
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

    /// Suspends after the drag is cancelled, or after a timeout.
    func requestSuspend() {
        guard suspendTimer == nil else { return }
        suspendTimer = loop.schedule(after: Self.suspendTimeout) { [self] in
            enter { $0.suspendNow() }
        }
        suspendIfIdle()
    }

    /// Suspends, if requested and no request is in flight.
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
            leave(.ended, as: .failed(CommandFailure("\(error)", exitCode: .unavailable)))
        }
    }

    /// Handles SIGCONT. Another job may now use the terminal, or have overwritten the screen.
    func goOn() {
        guard ending == nil else { return }
        guard !TerminalDevice.isInBackground(input.rawValue) else { return stayInBackground() }
        isInBackground = false
        do throws(CommandFailure) { try face.enter() } catch {
            // A closed terminal also continues its programs, so that they notice.
            closeWindow(as: .failed(error))
        }
        resize()
    }

    /// Stops this process without touching the terminal, as the system does with background programs that
    /// read. Events that came with SIGCONT are handled before that, such as the signal by which a shell ends a job.
    func stayInBackground() {
        isInBackground = true
        guard backgroundTimer == nil else { return }
        backgroundTimer = loop.schedule(after: Self.backgroundPause) { [self] in
            enter { session in
                session.backgroundTimer = nil
                guard session.ending == nil else { return }
                if TerminalDevice.isInBackground(session.input.rawValue) { session.stop() }
                session.goOn()
            }
        }
        scheduleDraw()
    }

    /// Schedules one drawing for all changes of this loop iteration, and reads more input.
    func scheduleDraw() {
        guard !isDrawScheduled else { return }
        isDrawScheduled = true
        loop.atEndOfIteration { [self] in
            enter { session in
                session.isDrawScheduled = false
                if session.ending == nil, !session.isInBackground { session.face.show() }
                session.watchOutput()
                session.askForInput()
            }
        }
    }

    /// Resumes drawing when a blocked terminal reads again; quits if it is gone.
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
            leave(.ended, as: .failed(CommandFailure("\(error)", exitCode: .unavailable)))
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
