import LocalSystem
import TripJournal
import TripModel
import TripProtocol

/// Opens one trip's journal and makes the trip that it tells.
struct TripLoader {
    enum Outcome {
        case loaded(TripCore, OpenedJournal, TripRegistry.Origin?)
        /// Its header, where its first record can still be read, so that it can be listed and named.
        case quarantined(WireError, TripHeader?)
    }

    let store: JournalStore
    let log: @Sendable (String) -> Void

    /// Blocks on the disk.
    func load(_ id: TripID) -> Outcome {
        let file = store.journal(of: id)
        let opening: JournalOpening
        do throws(SystemError) {
            opening = try store.open(id) { ItemID.random().description }
        } catch {
            return quarantined(file, 0, "it cannot be read: \(error)")
        }
        switch opening {
        case .quarantined(let file, let damage):
            return quarantined(file, damage.offset, "it is damaged: \(damage)")
        case .newerFormat(let file, let lowestReader):
            return quarantined(
                file, 0, "it is of a newer format; a program that reads format \(lowestReader) is needed")
        case .opened(let journal):
            if let repair = journal.repair {
                log(
                    "trip \(id): the last \(repair.droppedBytes) bytes of its journal were torn and are cut; "
                        + "the whole file is kept as \(repair.copy)")
            }
            do throws(ReplayFailure) {
                let replay = try TripReplay(journal)
                let core = TripCore(
                    durable: replay.trip, epoch: journal.header.epoch, retries: replay.retries,
                    edits: replay.edits, deltas: replay.deltas)
                return .loaded(core, journal, replay.origin)
            } catch {
                return quarantined(file, 0, "version \(error.version) makes no sense: \(error.message)")
            }
        }
    }

    private func quarantined(_ file: String, _ offset: Int, _ message: String) -> Outcome {
        let error = WireError(
            .tripCorrupt, "\(file), byte \(offset): \(message)", .file(file), .offset(offset))
        return .quarantined(error, headerOfFirstRecord(file))
    }

    /// The header that the trip had when it was made; only to name it by.
    private func headerOfFirstRecord(_ file: String) -> TripHeader? {
        guard let journal = try? OpenFile(file, .read, in: store.fileSystem),
            let bytes = try? journal.read(at: 0, count: JournalFormat.maximumPayload)
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
