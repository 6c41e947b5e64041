@testable import TripModel

/// The shown order from nothing but the items: what a trip keeps is held against it (R-FLAT-01, R-FLAT-02).
enum Flattening {
    /// Sorts items by day, then sort order; ties put games first, then follow the ids' bytes.
    static func shownOrder(of items: some Sequence<Item>) -> [Item] {
        items.map { (row: Row($0), item: $0) }.sorted { $0.row < $1.row }.map(\.item)
    }
}
