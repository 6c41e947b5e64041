import TripModel

/// The trip on the screen: its rows, the one in focus, and how far the list is scrolled.
///
/// The rows are always those of the view, and the focus is always on one of them. Where runs of empty days are folded, they
/// are open while something is in hand, as it could go there.
struct Board: Sendable {
    /// The newest view that has come.
    private(set) var view: TripView
    /// Its trip as rows.
    private(set) var outline: Outline
    /// The row in focus.
    private(set) var cursor: Int
    /// The first line of the list on the screen; `reveal` brings it back to where there is a list.
    private(set) var top = 0
    /// Whether runs of days without items are a line each, while nothing is in hand.
    private(set) var foldsEmptyDays = false
    private var isOpen = false
    /// An item that takes the focus when a view has it.
    private var awaited: (item: ItemID, until: Duration?)?

    /// Opens a trip with the first item of its days in focus.
    init(_ view: TripView) {
        self.view = view
        outline = Outline(view.trip, problems: view.problems)
        let outline = outline
        let rows = outline.inside
        cursor = rows.first { outline.item(atRow: $0) != nil } ?? rows.lowerBound
    }

    /// The item in focus, if it is one.
    var item: Item? { outline.item(atRow: cursor) }

    // MARK: What there is

    /// Shows a view in place of the one before; whether its rows may be others.
    @discardableResult
    mutating func show(_ new: TripView) -> Bool {
        let isChanged = new.trip != view.trip || new.problems != view.problems
        view = new
        if isChanged { remake() }
        return isChanged
    }

    /// Opens every day, as something is taken in hand.
    mutating func unfold() { setOpen(true) }

    /// Folds again what was opened for something in hand.
    mutating func foldAgain() { setOpen(false) }

    mutating func toggleFolding() {
        foldsEmptyDays.toggle()
        remake()
    }

    /// The rows with every day open.
    var openOutline: Outline {
        outline.foldedDayCount == 0 ? outline : Outline(view.trip, problems: view.problems)
    }

    private mutating func setOpen(_ isOpen: Bool) {
        guard isOpen != self.isOpen else { return }
        self.isOpen = isOpen
        if foldsEmptyDays { remake() }
    }

    /// Makes the rows anew. The focus stays on its item or day, or goes to the nearest item that is left, those below first.
    private mutating func remake() {
        let old = outline
        let new = Outline(view.trip, problems: view.problems, folding: foldsEmptyDays && !isOpen)
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

    // MARK: Where the user looks

    /// Puts the focus on a row, or the nearest there is.
    mutating func focus(row: Int) {
        cursor = min(max(row, 0), outline.rows.count - 1)
    }

    /// Lets an item take the focus as soon as a view has it, or at the next `takeAwaited` that finds it.
    ///
    /// - Parameter time: when it is too late for that; nil for never.
    mutating func wait(for item: ItemID?, until time: Duration? = nil) { awaited = item.map { ($0, time) } }

    /// The row of the item that was waited for, once: where it is there, and in time.
    mutating func takeAwaited(at now: Duration) -> Int? {
        guard let (item, time) = awaited, let row = outline.row(of: item) else { return nil }
        awaited = nil
        return time.map { now <= $0 } ?? true ? row : nil
    }

    /// Scrolls down by some lines, or up.
    mutating func scroll(by lines: Int) { top += lines }

    /// Scrolls no further than needed to have a line on the screen, and some lines around it.
    mutating func reveal(line: Int, margin: Int, of count: Int, height: Int) {
        var top = min(top, line - margin)
        top = max(top, line + margin - height + 1)
        self.top = min(max(top, 0), max(0, count - height))
    }
}
