import LocalSystem
import TripModel
import TripProtocol

/// The directory of a deleted trip, which is kept for a while: `trips/<trip>.deleted-<milliseconds since 1970>`.
package struct DeletedDirectory: Hashable, Sendable {
    /// The trip.
    package let trip: TripID
    /// When it was deleted.
    package let deletedAt: Timestamp

    /// The directory of a trip that was deleted at a time.
    package init(_ trip: TripID, deletedAt: Timestamp) {
        self.trip = trip
        self.deletedAt = deletedAt
    }

    /// Nil if the name is not that of a deleted trip's directory.
    package init?(name: String) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let trip = TripID(String(parts[0])), parts[1].hasPrefix(Self.mark),
            let milliseconds = Int64(parts[1].dropFirst(Self.mark.count))
        else { return nil }
        self.init(trip, deletedAt: Timestamp(milliseconds: milliseconds))
        if self.name != name { return nil }
    }

    fileprivate var name: String { "\(trip).\(Self.mark)\(deletedAt.milliseconds)" }

    private static let mark = "deleted-"
}

/// Deleted trips. A rename deletes a trip and a rename restores it, so after a crash the trip is either deleted or not.
extension JournalStore {
    /// Maximum number of deleted trips that are kept; the newest is always kept.
    package static let maximumTrash = 1000
    /// Maximum bytes of their files.
    package static let maximumTrashBytes: Int64 = 512 << 20

    /// The directory of a deleted trip.
    package func directory(of deleted: DeletedDirectory) -> String { tripsDirectory + "/" + deleted.name }

    /// The journal of a deleted trip.
    package func journal(of deleted: DeletedDirectory) -> String { directory(of: deleted) + "/journal" }

    /// The deleted trips that can be restored, the newest first.
    package func listTrash() throws(SystemError) -> [DeletedDirectory] {
        try fileSystem.list(tripsDirectory).compactMap(DeletedDirectory.init(name:)).sorted {
            ($1.deletedAt, $0.trip) < ($0.deletedAt, $1.trip)
        }
    }

    /// Deletes a trip whose journal is synced. Its files are kept for a while. The deletion is on disk on return.
    package func delete(_ trip: TripID, at now: Timestamp) throws(JournalStoreError) {
        let path = directory(of: trip)
        guard try unchangedIfFailing({ () throws(SystemError) in try fileSystem.status(path) }) != nil else {
            throw .missing
        }
        // A trip of this id may have been deleted in the same millisecond.
        var deleted = DeletedDirectory(trip, deletedAt: now)
        while try unchangedIfFailing({ () throws(SystemError) in
            try fileSystem.status(directory(of: deleted))
        }) != nil {
            deleted = DeletedDirectory(
                trip, deletedAt: Timestamp(milliseconds: deleted.deletedAt.milliseconds + 1))
        }
        try rename(path, to: directory(of: deleted))
    }

    /// Restores a deleted trip with all its files. The restore is on disk on return.
    package func restore(_ deleted: DeletedDirectory) throws(JournalStoreError) {
        let path = directory(of: deleted.trip)
        let (old, new) = try unchangedIfFailing { () throws(SystemError) in
            (try fileSystem.status(directory(of: deleted)), try fileSystem.status(path))
        }
        if old == nil { throw .missing }
        if new != nil { throw .exists }
        try rename(directory(of: deleted), to: path)
    }

    /// Replaces the journal of a deleted trip.
    package func replace(_ deleted: DeletedDirectory, by image: JournalImage) throws(SystemError) {
        try replace(journal(of: deleted), by: image, in: directory(of: deleted))
    }

    private func rename(_ path: String, to other: String) throws(JournalStoreError) {
        do throws(SystemError) { try fileSystem.rename(path, to: other) } catch {
            if error.leavesRenameOpen { throw .outcomeUnknown(error) }
            throw .unchanged(error)
        }
        try unknownIfFailing { () throws(SystemError) in try fileSystem.syncDirectory(tripsDirectory) }
    }

    /// Removes deleted trips beyond the limits of age, number and size, and earlier deletions of the same trip. A
    /// failed removal is retried the next time.
    package func evictTrash(
        now: Timestamp, keeping count: Int = maximumTrash, _ maximumBytes: Int64 = maximumTrashBytes
    ) {
        var trips: Set<TripID> = []
        var bytes: Int64 = 0
        for deleted in (try? listTrash()) ?? [] {
            let path = directory(of: deleted)
            let names = (try? fileSystem.list(path)) ?? []
            for name in names { bytes += (try? fileSystem.status(path + "/" + name))??.size ?? 0 }
            let fits = trips.isEmpty || trips.count < count && bytes <= maximumBytes
            let hasExpired = hasExpired(deleted, marks: names.compactMap(ExpiryMark.init), now: now)
            if fits, !hasExpired, trips.insert(deleted.trip).inserted { continue }
            do throws(SystemError) { try removeDirectory(path) } catch {}
        }
    }

    /// Whether a deleted trip has been too old for a day. The clock may be ahead once, so a mark records when the trip
    /// was first found too old.
    private func hasExpired(_ deleted: DeletedDirectory, marks: [ExpiryMark], now: Timestamp) -> Bool {
        let isOld = now.milliseconds - deleted.deletedAt.milliseconds > WireLimits.trashMilliseconds
        if isOld, let since = marks.map(\.since).max(), since <= now.milliseconds {
            return now.milliseconds - since >= ExpiryMark.delay
        }
        let path = directory(of: deleted) + "/"
        do throws(SystemError) {
            for mark in marks { try fileSystem.unlink(path + mark.name) }
            if isOld { _ = try OpenFile(path + ExpiryMark(now).name, .create, in: fileSystem) }
        } catch {}
        return false
    }
}

/// An empty file in the directory of a deleted trip: `expired-<milliseconds since 1970>`.
private struct ExpiryMark {
    /// When the trip was first found too old.
    let since: Int64
    /// The milliseconds from the mark to the removal.
    static let delay: Int64 = 86_400_000
    private static let prefix = "expired-"

    init(_ now: Timestamp) { since = now.milliseconds }

    init?(name: String) {
        guard name.hasPrefix(Self.prefix), let since = Int64(name.dropFirst(Self.prefix.count)) else {
            return nil
        }
        self.since = since
    }

    var name: String { "\(Self.prefix)\(since)" }
}
