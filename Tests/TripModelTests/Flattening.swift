@testable import TripModel

/// Computes the shown order from the items alone, to compare with a trip's index (R-FLAT-01, R-FLAT-02).
enum Flattening {
    /// Sorts items by day, then sort order; in ties games come first, then ids by their bytes.
    static func shownOrder(of items: some Sequence<Item>) -> [Item] {
        items.map { (row: Row($0), item: $0) }.sorted { $0.row < $1.row }.map(\.item)
    }
}
