import LocalSystem
import TripJournal
import TripModel
import TripProtocol

/// A data directory as the commands see it that look after the trips' files without serving them.
package struct DataDirectory: Sendable {
    let path: String
    let store: JournalStore

    /// The directory at a path; nothing is looked at yet.
    package init(_ path: String, in fileSystem: any FileSystem = RealFileSystem()) {
        self.path = path
        store = JournalStore(fileSystem: fileSystem, directory: path)
    }

    /// Does something that needs the directory for itself: no daemon runs on it, and none starts meanwhile.
    @discardableResult
    package func withLock<Value>(
        _ body: () throws(MaintenanceFailure) -> Value
    ) throws(MaintenanceFailure) -> Value {
        let held: HeldDirectory
        do throws(DirectoryLockError) {
            held = HeldDirectory(try DirectoryLock(directory: path))
        } catch {
            throw .unavailable("\(error); this needs the directory for itself")
        }
        defer { withExtendedLifetime(held) {} }
        return try body()
    }

    /// What a trip's journal holds, its file untouched.
    struct Reading {
        let file: String
        let bytes: [UInt8]
        let scan: JournalScan
    }

    /// Reads the journal of a trip.
    func read(_ trip: TripID) throws(MaintenanceFailure) -> Reading {
        try read(file: store.journal(of: trip))
    }

    /// Reads a journal wherever it is.
    func read(file: String) throws(MaintenanceFailure) -> Reading {
        let bytes = try system { () throws(SystemError) in try store.readFile(file) }
        return Reading(file: file, bytes: bytes, scan: JournalScanner.scan(bytes))
    }

    /// The trip that an id or a slug names.
    package func find(_ name: String) throws(MaintenanceFailure) -> TripID {
        let trips = try list()
        if let id = TripID(name) {
            if trips.contains(id) { return id }
            throw .refused("there is no trip \(id) in \(path)")
        }
        let found = trips.filter { slug(of: $0) == name }
        if found.count > 1 {
            let ids = found.map(\.description).joined(separator: ", ")
            throw .refused("several trips have the slug \(name); name one by its id: \(ids)")
        }
        guard let trip = found.first else {
            throw .refused(
                "there is no trip with the slug \(name) in \(path); a damaged one is named by its id")
        }
        return trip
    }

    /// The trips that there are, in the order of their ids.
    package func list() throws(MaintenanceFailure) -> [TripID] {
        try system { () throws(SystemError) in try store.listTrips().sorted() }
    }

    /// The slug that a trip has, as far as its journal can be read.
    func slug(of trip: TripID) -> String? {
        guard let reading = try? read(trip), let contents = reading.scan.contents else { return nil }
        return (try? TripReplay(OpenedJournal(contents, in: reading.bytes)))?.trip.header.slug
    }

    func system<Value>(_ body: () throws(SystemError) -> Value) throws(MaintenanceFailure) -> Value {
        do throws(SystemError) { return try body() } catch { throw .system(error) }
    }
}
