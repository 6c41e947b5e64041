import LocalSystem
import TripJournal
import TripModel
import TripProtocol

/// Opens one trip's journal and makes the trip that it tells.
struct TripLoader {
    enum Outcome {
        case loaded(TripCore, OpenedJournal, TripRegistry.Origin?)
        case quarantined(WireError)
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
            return .quarantined(corrupt(file, 0, "it cannot be read: \(error)"))
        }
        switch opening {
        case .quarantined(let file, let damage):
            return .quarantined(corrupt(file, damage.offset, "it is damaged: \(damage)"))
        case .newerFormat(let file, let lowestReader):
            return .quarantined(
                corrupt(
                    file, 0, "it is of a newer format; a program that reads format \(lowestReader) is needed")
            )
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
                return .quarantined(
                    corrupt(file, 0, "version \(error.version) makes no sense: \(error.message)"))
            }
        }
    }

    private func corrupt(_ file: String, _ offset: Int, _ message: String) -> WireError {
        WireError(.tripCorrupt, "\(file), byte \(offset): \(message)", .file(file), .offset(offset))
    }
}
