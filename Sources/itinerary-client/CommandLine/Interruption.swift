import CommandLineKit
import LocalSystem

/// Handles Ctrl-C and SIGTERM in a command. While a change is being sent, the first of them waits for the answer to
/// report the outcome.
enum Interruption {
    private final class Watch: Sendable {
        let loop: EventLoop
        let thread: WorkerThread

        init() throws(SystemError) {
            let loop = try EventLoop()
            try Signals.watch([Signals.interrupt, Signals.terminate], on: loop) { signal in
                Interruption.handle(signal, on: loop)
            }
            self.loop = loop
            thread = try WorkerThread { loop.run() }
        }
    }

    private struct State {
        /// Lives as long as the process.
        var watch: Watch?
        var isJSON = false
        /// The outcome of the changes so far; nil if none was sent.
        var outcome: String?
        /// Whether a change was sent and not answered.
        var isPending = false
        /// The first signal that arrived.
        var signal: Int32?
    }

    private static let state = Guarded(State())
    /// How long to wait for the answer after an interruption.
    private static let delay = Duration.seconds(5)

    /// Makes Ctrl-C end this process with its exit code, and SIGTERM by the signal. If the signals cannot be watched,
    /// they kill the process.
    static func endsProcess(asJSON isJSON: Bool) {
        state.withLock { state in
            state.isJSON = isJSON
            state.watch = state.watch ?? (try? Watch())
        }
    }

    /// Sets the outcome that an interruption reports, such as `nothing is imported`.
    static func say(_ outcome: String) { state.withLock { $0.outcome = outcome } }

    /// Records that a change is sent.
    static func beginChange() { state.withLock { $0.isPending = true } }

    /// Records the answer to the change. Ends the process if an interruption has waited for it.
    ///
    /// - Parameter isMade: whether it was applied; if not, the error describes the outcome.
    static func endChange(isMade: Bool) {
        let ends = state.withLock { state in
            state.isPending = false
            if isMade { state.outcome = "the change was made" }
            return state.signal != nil && isMade
        }
        if ends { end() }
    }

    private static func handle(_ signal: Int32, on loop: EventLoop) {
        let (waits, isJSON) = state.withLock { state in
            let waits = state.isPending && state.signal == nil
            state.signal = state.signal ?? signal
            return (waits, state.isJSON)
        }
        guard waits else { return end() }
        if !isJSON {
            StandardStream.error.print(
                "itinerary-client: waiting for the daemon's answer; Ctrl-C again ends at once")
        }
        _ = loop.schedule(after: delay) { end() }
    }

    private static func end() {
        let (outcome, signal, isJSON) = state.withLock { state in
            (
                state.isPending ? "the last change may or may not have been applied" : state.outcome,
                state.signal, state.isJSON
            )
        }
        if let outcome {
            let failure = CommandFailure("interrupted; \(outcome)", exitCode: .interrupted)
            if isJSON {
                StandardStream.error.write(failure.json)
            } else {
                StandardStream.error.print("itinerary-client: \(failure.message)")
            }
        }
        if signal == Signals.terminate { ProcessExit.now(bySignal: Signals.terminate) }
        ProcessExit.now(ExitCode.interrupted.rawValue)
    }
}
