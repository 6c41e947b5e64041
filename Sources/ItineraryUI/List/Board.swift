import TripModel

/// The shown trip: its rows, the focused one, and the scroll position.
///
/// The rows always match the view, and one of them is focused. Folded runs of empty days are unfolded during
/// a drag, because they are possible targets.
struct Board: Sendable {
    /// The newest view.
    private(set) var view: TripView
    /// The trip as rows.
    private(set) var outline: Outline
    /// The focused row.
    private(set) var cursor: Int
    /// The first visible line of the list; `reveal` keeps it valid.
    private(set) var top = 0
    /// Whether runs of empty days are folded to one line each, except during a drag.
    private(set) var foldsEmptyDays = false
    private var isOpen = false
    /// An item that gets the focus when a view contains it.
    private var awaited: (item: ItemID, until: Duration?)?

    /// The day of the trip now, by the clock of where the travellers are; nil before and after the trip.
    private(set) var today: Int?
    /// The minute for which `today` was computed.
    private var minute: Int64?

    /// Shows a trip with the focus on today while the trip lasts, else on its first item.
    ///
    /// - Parameter now: seconds since 1970.
    init(_ view: TripView, at now: Int64 = 0) {
        self.view = view
        outline = Outline(view.trip, problems: view.problems)
        let outline = outline
        let rows = outline.inside
        cursor = rows.first { outline.item(atRow: $0) != nil } ?? rows.lowerBound
        findToday(at: now)
        if let row = today.flatMap(outline.headerRow) {
            cursor = row
            // Scrolling back from the end leaves the day near the top.
            top = outline.rows.count
        }
    }

    /// Finds the present day again, if a minute has passed.
    mutating func findToday(at now: Int64) {
        guard minute != now / 60 else { return }
        minute = now / 60
        today = outline.clocks.day(at: now).flatMap { view.trip.header.days.contains($0) ? $0 : nil }
    }

    /// The focused item; nil on a heading.
    var item: Item? { outline.item(atRow: cursor) }

    // MARK: Rows

    /// Shows a new view; returns whether rows may have changed.
    @discardableResult
    mutating func show(_ new: TripView, at now: Int64 = 0) -> Bool {
        let isChanged = new.trip != view.trip || new.problems != view.problems
        view = new
        if isChanged {
            remake()
            minute = nil
        }
        findToday(at: now)
        return isChanged
    }

    /// Unfolds all days for a drag.
    mutating func unfold() { setOpen(true) }

    /// Folds days again after a drag.
    mutating func foldAgain() { setOpen(false) }

    mutating func toggleFolding() {
        foldsEmptyDays.toggle()
        remake()
    }

    /// The rows with all days unfolded.
    var openOutline: Outline {
        outline.foldedDayCount == 0 ? outline : Outline(view.trip, problems: view.problems)
    }

    private mutating func setOpen(_ isOpen: Bool) {
        guard isOpen != self.isOpen else { return }
        self.isOpen = isOpen
        if foldsEmptyDays { remake() }
    }

    /// Builds the rows again. The focus stays on its item or day. If that is gone, it goes to the nearest
    /// remaining item of its day, preferably below, else to the day.
    private mutating func remake() {
        let old = outline
        let new = Outline(view.trip, problems: view.problems, folding: foldsEmptyDays && !isOpen)
        outline = new
        if let row = new.row(of: old.rows[cursor]) {
            cursor = row
            return
        }
        let day = old.place(ofRow: cursor).day
        func survivor(_ row: ListRow) -> Int? {
            guard case .item(let id) = row, new.trip[id]?.position.day == day else { return nil }
            return new.row(of: id)
        }
        let rows = old.dayRows(around: cursor)
        cursor =
            old.rows[cursor..<rows.upperBound].dropFirst().lazy.compactMap(survivor).first
            ?? old.rows[rows.lowerBound..<cursor].reversed().lazy.compactMap(survivor).first
            ?? new.headerRow(ofDay: day)
            ?? (day < 1 ? new.inside.lowerBound : new.inside.upperBound - 1)
    }

    // MARK: Focus and scrolling

    /// Moves the focus to a row, or the nearest valid one.
    mutating func focus(row: Int) {
        cursor = min(max(row, 0), outline.rows.count - 1)
    }

    /// Gives an item the focus when a view contains it, or at a later `takeAwaited`.
    ///
    /// - Parameter time: a time limit; nil for none.
    mutating func wait(for item: ItemID?, until time: Duration? = nil) { awaited = item.map { ($0, time) } }

    /// The row of the awaited item, once, if it is there in time.
    mutating func takeAwaited(at now: Duration) -> Int? {
        guard let (item, time) = awaited, let row = outline.row(of: item) else { return nil }
        awaited = nil
        return time.map { now <= $0 } ?? true ? row : nil
    }

    /// Scrolls down, or up if negative.
    mutating func scroll(by lines: Int) { top += lines }

    /// Scrolls as little as possible so that a line and its surroundings are visible.
    mutating func reveal(line: Int, margin: Int, of count: Int, height: Int) {
        var top = min(top, line - margin)
        top = max(top, line + margin - height + 1)
        self.top = min(max(top, 0), max(0, count - height))
    }
}

/// The contents of the list's lines: the outline's rows without the lifted one, and additional lines in gaps.
///
/// Small and computed on demand: only the lines in gaps are stored.
struct ListLayout: Sendable {
    /// The content of a line.
    enum Line: Hashable, Sendable {
        /// A row of the outline.
        case row(Int)
        /// The target of the dragged item.
        case landing
        /// A later day of a stay: the index of the heading in `Outline.stays`, and that of the line below it.
        case stay(Int, Int)
    }

    /// A line in a gap.
    struct Insertion: Sendable {
        /// The number of rows above it, without the lifted one.
        let boundary: Int
        let line: Line
    }

    private let rowCount: Int
    private let liftedRow: Int?
    private let insertions: [Insertion]

    /// - Parameters:
    ///   - rowCount: the number of rows of the outline.
    ///   - liftedRow: the row of the dragged item.
    ///   - insertions: insertions with equal boundaries keep their order.
    init(rowCount: Int, liftedRow: Int?, insertions: [Insertion]) {
        self.rowCount = rowCount
        self.liftedRow = liftedRow
        self.insertions = insertions.enumerated()
            .sorted { ($0.element.boundary, $0.offset) < ($1.element.boundary, $1.offset) }.map(\.element)
    }

    /// The number of lines.
    var count: Int { rowCount - (liftedRow == nil ? 0 : 1) + insertions.count }

    subscript(line: Int) -> Line {
        precondition(line >= 0 && line < count, "the line is one of the list")
        var above = 0
        for insertion in insertions {
            let place = insertion.boundary + above
            if place == line { return insertion.line }
            if place > line { break }
            above += 1
        }
        return .row(row(remaining: line - above))
    }

    /// The line of a row of the outline; nil for the lifted one.
    func line(ofRow row: Int) -> Int? {
        guard row != liftedRow else { return nil }
        let remaining = remaining(row: row)
        return remaining + insertions.count { $0.boundary <= remaining }
    }

    /// The line of the dragged item's target.
    var landingLine: Int? {
        insertions.firstIndex { $0.line == .landing }.map { insertions[$0].boundary + $0 }
    }

    /// A row's index among the remaining ones.
    private func remaining(row: Int) -> Int {
        liftedRow.map { row > $0 ? row - 1 : row } ?? row
    }

    private func row(remaining: Int) -> Int {
        liftedRow.map { remaining >= $0 ? remaining + 1 : remaining } ?? remaining
    }
}
