import LocalSystem
import TripJournal
import TripModel

@testable import TripServer

/// The journals, with a say in when a trip is read or let go of.
final class HeldOpening: TripStorage {
    private struct State {
        var isHolding = false
        var holdsLooks = true
        var calls: [String] = []
        var held: [@Sendable () -> Void] = []
        var opened: [TripID] = []
        var looked: [TripID] = []
        var closed: [TripID] = []
    }

    private let journal: JournalStorage
    private let state = Guarded(State())

    init(_ journal: JournalStorage) { self.journal = journal }

    var statistics: StorageStatistics { journal.statistics }

    func freshEpoch() -> String { journal.freshEpoch() }

    /// The trips that were asked to be opened, in order; those that were looked at, and those that were closed.
    var opened: [TripID] { state.withLock { $0.opened } }
    var looked: [TripID] { state.withLock { $0.looked } }
    var closed: [TripID] { state.withLock { $0.closed } }

    /// What was asked of one trip's storage, in order: names, and requests.
    var calls: [String] { state.withLock { $0.calls } }

    /// From now on nothing is read, and nothing let go of.
    ///
    /// - Parameter looks: whether closed trips are not looked at either.
    func hold(looks: Bool = true) {
        state.withLock { state in
            state.isHolding = true
            state.holdsLooks = looks
        }
    }

    /// Does what was asked for; from now on at once.
    func letGo() {
        let held = state.withLock { state in
            defer { state.held = [] }
            state.isHolding = false
            return state.held
        }
        for work in held { work() }
    }

    private func wait(
        isLook: Bool = false, _ note: (inout State) -> Void, _ work: @escaping @Sendable () -> Void
    ) {
        let isHeld = state.withLock { state in
            note(&state)
            let isHeld = state.isHolding && (state.holdsLooks || !isLook)
            if isHeld { state.held.append(work) }
            return isHeld
        }
        if !isHeld { work() }
    }

    func perform(_ request: StorageRequest, of trip: TripID, epoch: String) {
        let call =
            switch request {
            case .create: "create"
            case .append: "append"
            case .delete: "delete"
            }
        state.withLock { $0.calls.append(call) }
        journal.perform(request, of: trip, epoch: epoch)
    }

    func name(_ trip: TripID, _ slugs: Set<String>) {
        state.withLock { $0.calls.append("name " + slugs.sorted().joined(separator: " ")) }
        journal.name(trip, slugs)
    }

    func open(_ trip: TripID, _ known: CatalogueEntry) {
        wait({ $0.opened.append(trip) }, { [journal] in journal.open(trip, known) })
    }

    func look(at trips: [TripID: CatalogueEntry]) {
        wait(isLook: true, { $0.looked += trips.keys }, { [journal] in journal.look(at: trips) })
    }

    func compact(_ state: TripSnapshot) { journal.compact(state) }

    func close(_ trip: TripID, _ content: TripContent) {
        wait({ $0.closed.append(trip) }, { [journal] in journal.close(trip, content) })
    }
}
