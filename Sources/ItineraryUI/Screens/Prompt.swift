import TripModel

/// A text line with its purpose.
struct Prompt: Sendable {
    /// The purpose of a line.
    enum Purpose: Sendable {
        /// The title of a new item, to be added at a place.
        case add(at: InsertionPoint)
        /// A search from a row, with that row's former index.
        case search(origin: ListRow, row: Int)
        /// A day to go to.
        case goTo
        /// The day to swap a day with, of a trip with these days.
        case swap(day: Int, days: TripHeader)
        /// The days on which copies of items are added.
        case repeating([ItemID], what: String)
    }

    let purpose: Purpose
    var line: LineEditor

    /// The label before the line.
    var label: String {
        switch purpose {
        case .add: "New item:"
        case .search: "Search:"
        case .goTo: "Go to day:"
        case .swap(let day, _): "Swap day \(day) with day:"
        case .repeating(_, let what): "Repeat \(what) on days:"
        }
    }

    /// The item that the line of a new item describes; nil if the line is only a title.
    var quickEntry: QuickEntry? { isAdd ? QuickEntry(line.text) : nil }

    var isSearch: Bool {
        if case .search = purpose { true } else { false }
    }

    var isAdd: Bool {
        if case .add = purpose { true } else { false }
    }
}
