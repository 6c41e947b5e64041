import Dispatch
import LocalSystem
import SimulatedSystem
import TestSupport
import TripJournal
import TripModel

@testable import TripServer

/// A server with journals on a simulated disk, reached over a real socket.
final class DiskServer {
    let disk: SimulatedDisk
    private let directory: TemporaryDirectory
    private let loop: EventLoop
    private let writer: JournalWriter
    private let storage: JournalStorage
    private var thread: WorkerThread?
    private let lines = LogLines()

    /// The lines that it has logged.
    var log: [String] { lines.all }

    init(_ disk: SimulatedDisk = SimulatedDisk(), durability: Durability = .sync, floor: Int = 4 << 20) throws
    {
        self.disk = disk
        directory = try TemporaryDirectory()
        let loop = try EventLoop()
        self.loop = loop
        let store = JournalStore(fileSystem: disk, directory: "/data")
        try store.prepare()
        let lines = lines
        let log: @Sendable (LogLine) -> Void = { lines.note($0.message) }
        writer = try JournalWriter(
            store: store, durability: durability, compaction: .ofTrips(floor: floor, log: log))
        storage = JournalStorage(
            writer: writer, loader: TripLoader(store: store, lineage: Lineage(), log: log),
            reading: try WorkQueue(), loop: loop, wallClock: { 1_780_000_000_000 })
        let server = Server(
            loop: loop,
            configuration: ServerConfiguration(
                durability: durability, account: "account", userID: CurrentUser.id,
                processID: CurrentUser.processID, wallClock: { 1_780_000_000_000 }, log: log,
                whenStopped: { loop.stop() }), storage: storage)
        storage.report(to: server)
        try server.listen(on: UnixSocket.listen(path: directory.path + "/s"))
        thread = try WorkerThread { loop.run() }
    }

    deinit { stop() }

    func stop() {
        loop.stop()
        thread.take()?.join()
        storage.close()
        writer.close()
        storage.report(to: nil)
    }

    func client(_ user: String) throws -> LineClient {
        let client = try LineClient(path: directory.path + "/s")
        try client.hello(user)
        client.owner = self
        return client
    }

    /// Waits for a line of the log that contains a text.
    func awaitLog(_ text: String) throws {
        while !log.contains(where: { $0.contains(text) }) {
            try lines.awaitNext()
        }
    }

    /// The trip as it would be after a crash.
    func replay(_ trip: TripID, after crash: SimulatedDisk.Crash) throws -> TripReplay? {
        let store = JournalStore(fileSystem: disk.afterCrash(crash), directory: "/data")
        try store.prepare()
        guard try store.listTrips().contains(trip) else { return nil }
        guard case .opened(let journal) = try store.open(trip, freshEpoch: { "after-crash" }) else {
            return nil
        }
        return try TripReplay(journal)
    }
}

/// Lines of a log, for a test to wait for.
private final class LogLines: Sendable {
    private let lines = Guarded<[String]>([])
    private let bell = DispatchSemaphore(value: 0)

    var all: [String] { lines.withLock { $0 } }

    func note(_ line: String) {
        lines.withLock { $0.append(line) }
        bell.signal()
    }

    func awaitNext() throws {
        if bell.wait(timeout: .now() + .seconds(300)) == .timedOut { throw LineClient.Failure.timeout }
    }
}
