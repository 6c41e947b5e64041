import LocalSystem
import TripModel

/// The file with the data of every trip, so that a daemon need not open them at start.
///
/// Lines are appended, each replacing the trip's earlier ones, and the file is rewritten when it has grown to
/// twice the needed size. Lines that find no space are removed and kept for the next attempt. After any other
/// failure everything is rewritten to a new file. A failure leaves no file behind. It blocks on the disk.
package struct Catalogue: Sendable {
    /// Maximum bytes of obsolete lines besides twice the needed size.
    private static let slack = 64 * 1024

    private let fileSystem: any FileSystem
    private let directory: String
    private let path: String
    /// The entry of each trip.
    package private(set) var entries: [TripID: CatalogueEntry]
    private var lineBytes: [TripID: Int]
    /// The sum of `lineBytes`.
    private var neededBytes: Int
    private var chain: UInt32
    /// The file's size, counting complete writes only.
    private var end: Int
    /// Lines that are not in the file yet.
    private var pending: [UInt8] = []
    /// The file differs from `entries`, or does not exist.
    private var mustRewrite: Bool
    private var isSynced = true
    /// The last attempt to write has failed, so the file lacks some changes.
    package private(set) var isBehind = false

    /// The path of the catalogue below a data directory.
    package static func path(in directory: String) -> String { directory + "/catalogue" }

    /// A catalogue of these trips that is not on disk yet.
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

    /// The catalogue from a scan of a good file of `end` bytes.
    init(_ scan: CatalogueScan, end: Int, in directory: String, _ fileSystem: any FileSystem) {
        self.init(scan.entries, in: directory, fileSystem)
        lineBytes = scan.lineBytes
        neededBytes = lineBytes.values.reduce(0, +)
        chain = scan.chain
        self.end = end
        mustRewrite = false
        // A killed process may have written without syncing.
        isSynced = false
    }

    /// Replaces the entry of a trip in a data directory without a running daemon; returns the old entry.
    /// Without an entry, the next daemon accepts the trip's journal as it is. Blocks on the disk.
    package static func exchange(
        _ entry: CatalogueEntry?, of trip: TripID, in directory: String, _ fileSystem: any FileSystem
    ) throws(SystemError) -> CatalogueEntry? {
        // A damaged catalogue is rebuilt from the journals.
        guard case .whole(var catalogue) = try CatalogueReading(in: directory, fileSystem) else { return nil }
        let known = catalogue.entries[trip]
        catalogue.set(entry, of: trip)
        try catalogue.sync()
        return known
    }

    /// Sets a trip's entry, nil if it is gone, without writing it.
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

    /// Writes the changes without syncing them.
    ///
    /// - Throws: if that fails; the next call retries, and `isBehind` is true until one succeeds.
    package mutating func write() throws(SystemError) { try write(syncing: false) }

    /// Writes and syncs all changes.
    ///
    /// - Throws: if that fails; the next call retries, and `isBehind` is true until one succeeds.
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
        // Cleared below if the file is known to be unchanged, or to have the lines.
        mustRewrite = true
        defer { if mustRewrite { pending = [] } }
        let file: OpenFile
        do throws(SystemError) {
            file = try OpenFile(path, .append, in: fileSystem)
        } catch {
            mustRewrite = !error.isLackOfResources
            throw error
        }
        // Another program has changed the file, so its content is unknown.
        guard try file.size() == Int64(end) else { throw .changedByOthers(path) }
        do throws(SystemError) {
            try file.writeAll(pending)
        } catch {
            mustRewrite = !(error.isLackOfRoom && rollBack(file))
            throw error
        }
        if syncing { try file.syncData() }
        mustRewrite = false
        end += pending.count
        isSynced = syncing
        pending.removeAll(keepingCapacity: pending.count < Self.slack)
    }

    /// Removes the remainder of a failed write; false if that fails, too.
    private func rollBack(_ file: borrowing OpenFile) -> Bool {
        do throws(SystemError) {
            try file.truncate(to: Int64(end))
            return true
        } catch {
            return false
        }
    }

    /// Replaces the file atomically by a new one, synced.
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
            // It would use the space that the trips need.
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

/// The result of reading the catalogue.
package enum CatalogueReading: Sendable {
    case whole(Catalogue)
    /// From this byte on, lines are missing or bad. The entries are valid for trips whose journal is still
    /// the file they describe.
    case damaged(Catalogue, offset: Int)
    case missing

    /// Reads the catalogue of a data directory. Blocks on the disk.
    ///
    /// - Throws: if the system fails.
    package init(in directory: String, _ fileSystem: any FileSystem) throws(SystemError) {
        let path = Catalogue.path(in: directory)
        switch try fileSystem.status(path)?.kind {
        case nil: self = .missing
        case .regular:
            let bytes = try OpenFile(path, .read, in: fileSystem).readAll()
            let scan = CatalogueScan(bytes)
            if let offset = scan.firstBad {
                self = .damaged(Catalogue(scan.entries, in: directory, fileSystem), offset: offset)
            } else {
                self = .whole(Catalogue(scan, end: bytes.count, in: directory, fileSystem))
            }
        case .directory, .symbolicLink, .socket, .other:
            self = .damaged(Catalogue(in: directory, fileSystem), offset: 0)
        }
    }
}
