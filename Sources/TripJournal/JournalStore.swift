import LocalSystem
import TripModel

/// The trips' directories below a data directory. Every function blocks on the disk, so none may run on the concurrency
/// thread pool.
///
/// `trips/<trip>/journal` is a trip. Incomplete creations and deletions have other names (`<trip>.tmp`,
/// `<trip>.deleted-<time>`), so that a crash leaves a whole trip or none. The caller holds the data directory's lock.
package struct JournalStore: Sendable {
    /// The file system.
    package let fileSystem: any FileSystem
    /// The directory that contains one directory per trip.
    package let tripsDirectory: String
    /// The data directory.
    package let dataDirectory: String

    /// The store below an existing data directory.
    package init(fileSystem: any FileSystem, directory: String) {
        self.fileSystem = fileSystem
        dataDirectory = directory
        tripsDirectory = directory + "/trips"
    }

    /// Creates the directory of trips if it is missing, and removes files that a crash left incomplete or that an
    /// older program left half deleted. Once at start, before anything else.
    package func prepare() throws(SystemError) {
        if try fileSystem.status(tripsDirectory) == nil { try fileSystem.makeDirectory(tripsDirectory) }
        try fileSystem.syncDirectory(dataDirectory)
        // A killed process may have renamed files without syncing. The names seen now must be durable.
        try fileSystem.syncDirectory(tripsDirectory)
        for name in try fileSystem.list(tripsDirectory) where name.utf8.contains(UInt8(ascii: ".")) {
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            let isLeftover = parts.count == 2 && (parts[1] == "tmp" || parts[1] == "deleted")
            guard isLeftover, TripID(String(parts[0])) != nil else { continue }
            // A leftover that cannot be removed is harmless, because no trip has its name.
            do throws(SystemError) { try removeDirectory(tripsDirectory + "/" + name) } catch {}
        }
    }

    /// The trips that have a directory, in no order; they may be damaged.
    package func listTrips() throws(SystemError) -> [TripID] {
        try fileSystem.list(tripsDirectory).compactMap { TripID($0) }
    }

    /// The directory of a trip.
    package func directory(of trip: TripID) -> String { tripsDirectory + "/" + trip.description }

    /// The journal of a trip.
    package func journal(of trip: TripID) -> String { directory(of: trip) + "/journal" }

    /// The draft of a compaction.
    func compactionDraft(of trip: TripID) -> String { directory(of: trip) + "/journal.new" }

    /// Removes drafts that a crash left in a trip's directory. One that cannot be removed is harmless.
    func sweep(_ trip: TripID) {
        for path in [journal(of: trip) + ".tmp", compactionDraft(of: trip)] {
            do throws(SystemError) {
                if try fileSystem.status(path) != nil { try fileSystem.unlink(path) }
            } catch {}
        }
    }

    /// The kind of a file beside a trip's journal.
    package enum Companion: Sendable {
        /// A whole old journal.
        case copy
        /// An incomplete file.
        case draft
        /// A foreign file.
        case other
    }

    /// The kind of a file with a name.
    package static func kind(of name: String) -> Companion {
        if name == "journal.tmp" || name == "journal.new" { return .draft }
        let isCopy = CopyReason.allCases.contains { reason in
            name.hasPrefix(reason.rawValue) && Int(name.dropFirst(reason.rawValue.count)) != nil
        }
        return isCopy ? .copy : .other
    }

    /// Removes a directory and the files in it.
    func removeDirectory(_ path: String) throws(SystemError) {
        for name in try fileSystem.list(path) { try fileSystem.unlink(path + "/" + name) }
        try fileSystem.removeDirectory(path)
    }
}

/// The reason why a trip's files were not created or deleted.
package enum JournalStoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The trip's directory exists already.
    case exists
    /// There is no such trip.
    case missing
    /// It failed, and nothing has changed.
    case unchanged(SystemError)
    /// It failed too late to be rolled back; the outcome is known after a restart.
    case outcomeUnknown(SystemError)
    /// An earlier change, on which the request depends, has failed and was reported; nothing was done.
    case superseded
    /// The writer was closed before.
    case closed

    /// One sentence for the user.
    package var description: String {
        switch self {
        case .exists: "the trip has files already"
        case .missing: "the trip has no files"
        case .unchanged(let error): error.description
        case .outcomeUnknown(let error): "\(error); the outcome is known after a restart"
        case .superseded: "the changes before it could not be stored"
        case .closed: "the journals are closed"
        }
    }
}
