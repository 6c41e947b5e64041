/// The terminal's size in cells, and its layout: a line above the list, two below it, and the details beside
/// or below the list.
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
    /// The minimum width for details beside the list.
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

    /// Whether the details are beside the list.
    var hasPane: Bool { columns >= Self.paneColumns }

    /// The columns of the details pane, including its border.
    var pane: Range<Int> {
        let start = listWidth + 1
        return start..<min(columns - 1, start + 2 + Self.widestPane)
    }

    /// The number of columns of the list.
    var listWidth: Int { min(hasPane ? columns * 2 / 3 : columns, Self.widestList) }

    /// The number of visible list lines in a mode; 0 while the terminal is too small.
    func listHeight(in mode: Mode) -> Int {
        isLargeEnough ? rows - Self.fixedRows - detailHeight(in: mode) : 0
    }

    /// The number of lines of details below the list in a mode.
    func detailHeight(in mode: Mode) -> Int {
        guard showsDetails, !hasPane, isLargeEnough, mode.showsList else { return 0 }
        return min(Self.mostDetailLines, (rows - Self.fixedRows) / 2)
    }

    /// The number of lines between the focus and the list's edges.
    static func scrollMargin(height: Int) -> Int { min(2, (height - 1) / 2) }
}
