import LocalSystem
import TestSupport
import Testing
import TripJournal
import TripModel
import TripProtocol

@testable import TripServer

/// A server on a thread of its own, with a real journal or a held storage, spoken to over a real socket.
final class TestServer {
    let directory: TemporaryDirectory
    let socket: String
    let server: Server
    let loop: EventLoop
    /// Nil where the journal is real.
    let held: HeldStorage?
    private let writer: JournalWriter?
    private var thread: WorkerThread?

    /// A server with a real journal in a directory that may hold trips already.
    convenience init(
        in directory: TemporaryDirectory? = nil, handshakeTime: Duration = .seconds(600),
        leaseTime: Duration = .seconds(600)
    ) throws {
        try self.init(directory ?? TemporaryDirectory(), isHeld: false, handshakeTime, leaseTime)
    }

    /// A server whose storage is the test's to let go.
    static func held(leaseTime: Duration = .seconds(600)) throws -> TestServer {
        try TestServer(TemporaryDirectory(), isHeld: true, .seconds(600), leaseTime)
    }

    private init(
        _ directory: TemporaryDirectory, isHeld: Bool, _ handshakeTime: Duration, _ leaseTime: Duration
    ) throws {
        self.directory = directory
        socket = directory.path + "/s"
        let loop = try EventLoop()
        self.loop = loop
        let clock = Guarded<Int64>(1_780_000_000_000)
        let tick: @Sendable () -> Int64 = {
            clock.withLock { now in
                now += 1
                return now
            }
        }
        var configuration = ServerConfiguration(
            durability: "sync", account: "account", userID: CurrentUser.id, processID: CurrentUser.processID,
            wallClock: tick, log: { _ in }, whenStopped: { loop.stop() })
        configuration.handshakeTime = handshakeTime
        configuration.leaseTime = leaseTime
        if isHeld {
            let storage = HeldStorage(loop: loop)
            server = Server(loop: loop, configuration: configuration, storage: storage)
            storage.report(to: server)
            held = storage
            writer = nil
        } else {
            let store = JournalStore(fileSystem: RealFileSystem(), directory: directory.path)
            try store.prepare()
            let writer = try JournalWriter(store: store, durability: .sync)
            let storage = JournalStorage(writer: writer, loop: loop)
            server = Server(loop: loop, configuration: configuration, storage: storage)
            storage.report(to: server)
            for id in try store.listTrips() {
                let server = server
                switch TripLoader(store: store, log: { _ in }).load(id) {
                case .loaded(let core, let journal, let origin):
                    storage.attach(journal)
                    loop.execute { server.assumeIsolated { $0.serve(core, origin: origin) } }
                case .quarantined(let error, let header):
                    loop.execute { server.assumeIsolated { $0.quarantine(id, header, error) } }
                }
            }
            self.writer = writer
            held = nil
        }
        try server.listen(on: UnixSocket.listen(path: socket))
        thread = try WorkerThread { loop.run() }
    }

    deinit { stop() }

    /// Ends the thread without a word to anybody, as if the process were gone.
    func stop() {
        loop.stop()
        thread.take()?.join()
        writer?.close()
        held?.report(to: nil)
    }

    /// Asks the server to stop as SIGTERM does, and does not wait.
    func askToStop() {
        loop.execute { [server] in server.assumeIsolated { $0.stop() } }
    }

    /// Waits until the server has stopped by itself.
    func waitForEnd() { thread.take()?.join() }

    /// A connection that has said nothing yet.
    func connect() throws -> LineClient { try LineClient(path: socket) }

    /// A connection after its hello.
    func client(_ user: String, role: String = "editor", client: String? = nil) throws -> LineClient {
        let connection = try connect()
        try connection.hello(user, role: role, client: client)
        return connection
    }

    /// A connection that has said hello and keeps this server running as long as it lives.
    func connected() throws -> LineClient {
        let client = try client("ann")
        client.owner = self
        return client
    }

    /// Waits until the storage holds so many requests.
    func awaitHeld(_ count: Int = 1) throws {
        let probe = try connect()
        for _ in 0..<20_000 {
            if (held?.held.count ?? 0) >= count { return }
            try probe.settle()
        }
        throw LineClient.Failure.timeout
    }
}
