import TripModel
import TripProtocol

/// What somebody may do, in all trips and in single ones.
///
/// A line about a trip counts before one about all, and one about an account before one about its groups; of several
/// that count alike, the one that allows most.
package struct Rights: Hashable, Sendable {
    /// Where nothing is said of a trip; nil for nothing, not even to know of it.
    private let everywhere: Access?
    /// By what is said of the account.
    private let trips: [TripReference: Access]
    /// By what is said of its groups.
    private let sharedTrips: [TripReference: Access]
    /// What is not passed, whatever is said.
    private var most = Access.owner

    /// What whoever runs the daemon may do.
    package static let owner = Rights(everywhere: .owner)

    init(
        everywhere: Access?, trips: [TripReference: Access] = [:],
        sharedTrips: [TripReference: Access] = [:]
    ) {
        self.everywhere = everywhere
        self.trips = trips
        self.sharedTrips = sharedTrips
    }

    /// The same, and nothing beyond an access.
    func limited(to access: Access) -> Rights {
        var rights = self
        rights.most = min(most, access)
        return rights
    }

    /// Whether it is the same in every trip.
    var isUniform: Bool { trips.isEmpty && sharedTrips.isEmpty }

    /// What one may do where no trip is concerned; to look at what there is, one always may.
    var inGeneral: Access { min(everywhere ?? .viewer, most) }

    /// The most that one may do anywhere.
    var highest: Access {
        let all = [everywhere ?? .viewer] + trips.values + sharedTrips.values
        return min(all.max() ?? .viewer, most)
    }

    /// What one may do in a trip; nil if one may not even know of it. The number of rules does not matter.
    ///
    /// - Parameter names: what a rule may call the trip.
    func access(inTripCalled names: [TripReference]) -> Access? {
        func best(_ rules: [TripReference: Access]) -> Access? {
            rules.isEmpty ? nil : names.compactMap { rules[$0] }.max()
        }
        return (best(trips) ?? best(sharedTrips) ?? everywhere).map { min($0, most) }
    }
}
