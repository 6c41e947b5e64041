import TerminalCore
import TripModel

/// The texts at the right of an item's row, in columns, so that they can be compared: the arrival, what it is, the city, the
/// duration and the cost.
struct RowCells: Sendable {
    /// In the order of the columns; empty without a text.
    let texts: [String]

    /// - Parameters:
    ///   - arrival: the arrival of travel.
    ///   - zone: the zone of the item's times, if not the trip's.
    init(of content: ItemContent, arrival: String?, zone: String?) {
        let what: [String?]
        var (city, minutes): (String?, Int?)
        switch content {
        case .game(let game):
            what = game.absence + [zone]
            city = game.effectiveCity
        case .travel(let travel):
            what = [zone, travel.mode]
            minutes = travel.durationMinutes
        case .custom(let custom):
            let nights = custom.nights.flatMap { $0 > 0 ? $0 == 1 ? "1 night" : "\($0) nights" : nil }
            what = [zone, nights]
            (city, minutes) = (custom.city, custom.durationMinutes)
        }
        let cost: String? =
            if case .cost(let cost)? = content[.cost] { CostText.shown(cost) } else {
                nil
            }
        texts = [
            arrival, what.compactMap(\.self).joined(separator: " · "), city,
            minutes.map(DateText.text(ofMinutes:)), cost,
        ].map { $0 ?? "" }
    }

    /// The texts in one line, without the cost.
    var line: String { texts.dropLast().filter { !$0.isEmpty }.joined(separator: " · ") }

    /// The widths of the columns of all items; 0 for a column without a text.
    struct Widths: Equatable, Sendable {
        private(set) var columns = [Int](repeating: 0, count: 5)
        /// A longer text is not in the columns.
        private static let widest = [10, 12, 16, 11, 14]
        private static let space = 2
        /// The columns that titles keep.
        private static let leastTitle = 20
        /// The width of a list from which it has a column for costs.
        private static let widthWithCosts = 88

        /// Makes room for the texts of an item.
        mutating func include(_ cells: RowCells) {
            for (index, text) in cells.texts.enumerated() {
                let width = TextWidth.columns(of: text)
                if width <= Self.widest[index] { columns[index] = max(columns[index], width) }
            }
        }

        /// The columns of the cells in a list; nil if titles would have too little room.
        ///
        /// - Parameter title: the first column of titles.
        func ranges(in width: Int, behind title: Int) -> [Range<Int>]? {
            var end = width - 1
            var ranges: [Range<Int>] = []
            for (index, column) in columns.enumerated().reversed() {
                let isShown = column > 0 && (index < 4 || width >= Self.widthWithCosts)
                let start = isShown ? end - column : end
                ranges.insert(start..<end, at: 0)
                if isShown { end = start - Self.space }
            }
            return end - title >= Self.leastTitle ? ranges : nil
        }
    }
}
