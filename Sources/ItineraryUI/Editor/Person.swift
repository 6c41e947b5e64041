import TripModel

/// Another user of the trip, with their drag and cursor.
package struct Person: Equatable, Sendable {
    /// Distinguishes several programs of one user.
    package let id: Int
    /// The user's name.
    package let name: String
    /// The item that they drag.
    package let dragging: ItemID?
    /// Its current place.
    package let over: Placement?

    /// The row under their cursor.
    package let focus: ListRow?

    package init(
        name: String, id: Int = 0, dragging: ItemID? = nil, over: Placement? = nil, focus: ListRow? = nil
    ) {
        self.id = id
        self.focus = focus
        self.name = name
        self.dragging = dragging
        self.over = over
    }
}
