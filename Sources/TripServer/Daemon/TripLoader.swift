import LocalSystem
import TripJournal
import TripModel
import TripProtocol

/// Opens a trip's journal and replays it.
struct TripLoader {
    enum Outcome {
        case loaded(TripCore, OpenedJournal, TripDirectory.Origin?)
        /// With the header if the first record is readable, so that the trip can be listed and named.
        case quarantined(WireError, TripHeader?)
        /// The system failed, perhaps temporarily: nothing is known about the trip.
        case unreadable(WireError)
    }

    let store: JournalStore
    let lineage: Lineage
    /// The source of the epochs of repaired journals.
    var random = RandomSource()
    let log: @Sendable (LogLine) -> Void

    /// Loads a trip. Blocks on the disk.
    ///
    /// - Parameter known: the trip's catalogue entry.
    func load(_ id: TripID, _ known: CatalogueEntry? = nil) -> Outcome {
        let file = store.journal(of: id)
        let opening: JournalOpening
        do throws(SystemError) {
            opening = try store.open(id, known: known) { random.epoch() }
        } catch {
            return .unreadable(WireError(.storageFailed, "\(file) cannot be read now: \(error)"))
        }
        switch opening {
        case .quarantined(let file, let damage):
            let advice =
                damage.isOtherFile
                ? "; put the right file back, or accept this one with itineraryd restore --replace" : ""
            return quarantined(file, damage.offset, "it is damaged: \(damage)\(advice)")
        case .newerFormat(let file, let lowestReader):
            return quarantined(
                file, 0, "it has a newer format; an itineraryd that reads format \(lowestReader) is needed")
        case .opened(let journal):
            if let repair = journal.repair {
                log(
                    .warning(
                        "trip \(id): the last \(repair.droppedBytes) bytes of its journal were incomplete and are removed; "
                            + "the whole file is kept as \(repair.copy)"))
            }
            do throws(ReplayFailure) {
                let replay = try TripReplay(journal)
                var core = TripCore(
                    durable: replay.trip, epoch: lineage.clientEpoch(for: journal.header.epoch),
                    retries: replay.retries,
                    edits: replay.edits, problemsVersion: replay.problemsVersion)
                core.recordFormat = journal.header.format
                return .loaded(core, journal, replay.origin)
            } catch {
                return quarantined(file, 0, "version \(error.version) is invalid: \(error.message)")
            }
        }
    }

    /// Checks whether the catalogue entry of a closed trip is up to date, and reads the trip if it is not.
    func examine(_ id: TripID, _ known: CatalogueEntry) -> TripExamination {
        do throws(SystemError) {
            if let summary = known.summary, try store.stamp(of: id) == summary.stamp { return .same }
            switch load(id, known) {
            case .loaded(let core, let journal, _):
                guard let stamp = try store.stamp(of: id) else {
                    throw .changedByOthers(store.journal(of: id))
                }
                let place = JournalPlace(epoch: journal.header.epoch, checkpoint: journal.checkpoint)
                let summary = TripDigest(
                    header: core.trip.header, version: core.trip.version, itemCount: core.trip.itemCount,
                    stamp: stamp)
                return .read(
                    CatalogueEntry(slugs: [core.trip.header.slug], place: place, summary: summary))
            case .quarantined(let error, let header): return .quarantined(error, header)
            case .unreadable(let error): return .unreadable(error, slug: slugUnrepaired(id, known))
            }
        } catch {
            let error = WireError(.storageFailed, "trip \(id) cannot be read now: \(error)")
            return .unreadable(error, slug: slugUnrepaired(id, known))
        }
    }

    // MARK: Deleted trips

    /// The last state of a deleted trip; nil if it cannot be read. Writes nothing.
    func read(_ deleted: DeletedDirectory) -> TrashedTrip? {
        guard let trip = journal(of: deleted).flatMap({ try? TripReplay($0).trip }) else { return nil }
        return TrashedTrip(
            header: trip.header, version: trip.version, itemCount: trip.itemCount,
            deletedAt: deleted.deletedAt)
    }

    /// Gives a deleted trip another slug, in an additional version without an author.
    func rename(_ deleted: TrashedTrip, to slug: String) throws(SystemError) {
        let directory = DeletedDirectory(deleted)
        func snapshot(_ journal: OpenedJournal) throws -> JournalSnapshot {
            var snapshot = try TripReplay(journal).snapshot
            let nobody = Author(name: "", at: deleted.deletedAt)
            _ = try snapshot.trip.apply([.trip(TripChange(slug: slug))], by: nobody)
            return try snapshot.encoded()
        }
        guard let journal = journal(of: directory), let renamed = try? snapshot(journal) else {
            throw .changedByOthers(store.journal(of: directory))
        }
        var image = JournalImage(journal.header.renewed, snapshot: renamed, records: [])
        image.seal()
        try store.replace(directory, by: image)
    }

    private func journal(of deleted: DeletedDirectory) -> OpenedJournal? {
        guard let bytes = try? store.readFile(store.journal(of: deleted)),
            case .use(let contents) = JournalRecovery(JournalScanner.scan(bytes), of: deleted.trip)
        else { return nil }
        return OpenedJournal(contents, in: bytes)
    }

    /// The slug of a trip whose journal cannot be repaired now. It stays reserved until then. The journal is read
    /// only if the catalogue's entry is a reservation.
    private func slugUnrepaired(_ id: TripID, _ known: CatalogueEntry) -> String? {
        guard known.isReservation, let journal = try? store.peek(at: id) else { return nil }
        return try? TripReplay(journal).trip.header.slug
    }

    private func quarantined(_ file: String, _ offset: Int, _ message: String) -> Outcome {
        let error = WireError(
            .tripCorrupt, "\(file), byte \(offset): \(message)", .file(file), .offset(offset))
        return .quarantined(error, headerOfFirstRecord(file))
    }

    /// The header at the trip's creation, used only to name it.
    private func headerOfFirstRecord(_ file: String) -> TripHeader? {
        guard let journal = try? OpenFile(file, .read, in: store.fileSystem),
            let bytes = try? journal.read(at: 0, count: WireLimits.changeBytes)
        else { return nil }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
        guard lines.count > 2 else { return nil }
        if lines.count > 3, lines[1].starts(with: "snapshot ".utf8) {
            guard let start = lines[2].firstIndex(of: UInt8(ascii: "[")) else { return nil }
            return TripSnapshot.header(inPart: Array(lines[2][start...]))
        }
        guard let start = lines[1].firstIndex(of: UInt8(ascii: "{")) else { return nil }
        return try? CommitRecord(payload: Array(lines[1][start...])).header
    }
}

extension DeletedDirectory {
    /// The directory of a deleted trip.
    init(_ deleted: TrashedTrip) { self.init(deleted.header.id, deletedAt: deleted.deletedAt) }
}
