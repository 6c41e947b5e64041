import TripModel

/// The trip on the screen: its rows, the one in focus, and how far the list is scrolled.
struct Board: Sendable {
    /// The newest view that has come.
    var view: TripView
    /// Its trip as rows.
    var outline: Outline
    /// The row in focus, always one of the outline.
    var cursor: Int
    /// The first line of the list on the screen.
    var top = 0

    /// Opens a trip with the first item of its days in focus.
    init(_ view: TripView, outline: Outline) {
        self.view = view
        self.outline = outline
        let rows = outline.inside
        cursor = rows.first { outline.item(atRow: $0) != nil } ?? rows.lowerBound
    }

    /// The item in focus, if it is one.
    var item: Item? { outline.item(atRow: cursor) }

    /// Shows other rows; the focus stays on its item or day, or goes to the nearest item that is left, those
    /// below first.
    mutating func show(_ new: Outline) {
        let old = outline
        outline = new
        if let row = new.row(of: old.rows[cursor]) {
            cursor = row
            return
        }
        func survivor(_ row: Outline.Row) -> Int? {
            if case .item(let id) = row { new.row(of: id) } else { nil }
        }
        cursor =
            old.rows[(cursor + 1)...].lazy.compactMap(survivor).first
            ?? old.rows[..<cursor].reversed().lazy.compactMap(survivor).first
            ?? new.inside.lowerBound
    }
}
