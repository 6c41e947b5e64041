import LocalSystem
import TripJournal
import TripModel

/// A daemon without its socket and its locks: the journals, their writer and reader, and the server of what they tell.
package struct DaemonCore: Sendable {
    /// The server, with all trips.
    package let server: Server
    /// What writes the journals.
    package let writer: JournalWriter
    private let storage: JournalStorage
    /// Where what blocks is done; nil where who steps it decides when.
    private let reading: WorkQueue
    /// Where what only computes is done, nil where that is `reading`, too.
    private let computing: WorkQueue?
    private let loop: EventLoop
    private let log: @Sendable (LogLine) -> Void

    /// Finds out which trips a store holds, and serves them on the loop from its first round on. Blocks on the disk.
    ///
    /// - Parameters:
    ///   - store: a store that is prepared.
    ///   - reading: where trips are read.
    ///   - makeWriter: makes the writer, which keeps this catalogue from then on and ends this lineage.
    package init(
        store: JournalStore, loop: EventLoop, configuration: ServerConfiguration, reading: WorkQueue,
        makeWriter: (Catalogue, Lineage) throws(SystemError) -> JournalWriter
    ) throws(SystemError) {
        try self.init(
            store: store, loop: loop, configuration: configuration, reading: reading, makeWriter: makeWriter
        ) { $0 }
    }

    /// As the other, with threads of its own for writing and reading.
    ///
    /// - Parameter floor: how many bytes a journal has before it is compacted; nil for the usual.
    package init(
        store: JournalStore, loop: EventLoop, compactAt floor: Int? = nil,
        configuration: ServerConfiguration
    ) throws(SystemError) {
        try self.init(
            store: store, loop: loop, compactAt: floor, configuration: configuration
        ) { $0 }
    }

    /// As the other, with something between the server and its journals.
    init(
        store: JournalStore, loop: EventLoop, compactAt floor: Int? = nil,
        configuration: ServerConfiguration, wrap: (JournalStorage) -> any TripStorage
    ) throws(SystemError) {
        let (reading, computing) = (try WorkQueue(), try WorkQueue(urgency: .low))
        var configuration = configuration
        configuration.returnMemory = { reading.add { FreedMemory.returnToSystem() } }
        if configuration.lookUp == nil {
            configuration.lookUp = { user, tell in
                reading.add {
                    let account = UserDatabase.account(user)
                    loop.execute { tell(account) }
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
        let lineage = store.beginLineage(
            configuration.durability, machineStart: configuration.machineStart, log: configuration.log
        ) { String(ItemID.random().description.prefix(8)) }
        let loader = TripLoader(store: store, lineage: lineage, log: configuration.log)
        var inventory = try TripInventory(loader)
        do throws(SystemError) { try inventory.save() } catch {
            // The next creation, rename or close tries again.
            configuration.log(.warning("the catalogue cannot be written: \(error)"))
        }
        writer = try makeWriter(inventory.catalogue, lineage)
        storage = JournalStorage(writer: writer, loader: loader, reading: reading, loop: loop)
        var configuration = configuration
        let elsewhere = computing ?? reading
        configuration.elsewhere = { elsewhere.add(for: $0, $1) }
        server = Server(loop: loop, configuration: configuration, storage: wrap(storage))
        storage.report(to: server)
        let (server, found) = (server, inventory)
        loop.execute { server.enter { $0.know(found) } }
    }

    /// Reads who may do what again, on another thread, and holds the server to it; where that makes no sense, what was
    /// read before still holds.
    package func readAccess(_ access: AccessSource) {
        let (server, loop, log) = (server, loop, log)
        reading.add {
            do throws(AccessFailure) {
                let rules = try access.read()
                loop.execute { server.enter { $0.adopt(rules) } }
                log(.info("read \(access.path) again"))
            } catch {
                log(.warning("the file access is not taken over, what it said before still holds: \(error)"))
            }
        }
    }

    /// Tells the server nothing more of the journals.
    package func fallSilent() { storage.report(to: nil) }

    /// Finishes and seals what was changed, and reads nothing any more, once the loop has ended. Blocks.
    package func close() {
        computing?.close()
        storage.close()
        writer.close()
        fallSilent()
    }
}
