import LocalSystem
import TripModel

/// The file that knows of every trip, so that a daemon need not open them: a value of whoever writes it.
///
/// It is appended to, a line at a time, each in place of the trip's earlier ones, and written anew when it has grown
/// to twice what it needs. Lines that find no room are taken back and kept for the next time; after any other failure
/// everything is written anew, to another file. A failure leaves no file behind that takes up room. It blocks on the
/// disk.
package struct Catalogue: Sendable {
    /// How many bytes it may waste besides twice what it needs.
    private static let slack = 64 * 1024

    private let fileSystem: any FileSystem
    private let directory: String
    private let path: String
    /// What is known of each trip.
    package private(set) var entries: [TripID: CatalogueEntry]
    private var lineBytes: [TripID: Int]
    /// The sum of `lineBytes`.
    private var neededBytes: Int
    private var chain: UInt32
    /// The file's size, counting whole writes only.
    private var end: Int
    /// Lines that are not in the file yet.
    private var pending: [UInt8] = []
    /// The file does not say what `entries` says, or is not there.
    private var mustRewrite: Bool
    private var isSynced = true
    /// The last attempt to write has failed: the file lacks something that was noted.
    package private(set) var isBehind = false

    /// The path of the catalogue below a data directory.
    package static func path(in directory: String) -> String { directory + "/catalogue" }

    /// A catalogue of these trips that is not on the disk yet.
    package init(
        _ entries: [TripID: CatalogueEntry] = [:], in directory: String, _ fileSystem: any FileSystem
    ) {
        self.fileSystem = fileSystem
        self.directory = directory
        path = Self.path(in: directory)
        self.entries = entries
        lineBytes = [:]
        neededBytes = 0
        chain = 0
        end = 0
        mustRewrite = true
    }

    /// The catalogue that a scan found whole in a file of `end` bytes.
    init(_ scan: CatalogueScan, end: Int, in directory: String, _ fileSystem: any FileSystem) {
        self.init(scan.entries, in: directory, fileSystem)
        lineBytes = scan.lineBytes
        neededBytes = lineBytes.values.reduce(0, +)
        chain = scan.chain
        self.end = end
        mustRewrite = false
        // A process that was killed may have written without syncing.
        isSynced = false
    }

    /// Exchanges what the catalogue of a data directory that no daemon serves knows of a trip; returns what it knew.
    /// With nil, the next daemon takes the trip's journal as it is. Blocks on the disk.
    package static func exchange(
        _ entry: CatalogueEntry?, of trip: TripID, in directory: String, _ fileSystem: any FileSystem
    ) throws(SystemError) -> CatalogueEntry? {
        // One that is not whole is made anew from the journals.
        guard case .whole(var catalogue) = try CatalogueReading(in: directory, fileSystem) else { return nil }
        let known = catalogue.entries[trip]
        catalogue.set(entry, of: trip)
        try catalogue.sync()
        return known
    }

    /// Notes what is known of a trip from now on, nil where it is gone; not written yet.
    package mutating func set(_ entry: CatalogueEntry?, of trip: TripID) {
        guard entries[trip] != entry else { return }
        entries[trip] = entry
        if mustRewrite { return }
        let line = CatalogueLine(trip, entry).encoded(after: &chain)
        neededBytes -= lineBytes[trip] ?? 0
        lineBytes[trip] = entry == nil ? nil : line.count
        neededBytes += lineBytes[trip] ?? 0
        pending += line
    }

    /// Writes what was noted, and does not sync it.
    ///
    /// - Throws: where that fails; the next call tries again, and `isBehind` until one succeeds.
    package mutating func write() throws(SystemError) { try write(syncing: false) }

    /// Brings everything that was noted to the disk.
    ///
    /// - Throws: where that fails; the next call tries again, and `isBehind` until one succeeds.
    package mutating func sync() throws(SystemError) { try write(syncing: true) }

    private mutating func write(syncing: Bool) throws(SystemError) {
        isBehind = true
        if mustRewrite || end + pending.count > 2 * neededBytes + Self.slack {
            try rewrite()
        } else if !pending.isEmpty || (syncing && !isSynced) {
            try append(syncing: syncing)
        }
        isBehind = false
    }

    private mutating func append(syncing: Bool) throws(SystemError) {
        // Unless the file is known to be as it was, or to have the lines.
        mustRewrite = true
        defer { if mustRewrite { pending = [] } }
        let file: OpenFile
        do throws(SystemError) {
            file = try OpenFile(path, .append, in: fileSystem)
        } catch {
            mustRewrite = !error.isLackOfResources
            throw error
        }
        // Somebody else's hand in it: what the file says is not known any more.
        guard try file.size() == Int64(end) else { throw .changedByOthers(path) }
        do throws(SystemError) {
            try file.writeAll(pending)
        } catch {
            mustRewrite = PlantedBug.draftLeftOnFullDisk.isPlanted || !(error.isLackOfRoom && takeBack(file))
            throw error
        }
        if syncing { try file.syncData() }
        mustRewrite = false
        end += pending.count
        isSynced = syncing
        pending.removeAll(keepingCapacity: pending.count < Self.slack)
    }

    /// Removes what a failed write may have left; false where that fails too.
    private func takeBack(_ file: borrowing OpenFile) -> Bool {
        do throws(SystemError) {
            try file.truncate(to: Int64(end))
            return true
        } catch {
            return false
        }
    }

    /// Puts a new file in the old one's place, synced, whole at every moment.
    private mutating func rewrite() throws(SystemError) {
        mustRewrite = true
        pending = []
        var (bytes, chain) = CatalogueScan.header()
        var lineBytes: [TripID: Int] = [:]
        lineBytes.reserveCapacity(entries.count)
        var neededBytes = 0
        for (trip, entry) in entries {
            let line = CatalogueLine(trip, entry).encoded(after: &chain)
            lineBytes[trip] = line.count
            neededBytes += line.count
            bytes += line
        }
        let draft = path + ".tmp"
        if try fileSystem.status(draft) != nil { try fileSystem.unlink(draft) }
        do throws(SystemError) {
            let file = try OpenFile(draft, .create, in: fileSystem)
            try file.writeAll(bytes)
            try file.sync()
            try fileSystem.rename(draft, to: path)
        } catch {
            // It would take up the room that the trips wait for.
            if PlantedBug.draftLeftOnFullDisk.isPlanted { throw error }
            do throws(SystemError) { try fileSystem.unlink(draft) } catch {}
            throw error
        }
        try fileSystem.syncDirectory(directory)
        self.chain = chain
        self.lineBytes = lineBytes
        self.neededBytes = neededBytes
        end = bytes.count
        isSynced = true
        mustRewrite = false
    }
}
