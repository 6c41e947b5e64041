import TripModel
import TripProtocol

/// A trip as the daemon has told it.
struct ConfirmedTrip: Sendable {
    /// Why a delta cannot be applied.
    enum Misfit: Error {
        /// It leads on from another state than this one: something was missed.
        case gap
        /// It contradicts this state.
        case contradiction
    }

    private(set) var trip: Trip
    let epoch: String
    private(set) var problems: [Problem]
    /// Who made the last change, where that was told.
    private(set) var cause: Cause?

    init(_ snapshot: Snapshot, cause: Cause? = nil) {
        trip = snapshot.trip
        epoch = snapshot.epoch
        problems = snapshot.problems
        self.cause = cause
    }

    var version: Int { trip.version }

    /// What to subscribe with.
    var since: Since { Since(epoch: epoch, version: version) }

    /// Goes on to a newer version; where that fails it is left as it was.
    ///
    /// - Returns: the items that are other ones now, or gone, as they were before.
    mutating func apply(_ delta: TripDelta) throws(Misfit) -> [ItemID: Item] {
        guard delta.epoch == epoch, delta.from == version else { throw .gap }
        var before: [ItemID: Item] = [:]
        for id in delta.upserts.map(\.id) + delta.removed { before[id] = trip[id] }
        do throws(AdoptFailure) {
            let removed = delta.removed.filter { before[$0] != nil }
            if let header = delta.header {
                var next = trip
                try next.adopt(
                    version: delta.version, upserts: delta.upserts, removed: removed, header: header)
                trip = next
            } else {
                // In place: a copy of many items takes longer than all the rest.
                try trip.adopt(version: delta.version, upserts: delta.upserts, removed: removed, header: nil)
            }
        } catch {
            throw .contradiction
        }
        problems = delta.problems ?? problems
        cause = delta.cause
        return before
    }
}
