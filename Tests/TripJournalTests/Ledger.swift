import Dispatch
import LocalSystem

@testable import TripJournal

/// A state for tests of compaction: the list of all records, which shows every loss.
enum Ledger {
    /// Every record of the journal, including those in its snapshot.
    static func records(of journal: OpenedJournal) -> [JournalRecord] {
        let kept = (journal.snapshot?.parts ?? []).map { part in
            let blank = part.firstIndex(of: .space) ?? part.startIndex
            return JournalRecord(
                version: Int(String(decoding: part[..<blank], as: UTF8.self)) ?? -1,
                payload: Array(part[(blank + 1)...]))
        }
        return kept + journal.records
    }

    static func summarize(_ journal: OpenedJournal) -> JournalSnapshot {
        snapshot(of: records(of: journal))
    }

    static func snapshot(of records: some Collection<JournalRecord>) -> JournalSnapshot {
        JournalSnapshot(
            version: records.map(\.version).max() ?? 0,
            parts: records.map { Array("\($0.version) ".utf8) + $0.payload })
    }

    static func plan(floor: Int, _ reports: CompactionLog = CompactionLog()) -> CompactionPlan {
        var plan = CompactionPlan(
            floor: floor,
            summarize: { (journal) throws(CompactionFailure) in Ledger.summarize(journal) },
            report: { reports.note($0) })
        // A ledger contains all records, so few compactions would follow one another at the usual growth.
        plan.growth = 4
        return plan
    }
}

/// The reports of compactions, for a test to wait for.
final class CompactionLog: Sendable {
    private let state = Guarded((reports: [CompactionReport](), taken: 0))
    private let bell = DispatchSemaphore(value: 0)

    var all: [CompactionReport] { state.withLock { $0.reports } }

    func note(_ report: CompactionReport) {
        state.withLock { $0.reports.append(report) }
        bell.signal()
    }

    /// Waits for the oldest unread report and removes it.
    func next() throws -> CompactionReport {
        try bell.waitOrFail()
        return state.withLock { state in
            defer { state.taken += 1 }
            return state.reports[state.taken]
        }
    }
}
