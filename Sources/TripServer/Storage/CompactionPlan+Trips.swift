import LocalSystem
import TripJournal

extension CompactionPlan {
    /// The compaction of trips' journals.
    package static func ofTrips(floor: Int = 4 << 20, log: @escaping @Sendable (LogLine) -> Void) -> Self {
        CompactionPlan(
            floor: floor, summarize: summarize,
            report: { report in
                switch report {
                case .compacted(let trip, from: let old, to: let new):
                    log(.info("trip \(trip): its journal is compacted, from \(old) to \(new) bytes"))
                case .failed(let trip, let failure):
                    log(.warning("trip \(trip): its journal is not compacted for now: \(failure)"))
                }
            })
    }

    /// The state at the end of a journal.
    static func summarize(_ journal: OpenedJournal) throws(CompactionFailure) -> JournalSnapshot {
        let snapshot: TripSnapshot
        do throws(ReplayFailure) { snapshot = try TripReplay(journal).snapshot } catch {
            throw .damaged("version \(error.version) is invalid: \(error.message)")
        }
        do throws(RecordFailure) { return try snapshot.encoded() } catch { throw .damaged(error.message) }
    }
}
