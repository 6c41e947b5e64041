/// The terminal's size in cells, and its layout: a line above the list, two below it, and a panel beside or below the
/// list, with an open list or form or the details.
struct Window: Sendable {
    private(set) var columns = 0
    private(set) var rows = 0
    /// Whether the details are shown below the list if there is no room beside it.
    private(set) var showsDetails = false

    /// The minimum size.
    static let least = (columns: 40, rows: 10)
    /// The rows besides the list: the top line, the status line and the bar.
    private static let fixedRows = 3
    /// The screen row of the list's first line.
    static let listRow = 1
    /// The minimum width for a panel beside the list.
    private static let paneColumns = 110
    /// The maximum width of the list; in a wider one the details would be too far from the titles.
    private static let widestList = 100
    private static let widestPane = 70
    private static let mostDetailLines = 10
    /// The minimum width for optional words, and for space around the letters of users.
    static let roomyColumns = 60

    mutating func resize(columns: Int, rows: Int) {
        (self.columns, self.rows) = (max(columns, 0), max(rows, 0))
    }

    mutating func toggleDetails() { showsDetails.toggle() }

    var isLargeEnough: Bool { columns >= Self.least.columns && rows >= Self.least.rows }

    var isRoomy: Bool { columns >= Self.roomyColumns }

    /// Whether the panel is beside the list.
    var hasPane: Bool { columns >= Self.paneColumns }

    /// The columns of the panel beside the list, including its border.
    ///
    /// - Parameter isOpen: whether it has a list or a form, which gets more room than the details.
    func pane(isOpen: Bool) -> Range<Int> {
        let start = listWidth(besideOpen: isOpen) + 1
        return start..<min(columns - 1, start + 2 + Self.widestPane)
    }

    /// The number of columns of the list.
    func listWidth(besideOpen isOpen: Bool) -> Int {
        min(hasPane ? isOpen ? columns / 2 : columns * 2 / 3 : columns, Self.widestList)
    }

    /// The number of rows between the top line and the status line; 0 while the terminal is too small.
    var room: Int { isLargeEnough ? rows - Self.fixedRows : 0 }

    /// The number of rows below the list for an open list or form with some lines and a heading.
    func sheetHeight(lines: Int) -> Int {
        hasPane ? 0 : min(lines + 1, max(room * 2 / 3, Self.leastSheetHeight), room)
    }

    /// The number of rows of details below the list.
    var detailHeight: Int { showsDetails && !hasPane ? min(Self.mostDetailLines, room / 2) : 0 }

    /// The height in which a form or a list can be used, with its heading.
    private static let leastSheetHeight = 7

    /// The number of lines between the focus and the list's edges.
    static func scrollMargin(height: Int) -> Int { min(2, (height - 1) / 2) }
}
