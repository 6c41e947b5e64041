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
