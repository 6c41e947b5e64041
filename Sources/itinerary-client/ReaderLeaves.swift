import LocalSystem

/// Whoever reads standard output goes, as `head` does, while there is nothing to write that would tell.
enum ReaderLeaves {
    private static let watch = Guarded<WatchThread?>(nil)

    private final class WatchThread: Sendable {
        let thread: WorkerThread

        init() throws(SystemError) {
            thread = try WorkerThread {
                if StandardStream.output.waitUntilUnread() { ProcessExit.now(0) }
            }
        }
    }

    /// From now on this process ends when nobody can read its standard output any more. Where that cannot be noticed,
    /// the next line does.
    static func endProcess() {
        watch.withLock { watch in watch = watch ?? (try? WatchThread()) }
    }
}
