/// Which line of the list shows what: the outline's rows, less the lifted one, and between them the lines that
/// stand in gaps.
///
/// A small value made when it is needed: only the lines in gaps are stored.
struct ListLayout: Sendable {
    /// What one line of the list shows.
    enum Line: Hashable, Sendable {
        /// A row of the outline.
        case row(Int)
        /// Where the user's lifted item would go.
        case landing
    }

    /// A line in a gap.
    struct Insertion: Sendable {
        /// How many rows are above it, the lifted one taken out.
        let boundary: Int
        let line: Line
    }

    private let rowCount: Int
    private let liftedRow: Int?
    private let insertions: [Insertion]

    /// - Parameters:
    ///   - rowCount: the outline's rows.
    ///   - liftedRow: the row that has left its place.
    ///   - insertions: those with an equal boundary keep their order.
    init(rowCount: Int, liftedRow: Int?, insertions: [Insertion]) {
        self.rowCount = rowCount
        self.liftedRow = liftedRow
        self.insertions = insertions.sorted { $0.boundary < $1.boundary }
    }

    /// How many lines there are.
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

    /// The line where the user's lifted item would go.
    var landingLine: Int? {
        insertions.firstIndex { $0.line == .landing }.map { insertions[$0].boundary + $0 }
    }

    /// A row's number among those that are left.
    private func remaining(row: Int) -> Int {
        liftedRow.map { row > $0 ? row - 1 : row } ?? row
    }

    private func row(remaining: Int) -> Int {
        liftedRow.map { remaining >= $0 ? remaining + 1 : remaining } ?? remaining
    }
}
