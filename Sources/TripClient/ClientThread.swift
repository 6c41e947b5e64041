import LocalSystem

/// The shared thread of all clients that do not bring their own loop.
enum ClientThread {
    private final class Running: Sendable {
        let loop: EventLoop
        let thread: WorkerThread

        init() throws(SystemError) {
            let loop = try EventLoop()
            self.loop = loop
            thread = try WorkerThread { loop.run() }
        }
    }

    private static let running = Guarded<Running?>(nil)

    /// The loop of that thread, started on first use; it sleeps when idle.
    static func start() throws(ClientError) -> EventLoop {
        do throws(SystemError) {
            return try running.withLock { running throws(SystemError) in
                if let loop = running?.loop { return loop }
                let started = try Running()
                running = started
                return started.loop
            }
        } catch {
            throw .unreachable("\(error)")
        }
    }
}
