import TripModel

/// Another person on the trip, and what they have in hand.
package struct Person: Equatable, Sendable {
    /// Tells them from another one of the same name: each of their programs has its own.
    package let id: Int
    /// The user's name, as they gave it.
    package let name: String
    /// The item they drag.
    package let dragging: ItemID?
    /// Where it hovers.
    package let over: Placement?

    /// The item that their cursor is on.
    package let focus: ItemID?

    /// Makes a person.
    package init(
        name: String, id: Int = 0, dragging: ItemID? = nil, over: Placement? = nil, focus: ItemID? = nil
    ) {
        self.id = id
        self.focus = focus
        self.name = name
        self.dragging = dragging
        self.over = over
    }
}
