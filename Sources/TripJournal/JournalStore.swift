import LocalSystem
import TripModel

/// The trips' directories below a data directory. Every function blocks on the disk; none is for Concurrency's threads.
///
/// `trips/<trip>/journal` is a trip. What is half made or half deleted has another name (`<trip>.tmp`,
/// `<trip>.deleted`), so that a crash leaves a whole trip or none. The caller holds the data directory's lock.
package struct JournalStore: Sendable {
    /// The disk.
    package let fileSystem: any FileSystem
    /// The directory that holds one directory a trip.
    package let tripsDirectory: String
    /// The directory of everything.
    package let dataDirectory: String

    /// The store below an existing data directory.
    package init(fileSystem: any FileSystem, directory: String) {
        self.fileSystem = fileSystem
        dataDirectory = directory
        tripsDirectory = directory + "/trips"
    }

    /// Makes the directory of trips where it is missing, and removes what a crash left half made or half deleted.
    /// Once at start, before anything else.
    package func prepare() throws(SystemError) {
        if try fileSystem.status(tripsDirectory) == nil { try fileSystem.makeDirectory(tripsDirectory) }
        try fileSystem.syncDirectory(dataDirectory)
        // A process that was killed may have renamed without syncing: what is seen now must stay so, and before the
        // files of a deleted trip go.
        try fileSystem.syncDirectory(tripsDirectory)
        for name in try fileSystem.list(tripsDirectory) where name.utf8.contains(UInt8(ascii: ".")) {
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            let isLeftover = parts.count == 2 && (parts[1] == "tmp" || parts[1] == "deleted")
            guard isLeftover, TripID(String(parts[0])) != nil else { continue }
            // One that cannot be removed is in nobody's way: its name is taken by no trip.
            do throws(SystemError) { try removeDirectory(tripsDirectory + "/" + name) } catch {}
        }
    }

    /// The trips that have a directory, in no order; whether they can be opened is another matter.
    package func listTrips() throws(SystemError) -> [TripID] {
        try fileSystem.list(tripsDirectory).compactMap { TripID($0) }
    }

    /// The directory of a trip.
    package func directory(of trip: TripID) -> String { tripsDirectory + "/" + trip.description }

    /// The journal of a trip.
    package func journal(of trip: TripID) -> String { directory(of: trip) + "/journal" }

    /// Where the compaction of a trip's journal is made.
    func compactionDraft(of trip: TripID) -> String { directory(of: trip) + "/journal.new" }

    /// Removes what a crash left half made in a trip's directory. One that cannot be removed is in nobody's way.
    func sweep(_ trip: TripID) {
        for path in [journal(of: trip) + ".tmp", compactionDraft(of: trip)] {
            do throws(SystemError) {
                if try fileSystem.status(path) != nil { try fileSystem.unlink(path) }
            } catch {}
        }
    }

    /// What a file is that stands beside a trip's journal, by its name.
    package enum Companion: Sendable {
        /// A whole old journal.
        case copy
        /// Something half made.
        case draft
        /// Nothing of ours.
        case other
    }

    /// What a file with a name is.
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
