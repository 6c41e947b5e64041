import Dispatch
import LocalSystem
import SimulatedSystem
import TestSupport
import Testing
import TripJournal
import TripModel
import TripProtocol

@testable import TripServer

typealias Line = TestSupport.Line
typealias LineClient = TestSupport.LineClient

/// A server on its own thread, with a real journal or a held storage, reached over a real socket.
final class TestServer {
    let directory: TemporaryDirectory
    let socket: String
    let server: Server
    let loop: EventLoop
    /// Nil if the journal is real.
    let held: HeldStorage?
    private let core: DaemonCore?
    private var thread: WorkerThread?

    /// A server with a real journal in a directory that may already contain trips.
    convenience init(
        in directory: TemporaryDirectory? = nil, handshakeTime: Duration = .seconds(600),
        leaseTime: Duration = .seconds(600), idleTime: Duration = .seconds(600), openTrips: Int = 64,
        batchTime: Duration = .seconds(600),
        disk: SimulatedDisk? = nil, log: @escaping @Sendable (LogLine) -> Void = { _ in },
        storing wrap: (JournalStorage) -> any TripStorage = { $0 }
    ) throws {
        var settings = Settings(handshakeTime: handshakeTime, leaseTime: leaseTime, idleTime: idleTime)
        settings.openTrips = openTrips
        settings.batchTime = batchTime
        settings.disk = disk
        settings.log = log
        try self.init(directory ?? TemporaryDirectory(), isHeld: false, settings, wrap)
    }

    /// A server of account 1000 that other accounts may use too.
    ///
    /// - `lookUp` finds an account.
    /// - `listen` wraps a listening socket in a source of connections with accounts.
    convenience init(
        in directory: TemporaryDirectory?,
        shared: (rules: AccessRules, lookUp: @Sendable (UInt32) -> Account),
        _ listen: @escaping (consuming Descriptor) -> any ConnectionSource
    ) throws {
        var settings = Settings()
        settings.shared = shared
        settings.listen = listen
        try self.init(directory ?? TemporaryDirectory(), isHeld: false, settings, { $0 })
    }

    /// A server whose storage is under the test's control, and whose long work is too if there is a queue for it.
    static func held(
        leaseTime: Duration = .seconds(600), waitingBytes: Int? = nil, workQueue: WorkQueue? = nil,
        longChange: Int = 1000, longState: Int = 1000,
        noteStep: (@Sendable (LoopStep, StaticString, Int) -> Void)? = nil
    ) throws -> TestServer {
        var settings = Settings(leaseTime: leaseTime)
        settings.noteStep = noteStep
        (settings.longChange, settings.longState) = (longChange, longState)
        settings.waitingBytes = waitingBytes
        settings.workQueue = workQueue
        return try TestServer(TemporaryDirectory(), isHeld: true, settings, { $0 })
    }

    private struct Settings {
        var handshakeTime = Duration.seconds(600)
        var leaseTime = Duration.seconds(600)
        var idleTime = Duration.seconds(600)
        var openTrips = 64
        var batchTime = Duration.seconds(600)
        /// The trips' directory; nil: in the directory.
        var disk: SimulatedDisk?
        var log: @Sendable (LogLine) -> Void = { _ in }
        /// The limit of queued bytes of all connections; nil: the default.
        var waitingBytes: Int?
        /// The queue for long lines and long changes; nil: on the loop.
        var workQueue: WorkQueue?
        /// The amount of work from which changes and encodings of states run on a worker.
        var longChange = 1000
        var longState = 1000
        /// Called after each step of a trip.
        var noteStep: (@Sendable (LoopStep, StaticString, Int) -> Void)?
        /// The access of other accounts; nil: none but account 1000.
        var shared: (rules: AccessRules, lookUp: @Sendable (UInt32) -> Account)?
        var listen: (consuming Descriptor) -> any ConnectionSource = { ListeningSocket($0) }
    }

