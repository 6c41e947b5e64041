import LocalSystem
import TripJournal
import TripModel
import TripServer

extension DataDirectory {
    /// A backup: a directory with a file of each trip, from which `restore` creates it.
    package struct Backup: Sendable {
        /// The path of the backup. It ends in `.incomplete` if trips are missing.
        package internal(set) var path: String
        /// The number of trips in it.
        package internal(set) var tripCount = 0
        /// For each trip that could not be written: the reason.
        package internal(set) var missing: [String] = []
        /// The number of older backups that were removed.
        package internal(set) var removedCount = 0
    }

    private static let unfinished = ".incomplete"
    private static let suffix = ".journal"

    /// Writes all trips to a new directory in `folder` that is named after the time, and reads each file back. A trip
    /// that `restore` would refuse counts as missing. Beside a running daemon it contains everything written so far. A
    /// backup has its name only when it is complete.
    ///
    /// - Parameters:
    ///   - count: the number of complete backups to keep, with this one; nil keeps all.
    ///   - now: the time in milliseconds since 1970.
    package func backUp(
        to folder: String, keeping count: Int? = nil, at now: Int64
    ) throws(MaintenanceFailure) -> Backup {
        guard !contains(folder) else {
            throw .refused(
                "\(folder) is in the data directory \(path); name a directory outside, best on another disk")
        }
        // A data directory that no daemon has used does not exist.
        let isUsed = try system { () throws(SystemError) in
            try store.fileSystem.status(path + "/trips") != nil
        }
        let trips = isUsed ? try list() : []
        guard !trips.isEmpty else {
            throw .refused("there is no trip in \(path); name the data directory with --data")
        }
        let (place, draft) = try system { () throws(SystemError) in
            if try store.fileSystem.status(folder) == nil { try store.fileSystem.makeDirectory(folder) }
            let place = try freePlace(in: folder, at: now)
            try store.fileSystem.makeDirectory(place + Self.unfinished)
            return (place, place + Self.unfinished)
        }
        var backup = Backup(path: draft)
        for trip in trips {
            do throws(MaintenanceFailure) {
                try backUp(trip, to: draft)
                backup.tripCount += 1
            } catch {
                // A trip that was deleted meanwhile is not missing.
                if try list().contains(trip) { backup.missing.append("\(error)") }
            }
        }
        guard backup.missing.isEmpty else { return backup }
        backup.path = place
        try system { [backup] () throws(SystemError) in
            try store.fileSystem.syncDirectory(draft)
            try store.fileSystem.rename(draft, to: backup.path)
            try store.fileSystem.syncDirectory(folder)
        }
        if let count { backup.removedCount = try removeBackups(in: folder, keeping: count) }
        return backup
    }

    /// Whether a folder is the data directory or in it.
    private func contains(_ folder: String) -> Bool {
        func real(_ path: String) -> String { PrivateFile.resolved(PrivateFile.absolute(path)) + "/" }
        return real(folder).hasPrefix(real(path))
    }

    /// A path named after the time, or after the first second from then on that no other backup has.
    private func freePlace(in folder: String, at now: Int64) throws(SystemError) -> String {
        var time = now
        while true {
            let place =
                "\(folder)/" + "\(Timestamp(milliseconds: time))".prefix(19).replacing(":", with: "-") + "Z"
            if try store.fileSystem.status(place) == nil,
                try store.fileSystem.status(place + Self.unfinished) == nil
            {
                return place
            }
            time += 1000
        }
    }

    private func backUp(_ trip: TripID, to directory: String) throws(MaintenanceFailure) {
        let export = try export(trip)
        guard case .whole(let contents) = JournalScanner.scan(export.bytes) else {
            throw .refused("the export of trip \(trip) is not valid")
        }
        let replay: TripReplay
        do throws(ReplayFailure) {
            replay = try TripReplay(OpenedJournal(contents, in: export.bytes))
        } catch {
            throw .refused("trip \(trip): version \(error.version) is invalid: \(error.message); salvage it")
        }
        let file = "\(directory)/\(replay.trip.header.slug)\(Self.suffix)"
        try write(export.bytes, to: file)
        guard try read(file: file).bytes == export.bytes else {
            throw .refused("\(file) does not have the bytes that were written to it")
        }
    }

    /// Removes all but the newest complete backups, and incomplete ones before the second newest: a newer one may be
    /// under way.
    ///
    /// - Returns: the number of complete ones among them.
    private func removeBackups(in folder: String, keeping count: Int) throws(MaintenanceFailure) -> Int {
        let names = try system { () throws(SystemError) in try store.fileSystem.list(folder) }
        let complete = names.filter(Self.isBackup).sorted()
        let old = complete.dropLast(count)
        let failed = names.filter { name in
            name.hasSuffix(Self.unfinished) && Self.isBackup(String(name.dropLast(Self.unfinished.count)))
                && name < complete.dropLast().last ?? ""
        }
        for name in old + failed {
            try system { () throws(SystemError) in
                for file in try store.fileSystem.list("\(folder)/\(name)") where file.hasSuffix(Self.suffix) {
                    try store.fileSystem.unlink("\(folder)/\(name)/\(file)")
                }
                try store.fileSystem.removeDirectory("\(folder)/\(name)")
            }
        }
        return old.count
    }

    /// Whether a name is that of a complete backup, such as `2026-11-27T12-00-00Z`.
    private static func isBackup(_ name: String) -> Bool {
        name.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ/) != nil
    }

    /// The files that a path names for `restore`: all of a backup, or the one file.
    package func files(ofBackup path: String) throws(MaintenanceFailure) -> [String] {
        let status = try system { () throws(SystemError) in try store.fileSystem.status(path) }
        guard status?.kind == .directory else { return [path] }
        let names = try system { () throws(SystemError) in try store.fileSystem.list(path).sorted() }
        let files = names.filter { $0.hasSuffix(Self.suffix) }.map { "\(path)/\($0)" }
        guard files.isEmpty else { return files }
        let hint = names.last(where: Self.isBackup).map { "; the newest backup is \(path)/\($0)" } ?? ""
        throw .refused("\(path) has no file of a trip\(hint)")
    }
}
