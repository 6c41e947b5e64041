import TripModel
import TripProtocol

/// The last state of a trip that the daemon has sent.
struct ConfirmedTrip: Sendable {
    /// The reason why a delta cannot be applied.
    enum Misfit: Error {
        /// It starts from a different version: something was missed.
        case gap
        /// It contradicts this state.
        case contradiction
    }

    private(set) var trip: Trip
    let epoch: String
    private(set) var problems: [Problem]
    /// The author of the last change; nil if unknown.
    private(set) var cause: Cause?

    init(_ snapshot: Snapshot, cause: Cause? = nil) {
        trip = snapshot.trip
        epoch = snapshot.epoch
        problems = snapshot.problems
        self.cause = cause
    }

    var version: Int { trip.version }

    /// The known version for a subscription.
    var since: Since { Since(epoch: epoch, version: version) }

    /// Applies a delta; after a failure the state is unchanged.
    ///
    /// - Returns: the previous states of the changed and removed items.
    mutating func apply(_ delta: TripDelta) throws(Misfit) -> [ItemID: Item] {
        guard delta.epoch == epoch, delta.from == version else { throw .gap }
        var before: [ItemID: Item] = [:]
        for id in delta.upserts.map(\.id) + delta.removed { before[id] = trip[id] }
        do throws(TripInconsistency) {
            let removed = delta.removed.filter { before[$0] != nil }
            if let header = delta.header {
                var next = trip
                try next.adopt(
                    version: delta.version, upserts: delta.upserts, removed: removed, header: header)
                trip = next
            } else {
                // In place, because a copy of many items takes longer than everything else.
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
