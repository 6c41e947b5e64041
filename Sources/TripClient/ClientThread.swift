import LocalSystem
import Synchronization

/// The one thread on which all clients of an app live that bring no loop of their own.
enum ClientThread {
    private struct Running: ~Copyable {
        let loop: EventLoop
        let thread: WorkerThread
    }

    private static let running = Mutex<Running?>(nil)

    /// The loop of that thread, started on first use; it sleeps while there is nothing to do.
    static func start() throws(ClientError) -> EventLoop {
        do throws(SystemError) {
            return try running.withLock { running throws(SystemError) in
                if let loop = running?.loop { return loop }
                let loop = try EventLoop()
                running = Running(loop: loop, thread: try WorkerThread { loop.run() })
                return loop
            }
        } catch {
            throw .unreachable("\(error)")
        }
    }
}
