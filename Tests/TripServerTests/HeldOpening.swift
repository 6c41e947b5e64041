import LocalSystem
import TripJournal
import TripModel
import TripProtocol

@testable import TripServer

/// The journals, with a way to delay the opening, examining and closing of trips.
final class HeldOpening: TripStorage {
    private struct State {
        var isHolding = false
        var holdsExamining = true
        var calls: [String] = []
        var held: [@Sendable () -> Void] = []
        var opened: [TripID] = []
        var examined: [TripID] = []
        var closed: [TripID] = []
    }

    private let journal: JournalStorage
    private let state = Guarded(State())

    init(_ journal: JournalStorage) { self.journal = journal }

    var statistics: StorageStatistics { journal.statistics }

    func freshEpoch() -> String { journal.freshEpoch() }

    func encoder(of trip: TripID) -> JournalEncoder? { journal.encoder(of: trip) }

    func encoder(ofNew trip: TripID, epoch: String) -> JournalEncoder {
        journal.encoder(ofNew: trip, epoch: epoch)
    }

    /// The opened trips in order; the examined trips, and the closed trips.
    var opened: [TripID] { state.withLock { $0.opened } }
    var examined: [TripID] { state.withLock { $0.examined } }
    var closed: [TripID] { state.withLock { $0.closed } }

    /// The calls for one trip's storage, in order: names and requests.
    var calls: [String] { state.withLock { $0.calls } }

    /// From now on no trip is opened or closed.
    ///
    /// - Parameter examining: Whether examining closed trips is delayed too.
    func hold(examining: Bool = true) {
        state.withLock { state in
            state.isHolding = true
            state.holdsExamining = examining
        }
    }

    /// Runs the delayed calls; later calls run at once.
    func resume() {
        let held = state.withLock { state in
            defer { state.held = [] }
            state.isHolding = false
            return state.held
        }
        for work in held { work() }
    }

    private func wait(
        isExamining: Bool = false, _ note: (inout State) -> Void, _ work: @escaping @Sendable () -> Void
    ) {
        let isHeld = state.withLock { state in
            note(&state)
            let isHeld = state.isHolding && (state.holdsExamining || !isExamining)
            if isHeld { state.held.append(work) }
            return isHeld
        }
        if !isHeld { work() }
    }

    func perform(_ request: StorageRequest, of trip: TripID, epoch: String) {
        let call =
            switch request {
            case .create, .createEncoded: "create"
            case .append, .appendEncoded: "append"
            case .delete: "delete"
            }
        state.withLock { $0.calls.append(call) }
        journal.perform(request, of: trip, epoch: epoch)
    }

    func handOver() -> [StorageReport] { journal.handOver() }

    func name(_ trip: TripID, _ slugs: Set<String>) {
        state.withLock { $0.calls.append("name " + slugs.sorted().joined(separator: " ")) }
        journal.name(trip, slugs)
    }

    func open(_ trip: TripID, _ known: CatalogueEntry) {
        wait({ $0.opened.append(trip) }, { [journal] in journal.open(trip, known) })
    }

    func examine(_ trips: [TripID: CatalogueEntry]) {
        wait(isExamining: true, { $0.examined += trips.keys }, { [journal] in journal.examine(trips) })
    }

    func compact(_ state: TripSnapshot) { journal.compact(state) }
    func readTrash(_ report: @escaping TrashReader) { journal.readTrash(report) }
    func restore(_ deleted: TrashedTrip, as slug: String) { journal.restore(deleted, as: slug) }

    func close(_ trip: TripID, _ content: TripContent) {
        wait({ $0.closed.append(trip) }, { [journal] in journal.close(trip, content) })
    }
}
