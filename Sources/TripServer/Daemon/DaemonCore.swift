import LocalSystem
import TripJournal
import TripModel

/// A daemon without its socket and its locks: the journals, their writer and reader, and the server.
package struct DaemonCore: Sendable {
    /// The server, with all trips.
    package let server: Server
    /// The writer of the journals.
    package let writer: JournalWriter
    private let storage: JournalStorage
    /// The queue for blocking work; its thread is nil if the caller steps it.
    private let reading: WorkQueue
    /// The queue for expensive computations; nil to use `reading` for them, too.
    private let computing: WorkQueue?
    private let loop: EventLoop
    private let log: @Sendable (LogLine) -> Void

    /// Lists the trips in a store, and serves them from the loop's first iteration. Blocks on the disk.
    ///
    /// - Parameters:
    ///   - store: a prepared store.
    ///   - reading: the queue that reads trips.
    ///   - makeWriter: creates the writer, which then owns the catalogue and ends the lineage.
    package init(
        store: JournalStore, loop: EventLoop, configuration: ServerConfiguration, reading: WorkQueue,
        makeWriter: (Catalogue, Lineage) throws(SystemError) -> JournalWriter
    ) throws(SystemError) {
        try self.init(
            store: store, loop: loop, configuration: configuration, reading: reading, makeWriter: makeWriter
        ) { $0 }
    }

    /// Serves with its own threads for writing and reading.
    ///
    /// - Parameter floor: the minimum size of a journal for compaction in bytes; nil for the default.
    package init(
        store: JournalStore, loop: EventLoop, compactAt floor: Int? = nil,
        configuration: ServerConfiguration
    ) throws(SystemError) {
        try self.init(
            store: store, loop: loop, compactAt: floor, configuration: configuration
        ) { $0 }
    }

    /// Serves with a wrapper between the server and its journals.
    init(
        store: JournalStore, loop: EventLoop, compactAt floor: Int? = nil,
        configuration: ServerConfiguration, wrap: (JournalStorage) -> any TripStorage
    ) throws(SystemError) {
        let (reading, computing) = (try WorkQueue(), try WorkQueue(urgency: .low))
        var configuration = configuration
        configuration.returnMemory = { reading.add { FreedMemory.returnToSystem() } }
        if configuration.lookUp == nil {
            configuration.lookUp = { user, report in
                reading.add {
                    let account = UserDatabase.account(user)
                    loop.execute { report(account) }
                }
            }
        }
        let (log, durability) = (configuration.log, configuration.durability)
        try self.init(
            store: store, loop: loop, configuration: configuration, reading: reading, computing: computing,
            makeWriter: { catalogue, lineage throws(SystemError) in
                try JournalWriter(
                    store: store, durability: durability, catalogue: catalogue, lineage: lineage,
                    compaction: floor.map { .ofTrips(floor: $0, log: log) } ?? .ofTrips(log: log))
            }, wrap: wrap)
    }

    private init(
        store: JournalStore, loop: EventLoop, configuration: ServerConfiguration, reading: WorkQueue,
        computing: WorkQueue? = nil,
        makeWriter: (Catalogue, Lineage) throws(SystemError) -> JournalWriter,
        wrap: (JournalStorage) -> any TripStorage
    ) throws(SystemError) {
        self.reading = reading
        self.computing = computing
        self.loop = loop
        log = configuration.log
        store.evictTrash(now: Timestamp(milliseconds: configuration.wallClock()))
        let lineage = store.beginLineage(
            configuration.durability, bootID: configuration.bootID, log: configuration.log
        ) { [random = configuration.random] in String(random.epoch().prefix(8)) }
        let loader = TripLoader(
            store: store, lineage: lineage, random: configuration.random, log: configuration.log)
        var inventory = try TripInventory(loader)
        do throws(SystemError) { try inventory.save() } catch {
            // The next creation, rename or close writes it again.
            configuration.log(.warning("the catalogue cannot be written: \(error)"))
        }
        writer = try makeWriter(inventory.catalogue, lineage)
        storage = JournalStorage(
            writer: writer, loader: loader, reading: reading, loop: loop, wallClock: configuration.wallClock)
        var configuration = configuration
        let workers = computing ?? reading
        configuration.runOnWorker = { workers.add(for: $0, $1) }
        server = Server(loop: loop, configuration: configuration, storage: wrap(storage))
        storage.report(to: server)
        let (server, found) = (server, inventory)
        loop.execute { server.enter { $0.register(found) } }
    }

    /// Reads the access rules again on another thread, and applies them. If the file is invalid, the previous
    /// rules stay in force.
    package func readAccess(_ access: AccessSource) {
        let (server, loop, log) = (server, loop, log)
        reading.add {
            do throws(AccessFailure) {
                let rules = try access.read()
                loop.execute { server.enter { $0.apply(rules) } }
                log(.info("reloaded \(access.path)"))
            } catch {
                log(.warning("the file access was not reloaded; the previous rules stay in force: \(error)"))
            }
        }
    }

    /// Stops all reports of the journals to the server.
    package func stopReporting() { storage.report(to: nil) }

    /// Finishes and seals all changes, and stops reading, after the loop has ended. Blocks.
    package func close() {
        computing?.close()
        storage.close()
        writer.close()
        stopReporting()
    }
}
