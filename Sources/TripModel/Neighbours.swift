/// The items directly above and below a place of a day; nil at the top and the bottom.
public struct Neighbours: Hashable, Sendable {
    /// The item above.
    public let above: ItemID?
    /// The item below.
    public let below: ItemID?

    /// Makes a pair of neighbours.
    public init(above: ItemID?, below: ItemID?) {
        self.above = above
        self.below = below
    }
}
