/// One column of one row: a cluster and its style, or the right half of a wide one.
package struct Cell: Hashable, Sendable {
    /// The part of a cluster that a cell holds.
    package enum Span: Hashable, Sendable {
        /// A whole cluster of one column.
        case narrow
        /// The left half of a cluster of two columns; the next cell is its continuation.
        case wide
        /// The right half of the cluster in the cell before.
        case continuation
    }

    /// The cluster; a space in a continuation.
    package let grapheme: Character
    /// Its style.
    package internal(set) var style: Style
    /// The part of a character that the cell holds.
    package let span: Span

    /// An empty cell of the terminal's own background.
    package static let blank = Cell(" ", .plain, .narrow)

    init(_ grapheme: Character, _ style: Style, _ span: Span) {
        self.grapheme = grapheme
        self.style = style
        self.span = span
    }
}
