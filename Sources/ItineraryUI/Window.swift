/// The terminal's size in cells, and how it is shared out: a line above the list, two below it, and the details beside or
/// below the list.
struct Window: Sendable {
    private(set) var columns = 0
    private(set) var rows = 0
    /// Whether the details are below the list where there is no room beside it.
    private(set) var showsDetails = false

    /// The least that the editor draws on.
    static let least = (columns: 40, rows: 10)
    /// The rows of the screen that are not the list: the top line, the status line and the bar.
    private static let fixedRows = 3
    /// The screen's row of the first line of the list.
    static let listRow = 1
    /// From this width on the details of the row in focus are beside the list.
    private static let paneColumns = 110
    /// The widest list: beyond it the details would be too far from their titles.
    private static let widestList = 100
    private static let widestPane = 70
    private static let mostDetailLines = 10
    /// From this width on there is room for words that could be left out.
    private static let roomyColumns = 60

    mutating func resize(columns: Int, rows: Int) {
        (self.columns, self.rows) = (max(columns, 0), max(rows, 0))
    }

    mutating func toggleDetails() { showsDetails.toggle() }

    var isLargeEnough: Bool { columns >= Self.least.columns && rows >= Self.least.rows }

    var isRoomy: Bool { columns >= Self.roomyColumns }

    /// Whether the details are beside the list.
    var hasPane: Bool { columns >= Self.paneColumns }

    /// The columns of the pane beside the list, its edge included.
    var pane: Range<Int> {
        let start = listWidth + 1
        return start..<min(columns - 1, start + 2 + Self.widestPane)
    }

    /// The columns of the list.
    var listWidth: Int { min(hasPane ? columns * 2 / 3 : columns, Self.widestList) }

    /// How many lines of the list are on the screen, in a mode; 0 while the terminal is too small.
    func listHeight(in mode: Mode) -> Int {
        isLargeEnough ? rows - Self.fixedRows - detailHeight(in: mode) : 0
    }

    /// How many lines below the list the details take, in a mode.
    func detailHeight(in mode: Mode) -> Int {
        guard showsDetails, !hasPane, isLargeEnough, mode.showsList else { return 0 }
        return min(Self.mostDetailLines, (rows - Self.fixedRows) / 2)
    }

    /// How many lines are kept between the focus and the edges of a list.
    static func scrollMargin(height: Int) -> Int { min(2, (height - 1) / 2) }
}
