/// The calendar or table that brought an item.
public struct ItemSource: Equatable, Sendable {
    /// What the calendar or table is called.
    @Verbatim public var name: String
    /// What it calls the item.
    @Verbatim public var id: String

    /// Makes a source; both are filled, which is checked where it becomes part of an item.
    public init(name: String, id: String) {
        self.name = name
        self.id = id
    }
}
