import TripModel
import TripProtocol

/// The permissions of an account, in all trips and in single trips.
///
/// A rule about one trip overrides a rule about all trips. A rule about the account overrides one about its
/// groups. Of several equal rules, the most permissive one applies.
package struct Rights: Hashable, Sendable {
    /// The access to trips without a rule of their own; nil for none, so that such trips are invisible.
    private let everywhere: Access?
    /// From the rules about the account.
    private let trips: [TripReference: Access]
    /// From the rules about its groups.
    private let sharedTrips: [TripReference: Access]
    /// The upper bound, whatever the rules grant.
    private var most = Access.owner

    /// The permissions of the daemon's own account.
    package static let owner = Rights(everywhere: .owner)

    init(
        everywhere: Access?, trips: [TripReference: Access] = [:],
        sharedTrips: [TripReference: Access] = [:]
    ) {
        self.everywhere = everywhere
        self.trips = trips
        self.sharedTrips = sharedTrips
    }

    /// The same permissions, limited to `access`.
    func limited(to access: Access) -> Rights {
        var rights = self
        rights.most = min(most, access)
        return rights
    }

    /// True if the access is the same in every trip.
    var isUniform: Bool { trips.isEmpty && sharedTrips.isEmpty }

    /// The access that does not concern a trip; at least `viewer`.
    var inGeneral: Access { min(everywhere ?? .viewer, most) }

    /// The highest access in any trip.
    var highest: Access {
        let all = [everywhere ?? .viewer] + trips.values + sharedTrips.values
        return min(all.max() ?? .viewer, most)
    }

    /// The access in one trip; nil if the trip is invisible. The cost does not depend on the number of rules.
    ///
    /// - Parameter names: all references by which a rule may name the trip.
    func access(inTripCalled names: [TripReference]) -> Access? {
        func best(_ rules: [TripReference: Access]) -> Access? {
            rules.isEmpty ? nil : names.compactMap { rules[$0] }.max()
        }
        return (best(trips) ?? best(sharedTrips) ?? everywhere).map { min($0, most) }
    }
}
