import TripModel

/// A part of the screen for a list or a form.
struct Area: Sendable {
    let rows: Range<Int>
    let columns: Range<Int>

    /// The rows below the heading.
    var lines: Range<Int> { min(rows.lowerBound + 1, rows.upperBound)..<rows.upperBound }
}

/// The layout of the list and of an open list or form beside it or below it.
extension Screen {
    /// The number of visible list lines; 0 while the terminal is too small.
    var listHeight: Int { window.room - (sheetLines.map(window.sheetHeight) ?? detailHeight) }

    /// The number of rows of details below the list.
    var detailHeight: Int {
        if case .helping = mode { return 0 }
        return sheetLines == nil ? window.detailHeight : 0
    }

    /// The number of columns of the list.
    var listWidth: Int { window.listWidth(besideOpen: sheetLines != nil) }

    /// The number of lines of the open list or form; nil if none is shown.
    private var sheetLines: Int? { shownChooser?.choices.count ?? mode.shownSheet?.lines.count }

    /// The place of the open list or form: beside the trip or below it, or without a trip instead of it. Its first row is
    /// for the heading.
    func sheetArea(lines: Int) -> Area {
        let end = Window.listRow + window.room
        guard board != nil else {
            return Area(rows: Window.listRow..<end, columns: 0..<window.listWidth(besideOpen: false))
        }
        if window.hasPane {
            let pane = window.pane(isOpen: true)
            return Area(rows: Window.listRow..<end, columns: pane.lowerBound + 1..<pane.upperBound + 1)
        }
        return Area(rows: end - window.sheetHeight(lines: lines)..<end, columns: 0..<window.columns)
    }

    /// The lines of the list, including those of the dragged item and of stays.
    func layout(of board: Board) -> ListLayout {
        var liftedRow: Int?
        var insertions: [ListLayout.Insertion] = []
        if let drag = mode.drag {
            liftedRow = drag.liftedRow
            insertions.append(ListLayout.Insertion(boundary: drag.boundary, line: .landing))
        } else if let back = motion.snapBack, let step = back.steps.step(at: state.now),
            let row = board.outline.row(of: back.item)
        {
            liftedRow = row
            let boundary = min(back.boundary(at: step, home: row), board.outline.rows.count - 1)
            insertions.append(ListLayout.Insertion(boundary: boundary, line: .landing))
        }
        var stays: [ListLayout.Insertion] = []
        for (index, stay) in board.outline.stays.enumerated() {
            // A heading is never lifted, so the line directly below it is in the same gap with and without
            // the row.
            let boundary = stay.header + 1 - (liftedRow.map { stay.header > $0 ? 1 : 0 } ?? 0)
            stays += stay.days.indices.map {
                ListLayout.Insertion(boundary: boundary, line: .stay(index, $0))
            }
        }
        return ListLayout(
            rowCount: board.outline.rows.count, liftedRow: liftedRow, insertions: stays + insertions)
    }
}
