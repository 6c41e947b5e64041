import TripModel

/// A new item, which gets its place when it is dropped.
struct NewItem: Sendable {
    let id: ItemID
    let content: ItemContent
}
