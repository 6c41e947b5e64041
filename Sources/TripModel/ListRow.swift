/// A row of a trip's list: the heading of a day, or an item.
///
/// It identifies the row while its number changes.
public enum ListRow: Hashable, Sendable {
    /// The heading of a day, by its number.
    case day(Int)
    /// An item.
    case item(ItemID)
}
