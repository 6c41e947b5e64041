/// The calendar or table from which an item was imported.
public struct ItemSource: Equatable, Sendable {
    /// The name of the calendar or table.
    @Verbatim public var name: String
    /// The item's id there.
    @Verbatim public var id: String
    /// The values of the last import; sent to clients only by `trip.get` with `said`.
    public var said: SourceValues?

    /// Makes a source. When an item gets it, both texts are checked not to be empty.
    public init(name: String, id: String, said: SourceValues? = nil) {
        self.name = name
        self.id = id
        self.said = said
    }

    /// Whether both identify the same item of the same source.
    package func isSame(as other: ItemSource) -> Bool {
        String.isVerbatim(name, other.name) && String.isVerbatim(id, other.id)
    }
}