    private init(
        _ directory: TemporaryDirectory, isHeld: Bool, _ settings: Settings,
        _ wrap: (JournalStorage) -> any TripStorage
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
            durability: .sync, account: "account", userID: CurrentUser.id, processID: CurrentUser.processID,
            wallClock: tick, log: settings.log, whenStopped: { loop.stop() })
        if let shared = settings.shared {
            configuration.userID = SharedServer.own
            configuration.rules = shared.rules
            configuration.lookUp = { user, report in
                let account = shared.lookUp(user)
                loop.execute { report(account) }
            }
        }
        configuration.handshakeTime = settings.handshakeTime
        configuration.leaseTime = settings.leaseTime
        configuration.idleTime = settings.idleTime
        configuration.openTrips = settings.openTrips
        configuration.batchTime = settings.batchTime
        configuration.waitingBytes = settings.waitingBytes ?? configuration.waitingBytes
        configuration.longChange = settings.longChange
        configuration.longState = settings.longState
        configuration.noteStep = settings.noteStep
        if let queue = settings.workQueue { configuration.runOnWorker = { queue.add(for: $0, $1) } }
        if isHeld {
            let storage = HeldStorage(loop: loop)
            server = Server(loop: loop, configuration: configuration, storage: storage)
            storage.report(to: server)
            held = storage
            core = nil
        } else {
            let store = JournalStore(
                fileSystem: settings.disk ?? RealFileSystem(),
                directory: settings.disk == nil ? directory.path : "/data")
            try store.prepare()
            let core = try DaemonCore(
                store: store, loop: loop, configuration: configuration, wrap: wrap)
            server = core.server
            self.core = core
            held = nil
        }
        try server.listen(on: settings.listen(UnixSocket.listen(path: socket)))
        thread = try WorkerThread { loop.run() }
    }

    deinit { stop() }

    /// Ends the thread without closing connections, as if the process were gone.
    func stop() {
        loop.stop()
        thread.take()?.join()
        core?.close()
        held?.report(to: nil)
    }

    /// Reads the server's state on its loop.
    func ask<Value: Sendable>(_ body: @escaping @Sendable (isolated Server) -> Value) throws -> Value {
        let answer = Guarded<Value?>(nil)
        let done = DispatchSemaphore(value: 0)
        loop.execute { [server] in
            let value = server.enter(body)
            answer.withLock { $0 = value }
            done.signal()
        }
        guard done.wait(timeout: .now() + .seconds(300)) == .success, let value = answer.withLock({ $0 })
        else {
            throw LineClient.Failure.timeout
        }
        return value
    }

    /// Stops the server as SIGTERM does, and waits for its end and its files' end.
    func stopInOrder() {
        askToStop()
        waitForEnd()
        core?.close()
    }

    /// Stops the server as SIGTERM does, without waiting.
    func askToStop() {
        loop.execute { [server] in server.enter { $0.stop() } }
    }

    /// Waits until the server has stopped.
    func waitForEnd() { thread.take()?.join() }

    /// A connection before its hello.
    func connect() throws -> LineClient { try LineClient(path: socket) }

    /// A connection after its hello.
    func client(_ user: String, role: String = "editor", client: String? = nil) throws -> LineClient {
        let connection = try connect()
        try connection.hello(user, role: role, client: client)
        return connection
    }

    /// A connection after its hello that keeps this server running during its lifetime.
    func connected() throws -> LineClient {
        let client = try client("ann")
        client.owner = self
        return client
    }

    /// Waits until the storage has this many requests.
    func awaitHeld(_ count: Int = 1) throws {
        let probe = try connect()
        for _ in 0..<20_000 {
            if (held?.held.count ?? 0) >= count { return }
            try probe.drain()
        }
        throw LineClient.Failure.timeout
    }

    /// Waits until a condition of the server holds.
    func wait(until holds: @escaping @Sendable (isolated Server) -> Bool) throws {
        let probe = try connect()
        for _ in 0..<20_000 {
            if try ask(holds) { return }
            try probe.drain()
        }
        throw LineClient.Failure.timeout
    }

    /// Waits until a connection has this many open answers.
    func awaitOwed(_ count: Int) throws {
        try wait { $0.connections.values.contains { $0.outbox.inFlight == count } }
    }

    /// Waits until this many changes of an open trip wait for the disk.
    func awaitReleases(_ count: Int, of trip: TripID) throws {
        try wait { $0.servedTrip(trip)?.read { $0.inFlight.entries.count } == count }
    }
}
