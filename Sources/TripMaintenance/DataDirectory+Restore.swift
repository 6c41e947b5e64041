import LocalSystem
import TripJournal
import TripModel
import TripProtocol
import TripServer

extension DataDirectory {
    /// The options of a restore.
    package struct Restore: Sendable {
        /// The version to restore; nil for the last one.
        package var version: Int?
        /// A new slug; nil to keep it.
        package var slug: String?
        /// Whether to create a separate trip with a new id.
        package var hasNewID = false
        /// Whether to replace the existing trip with that id; a copy of its journal is kept.
        package var replaces = false

        /// Restores the trip under its own id.
        package init() {}
    }

    /// The result of a restore.
    package struct Restored: Sendable {
        /// The trip's id.
        package let trip: TripID
        /// Its slug.
        package let slug: String
        /// Its version.
        package let version: Int
        /// The path of the copy of the replaced journal.
        package let copy: String?
    }

    /// Restores a trip from an exported file. It gets a new epoch, so that clients with older data load it
    /// again. Requires the lock.
    package func restore(_ file: String, _ options: Restore) throws(MaintenanceFailure) -> Restored {
        let reading = try read(file: file)
        guard case .whole(let contents) = reading.scan else {
            throw .refused("\(file) is not a valid export: \(reading.scan.problem)")
        }
        let journal = try Self.cut(OpenedJournal(contents, in: reading.bytes), to: options.version, file)
        let replay: TripReplay
        do throws(ReplayFailure) { replay = try TripReplay(journal) } catch {
            throw .refused("\(file): version \(error.version) is invalid: \(error.message)")
        }
        var random = random
        let trip = options.hasNewID ? TripID.random(using: &random) : contents.header.tripID
        let slug = options.slug ?? replay.trip.header.slug
        guard slug == replay.trip.header.slug || TripHeader.isSlug(slug) else {
            throw .refused("\(slug) is not a slug; a slug has 1 to 63 characters of a-z, 0-9 and -")
        }
        try system { () throws(SystemError) in try store.prepare() }
        let trips = try list()
        for other in trips where other != trip && self.slug(of: other) == slug {
            throw .refused("trip \(other) has the slug \(slug); give the restored one another with --as")
        }
        let header = JournalHeader(tripID: trip, epoch: random.epoch())
        var image: JournalImage
        if options.hasNewID || slug != replay.trip.header.slug {
            let snapshot: JournalSnapshot
            do throws(RecordFailure) {
                snapshot = try replay.snapshot.renamed(trip, slug).encoded()
            } catch {
                throw .refused("\(file): \(error.message)")
            }
            image = JournalImage(header, snapshot: snapshot, records: [])
        } else {
            image = JournalImage(header, snapshot: journal.snapshot, records: journal.records)
        }
        image.seal()
        let copy = try place(image, exists: trips.contains(trip), options)
        return Restored(trip: trip, slug: slug, version: image.checkpoint.version, copy: copy)
    }

    private func place(
        _ image: JournalImage, exists: Bool, _ options: Restore
    ) throws(MaintenanceFailure) -> String? {
        guard !exists || options.replaces else {
            throw .refused(
                "trip \(image.header.tripID) exists; restore it beside that one with --new-id (and --as), or in its place with --replace"
            )
        }
        let trip = image.header.tripID
        // The catalogue's entry belongs to the replaced journal and would identify it. It is removed right
        // before the replacement, and put back if that fails.
        var known: CatalogueEntry?
        func forget() throws(SystemError) {
            known = try Catalogue.exchange(nil, of: trip, in: path, store.fileSystem)
        }
        do throws(MaintenanceFailure) {
            if exists {
                return try system { () throws(SystemError) in
                    try store.replaceKeepingCopy(by: image, ready: forget)
                }
            }
            do throws(JournalStoreError) { try store.create(image, ready: forget) } catch {
                throw .refused("\(error)")
            }
            return nil
        } catch {
            if let known {
                _ = try? Catalogue.exchange(known, of: trip, in: path, store.fileSystem)
            }
            throw error
        }
    }

    /// The journal up to a version.
    private static func cut(
        _ journal: OpenedJournal, to version: Int?, _ file: String
    ) throws(MaintenanceFailure) -> OpenedJournal {
        guard let version else { return journal }
        let records = journal.records.filter { $0.version <= version }
        let first = journal.snapshot?.version ?? journal.records.first?.version ?? 1
        guard (records.last?.version ?? journal.snapshot?.version) == version else {
            throw .refused(
                "\(file) has the versions \(first) to \(journal.checkpoint.version), but not \(version)")
        }
        return OpenedJournal(
            header: journal.header, snapshot: journal.snapshot, records: records,
            checkpoint: JournalCheckpoint(version: version, checksum: 0), end: journal.end, repair: nil)
    }

    /// The result of a compaction.
    package enum Compaction: Sendable {
        case compacted(from: Int, to: Int)
        /// The journal cannot be made smaller.
        case left(Int)
    }

    /// Compacts a trip's journal. Requires the lock.
    package func compact(_ trip: TripID) throws(MaintenanceFailure) -> Compaction {
        let opening = try system { () throws(SystemError) in
            try store.open(trip) { random.epoch() }
        }
        switch opening {
        case .quarantined(let file, let damage):
            throw .refused("\(file), byte \(damage.offset): it is damaged: \(damage.sentence)")
        case .newerFormat(let file, let lowestReader):
            throw .refused("\(file) needs an itineraryd that reads format \(lowestReader)")
        case .opened(let journal):
            do throws(CompactionFailure) {
                var image = JournalImage(
                    journal.header.renewed, compacted: try CompactionPlan.summarize(journal),
                    at: journal.checkpoint)
                image.seal()
                guard image.bytes.count < journal.end else { return .left(journal.end) }
                try system(image)
                return .compacted(from: journal.end, to: image.bytes.count)
            } catch {
                throw .refused("\(store.journal(of: trip)): \(error)")
            }
        }
    }

    private func system(_ image: JournalImage) throws(CompactionFailure) {
        do throws(SystemError) { try store.replace(by: image) } catch { throw .system(error) }
    }
}

extension JournalScan {
    /// The problem in one sentence.
    fileprivate var problem: String {
        switch self {
        case .whole: "there is no problem"
        case .torn(_, let tail): "byte \(tail.offset): its end is cut off"
        case .damaged(let damage, _): damage.description
        case .newerFormat(let lowestReader): "it needs an itineraryd that reads format \(lowestReader)"
        }
    }
}
