import CommandLineKit
import LocalSystem

/// Ctrl-C at a command.
enum Interruption {
    private final class Watch: Sendable {
        let loop: EventLoop
        let thread: WorkerThread

        init() throws(SystemError) {
            let loop = try EventLoop()
            try Signals.watch([Signals.interrupt], on: loop) { _ in
                ProcessExit.now(ExitCode.interrupted.rawValue)
            }
            self.loop = loop
            thread = try WorkerThread { loop.run() }
        }
    }

    /// Lives as long as the process.
    private static let watch = Guarded<Watch?>(nil)

    /// From now on an interruption ends this process with its exit code. Where it cannot be watched, the signal does.
    static func endsProcess() {
        watch.withLock { watch in watch = watch ?? (try? Watch()) }
    }
}
