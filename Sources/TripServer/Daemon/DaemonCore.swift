import LocalSystem
import TripJournal
import TripModel
import TripProtocol

/// A daemon without its socket and its locks: the journals, their writer, and the server of what they tell.
package struct DaemonCore: Sendable {
    package let server: Server
    package let writer: JournalWriter
    private let storage: JournalStorage

    /// Reads the trips of a store that is prepared, and serves them on the loop from its first round on. Blocks on
    /// the disk.
    package init(
        store: JournalStore, writer: JournalWriter, loop: EventLoop, configuration: ServerConfiguration
    ) throws(SystemError) {
        self.writer = writer
        storage = JournalStorage(writer: writer, loop: loop)
        server = Server(loop: loop, configuration: configuration, storage: storage)
        storage.report(to: server)
        try load(store, on: loop, log: configuration.log)
    }

    /// Tells the server nothing more of the journals.
    package func fallSilent() { storage.report(to: nil) }

    private func load(
        _ store: JournalStore, on loop: EventLoop, log: @escaping @Sendable (String) -> Void
    ) throws(SystemError) {
        let server = server
        var damaged: [(TripID, TripHeader?, WireError)] = []
        for id in try store.listTrips() {
            switch TripLoader(store: store, log: log).load(id) {
            case .loaded(let core, let journal, let origin):
                storage.attach(journal)
                loop.execute { server.assumeIsolated { $0.serve(core, origin: origin) } }
            case .quarantined(let error, let header): damaged.append((id, header, error))
            }
        }
        // Last: a damaged trip is named by what it was once called, and takes no name of a healthy one.
        for (id, header, error) in damaged {
            loop.execute { server.assumeIsolated { $0.quarantine(id, header, error) } }
        }
    }
}
