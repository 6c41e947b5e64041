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
    mutating func apply(_ delta: TripDelta) throws(Misfit) {
        guard delta.epoch == epoch, delta.from == version else { throw .gap }
        var next = trip
        do throws(AdoptFailure) {
            try next.adopt(
                version: delta.version, upserts: delta.upserts,
                removed: delta.removed.filter { next[$0] != nil }, header: delta.header)
        } catch {
            throw .contradiction
        }
        trip = next
        problems = delta.problems ?? problems
        cause = delta.cause
    }
}
