import LocalSystem

/// Detects that the reader of standard output has closed it, as `head` does, even if nothing is being
/// written.
enum ReaderLeaves {
    private static let watch = Guarded<WatchThread?>(nil)

    private final class WatchThread: Sendable {
        let thread: WorkerThread

        init() throws(SystemError) {
            thread = try WorkerThread {
                if StandardStream.output.waitForReaderExit() { ProcessExit.now(0) }
            }
        }
    }

    /// Ends this process when the reader of its standard output closes it. If the system cannot report that,
    /// the next write fails.
    static func endProcess() {
        watch.withLock { watch in watch = watch ?? (try? WatchThread()) }
    }
}
