import TripModel

/// A trip that could be opened.
package struct TripChoice: Equatable, Sendable {
    /// The trip.
    package let id: TripID
    /// Its name.
    package let name: String
    /// What tells it from others of the name.
    package let detail: String

    /// Makes a choice.
    package init(id: TripID, name: String, detail: String) {
        self.id = id
        self.name = name
        self.detail = detail
    }
}
