/// The shown order: stateless, the same for the same items in any input order (R-FLAT-01, R-FLAT-02).
public enum Flattening {
    /// Sorts items by day, then sort order; ties put games first, then follow the ids' bytes.
    public static func shownOrder(of items: some Sequence<Item>) -> [Item] {
        items.map { (row: Row($0), item: $0) }.sorted { $0.row < $1.row }.map(\.item)
    }
}
