import LocalSystem
import TripJournal
import TripModel
import TripProtocol
import TripServer

/// A data directory, for the maintenance commands.
package struct DataDirectory: Sendable {
    let path: String
    let store: JournalStore
    /// The source of new epochs and ids.
    let random: RandomSource

    /// The directory at a path; it is not accessed yet.
    package init(
        _ path: String, in fileSystem: any FileSystem = RealFileSystem(),
        random: RandomSource = RandomSource()
    ) {
        self.path = path
        self.random = random
        store = JournalStore(fileSystem: fileSystem, directory: path)
    }

    /// Creates the directory, readable by this user only, unless it exists.
    package func create() throws(MaintenanceFailure) {
        do throws(PrivateDirectoryError) {
            try PrivateDirectory.ensure(path, isDefault: false, isShared: false)
        } catch {
            throw .unavailable("\(error)")
        }
    }

    /// Runs an operation with the directory locked, so that no daemon runs on it.
    @discardableResult
    package func withLock<Value>(
        _ body: () throws(MaintenanceFailure) -> Value
    ) throws(MaintenanceFailure) -> Value {
        let held: LockedDirectory
        do throws(DirectoryLockError) { held = try LockedDirectory(ofData: path) } catch {
            throw .unavailable("\(error); this needs exclusive access to the directory")
        }
        defer { withExtendedLifetime(held) {} }
        return try body()
    }

    /// The content of a journal file.
    struct Reading {
        let file: String
        let bytes: [UInt8]
        let scan: JournalScan
    }

    /// Reads the journal of a trip.
    func read(_ trip: TripID) throws(MaintenanceFailure) -> Reading {
        try read(file: store.journal(of: trip))
    }

    /// Reads a journal file.
    func read(file: String) throws(MaintenanceFailure) -> Reading {
        let bytes = try system { () throws(SystemError) in try store.readFile(file) }
        return Reading(file: file, bytes: bytes, scan: JournalScanner.scan(bytes))
    }

    /// Finds a trip by its id or slug.
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

    /// All trips, sorted by id.
    package func list() throws(MaintenanceFailure) -> [TripID] {
        try system { () throws(SystemError) in try store.listTrips().sorted() }
    }

    /// The slug of a trip if its journal is readable.
    func slug(of trip: TripID) -> String? {
        guard let reading = try? read(trip), let contents = reading.scan.contents else { return nil }
        return (try? TripReplay(OpenedJournal(contents, in: reading.bytes)))?.trip.header.slug
    }

    func system<Value>(_ body: () throws(SystemError) -> Value) throws(MaintenanceFailure) -> Value {
        do throws(SystemError) { return try body() } catch { throw .system(error) }
    }
}

/// The reason why a maintenance command failed.
package enum MaintenanceFailure: Error, CustomStringConvertible {
    /// The trip, file or version does not exist or is not usable.
    case refused(String)
    /// The directory is not available.
    case unavailable(String)
    /// A system call failed.
    case system(SystemError)

    /// One sentence for the user.
    package var description: String {
        switch self {
        case .refused(let message), .unavailable(let message): message
        case .system(let error): error.description
        }
    }

    /// The exit code (sysexits.h, or 1 for `refused`).
    package var exitCode: Int32 {
        switch self {
        case .refused: 1
        case .unavailable: 69
        case .system: 74
        }
    }
}
