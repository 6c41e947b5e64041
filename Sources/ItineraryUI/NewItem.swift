import TripModel

/// An item that is to be: it gets its place when it is dropped.
struct NewItem: Sendable {
    let id: ItemID
    let content: ItemContent
}
