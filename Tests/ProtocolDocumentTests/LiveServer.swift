import Foundation
import LocalSystem
import TestSupport
import Testing
import TripJournal
import TripModel
import TripProtocol

@testable import TripServer

/// A daemon in this process, with a real journal and socket, on its own thread.
final class LiveServer {
    /// The lease time in tests that wait for the end of a drag.
    static let shortLease = Duration.milliseconds(60)

    let audit: Audit
    private let leaseTime: Duration
    private let handshakeTime: Duration
    private let directory: URL
    private var instance: Instance

    init(_ audit: Audit, leaseTime: Duration = .seconds(600), handshakeTime: Duration = .seconds(600)) throws
    {
        self.audit = audit
        self.leaseTime = leaseTime
        self.handshakeTime = handshakeTime
        // Short, because the path of a socket is limited to about a hundred bytes.
        directory = URL(filePath: "/tmp/pd-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        instance = try Instance(directory.path, leaseTime, handshakeTime)
    }

    deinit {
        instance.stop()
        try? FileManager.default.removeItem(at: directory)
    }

    /// The trips' journals.
    var journals: [URL] {
        let trips = directory.appending(path: "trips")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: trips.path)) ?? []
        return names.map { trips.appending(path: $0).appending(path: "journal") }
    }

    /// A connection before its hello. It keeps this daemon alive.
    func connect() throws -> LineClient {
        let client = try LineClient(path: directory.path + "/s")
        client.owner = self
        let (audit, exchange) = (audit, Audit.Exchange())
        client.audit = (sent: { audit.sent($0, exchange) }, received: { audit.received($0, exchange) })
        return client
    }

    /// A connection after its hello.
    func client(_ user: String, role: String = "editor") throws -> LineClient {
        let client = try connect()
        try client.hello(user, role: role)
        return client
    }

    /// Ends the daemon without notifying any client, and starts another on the same directory.
    ///
    /// - Parameter body: runs while there is none.
    func restart(_ body: () throws -> Void = {}) throws {
        instance.stop()
        try FileManager.default.removeItem(at: directory.appending(path: "s"))
        try body()
        instance = try Instance(directory.path, leaseTime, handshakeTime)
    }

    /// Makes the next change fail with this reason, as if the disk had failed.
    func failNextChange(_ reason: ErrorReason) { instance.storage.fail(next: reason) }
}

/// One process of the daemon.
private final class Instance {
    let storage: FallibleStorage
    private let loop: EventLoop
    private let core: DaemonCore
    private var thread: WorkerThread?

    init(_ directory: String, _ leaseTime: Duration, _ handshakeTime: Duration) throws {
        let loop = try EventLoop()
        self.loop = loop
        var configuration = ServerConfiguration(
            durability: .sync, account: "account", userID: CurrentUser.id, processID: CurrentUser.processID,
            wallClock: { WallClock.nowMilliseconds }, log: { _ in }, whenStopped: { loop.stop() })
        configuration.leaseTime = leaseTime
        configuration.handshakeTime = handshakeTime
        var fallible: FallibleStorage?
        let store = JournalStore(fileSystem: RealFileSystem(), directory: directory)
        try store.prepare()
        core = try DaemonCore(store: store, loop: loop, configuration: configuration) {
            journal in
            let storage = FallibleStorage(journal, loop: loop)
            fallible = storage
            return storage
        }
        storage = try #require(fallible)
        storage.report(to: core.server)
        try core.server.listen(on: UnixSocket.listen(path: directory + "/s"))
        thread = try WorkerThread { loop.run() }
    }

    func stop() {
        loop.stop()
        thread.take()?.join()
        core.close()
        storage.report(to: nil)
    }
}

/// A journal that can make a change fail as if the disk had failed.
final class FallibleStorage: TripStorage {
    private let journal: JournalStorage
    private let loop: EventLoop
    private let state = Guarded<(server: Server?, failure: ErrorReason?)>((nil, nil))

    init(_ journal: JournalStorage, loop: EventLoop) {
        self.journal = journal
        self.loop = loop
    }

    var statistics: StorageStatistics { journal.statistics }

    func freshEpoch() -> String { journal.freshEpoch() }
    func encoder(of trip: TripID) -> JournalEncoder? { journal.encoder(of: trip) }

    func encoder(ofNew trip: TripID, epoch: String) -> JournalEncoder {
        journal.encoder(ofNew: trip, epoch: epoch)
    }

    func name(_ trip: TripID, _ slugs: Set<String>) { journal.name(trip, slugs) }
    func handOver() -> [StorageReport] { journal.handOver() }
    func open(_ trip: TripID, _ known: CatalogueEntry) { journal.open(trip, known) }
    func examine(_ trips: [TripID: CatalogueEntry]) { journal.examine(trips) }
    func close(_ trip: TripID, _ content: TripContent) { journal.close(trip, content) }
    func compact(_ state: TripSnapshot) { journal.compact(state) }
    func readTrash(_ report: @escaping TrashReader) { journal.readTrash(report) }
    func restore(_ deleted: TrashedTrip, as slug: String) { journal.restore(deleted, as: slug) }

    func report(to server: Server?) { state.withLock { $0.server = server } }

    func fail(next reason: ErrorReason) { state.withLock { $0.failure = reason } }

    func perform(_ request: StorageRequest, of trip: TripID, epoch: String) {
        let (server, failure) = state.withLock { state in
            defer { state.failure = nil }
            return (state.server, state.failure)
        }
        guard let failure, let server else { return journal.perform(request, of: trip, epoch: epoch) }
        loop.execute { server.enter { $0.failed(trip, failure, "the disk failed") } }
    }
}
