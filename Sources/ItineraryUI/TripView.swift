import TripModel

/// A state of the trip as the daemon tells it.
package struct TripView: Equatable, Sendable {
    /// The trip.
    package let trip: Trip
    /// What does not fit in it.
    package let problems: [Problem]

    /// Makes a view.
    package init(trip: Trip, problems: [Problem]) {
        self.trip = trip
        self.problems = problems
    }
}
