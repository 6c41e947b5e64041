import Dispatch
import LocalSystem
import TestSupport
import TripJournal
import TripProtocol

@testable import TripServer

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A daemon in this process: a server on its own thread, over a real socket and a real journal.
final class ServedTrips {
    private let directory: TemporaryDirectory
    let socket: String
    private let loop: EventLoop
    private let core: DaemonCore
    private var thread: WorkerThread?

    init(leaseTime: Duration = .seconds(600)) throws {
        directory = try TemporaryDirectory()
        socket = directory.path + "/s"
        let loop = try EventLoop()
        self.loop = loop
        var configuration = ServerConfiguration(
            durability: .relaxed, account: "account", userID: CurrentUser.id,
            processID: CurrentUser.processID,
            wallClock: { WallClock.nowMilliseconds }, log: { _ in }, whenStopped: { loop.stop() })
        configuration.leaseTime = leaseTime
        let store = JournalStore(fileSystem: RealFileSystem(), directory: directory.path)
        try store.prepare()
        core = try DaemonCore(store: store, loop: loop, configuration: configuration)
        try core.server.listen(on: UnixSocket.listen(path: socket))
        thread = try WorkerThread { loop.run() }
    }

    deinit { crash() }

    /// Ends it without a goodbye, as a crash would.
    func crash() {
        guard let thread = thread.take() else { return }
        loop.stop()
        thread.join()
        core.close()
    }

    /// Closes all its connections without a goodbye, and continues.
    func cutConnections() { cutConnections {} }

    /// Closes all its connections without a goodbye, and accepts none before the body has ended. Otherwise a
    /// client may reconnect before the test has checked anything.
    func cutConnections<Value>(until body: () async throws -> Value) async rethrows -> Value {
        let gate = DispatchSemaphore(value: 0)
        cutConnections { gate.wait() }
        defer { gate.signal() }
        return try await body()
    }

    private func cutConnections(then wait: @escaping @Sendable () -> Void) {
        loop.execute { [server = core.server] in
            server.enter { server in
                for connection in Array(server.connections.values) { server.close(connection) }
            }
            wait()
        }
    }

    /// Requests a clean stop, as SIGTERM does, without waiting.
    func stop() {
        loop.execute { [server = core.server] in server.enter { $0.stop() } }
    }
}
