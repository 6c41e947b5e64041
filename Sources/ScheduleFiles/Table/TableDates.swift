import TripModel

/// Reads dates in the forms of spreadsheets: `2027-04-03`, `3.4.27`, `3/4/2027`, `4/3/2027`, `Saturday, 3 April 2027`.
/// Whether slashes mean day or month first is decided by all dates of the column.
struct TableDates {
    private var hasDayFirst = false
    private var hasMonthFirst = false

    /// - Parameters:
    ///   - texts: the cells of the column.
    ///   - hasMonthFirst: whether the month is known to be first, unless a date cannot be so.
    init(_ texts: some Sequence<String>, hasMonthFirst: Bool = false) {
        for text in texts {
            guard let (first, second, _) = Self.parts(of: text, "/") else { continue }
            if first > 12 { hasDayFirst = true }
            if second > 12 { self.hasMonthFirst = true }
        }
        if hasMonthFirst, !hasDayFirst { self.hasMonthFirst = true }
    }

    /// The date of a cell.
    func date(_ text: String) throws(FieldText.Fault) -> CalendarDate {
        let text = EntryText.trimmed(text) ?? text
        let fault = FieldText.Fault(reason: "\(shown(text)) is not a date; an example is 2026-06-11")
        if let date = DateText.date(of: text, today: nil) { return date }
        guard let (first, second, year) = Self.parts(of: text, "/") else { throw fault }
        let dayFirst = CalendarDate(year: year, month: second, day: first)
        let monthFirst = CalendarDate(year: year, month: first, day: second)
        switch (hasDayFirst, hasMonthFirst) {
        case (true, false):
            if let dayFirst { return dayFirst }
        case (false, true):
            if let monthFirst { return monthFirst }
        default:
            if let date = dayFirst ?? monthFirst, dayFirst == monthFirst { return date }
            guard let dayFirst, let monthFirst else { break }
            throw FieldText.Fault(
                reason: "\(shown(text)) is ambiguous; write \(dayFirst) or \(monthFirst)")
        }
        throw fault
    }

    private static func parts(of text: String, _ separator: Character) -> (Int, Int, Int)? {
        let parts = text.filter { $0 != " " }.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count == 3, [2, 4].contains(parts[2].utf8.count),
            parts.allSatisfy({ (1...4).contains($0.utf8.count) }),
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let first = Int(parts[0]), let second = Int(parts[1]), let year = Int(parts[2])
        else { return nil }
        return (first, second, year < 100 ? 2000 + year : year)
    }
}
