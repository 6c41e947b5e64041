import TripModel

/// A line being written.
struct Prompt: Sendable {
    /// What is done with it.
    enum Purpose: Sendable {
        /// It names a new item, which goes to a place.
        case add(at: Spot)
        /// It is looked for, from a row on, which stood at a place in the list.
        case search(origin: Outline.Row, row: Int)
        /// It names a day to go to.
        case goTo
    }

    let purpose: Purpose
    var line: LineEditor

    /// What stands before the line.
    var label: String {
        switch purpose {
        case .add: "New item:"
        case .search: "Search:"
        case .goTo: "Go to day:"
        }
    }

    var isSearch: Bool {
        if case .search = purpose { true } else { false }
    }
}
