import TripModel

/// Reads dates in the forms of spreadsheets: `2027-04-03`, `3.4.2027`, `3/4/2027`, `4/3/2027`. Whether
/// slashes mean day or month first is decided by all dates of the column.
struct TableDates {
    private var hasDayFirst = false
    private var hasMonthFirst = false

    /// - Parameter texts: the cells of the column.
    init(_ texts: some Sequence<String>) {
        for text in texts {
            guard let (first, second, _) = Self.parts(of: text, "/") else { continue }
            if first > 12 { hasDayFirst = true }
            if second > 12 { hasMonthFirst = true }
        }
    }

    /// The date of a cell.
    func date(_ text: String) throws(FieldText.Fault) -> CalendarDate {
        let text = EntryText.trimmed(text) ?? text
        let fault = FieldText.Fault(reason: "\(shown(text)) is not a date; an example is 2026-06-11")
        if let date = CalendarDate(text) { return date }
        if let (day, month, year) = Self.parts(of: text, ".") {
            guard let date = CalendarDate(year: year, month: month, day: day) else { throw fault }
            return date
        }
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
        guard parts.count == 3, parts[2].utf8.count == 4,
            parts.allSatisfy({ (1...4).contains($0.utf8.count) }),
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let first = Int(parts[0]), let second = Int(parts[1]), let year = Int(parts[2])
        else { return nil }
        return (first, second, year)
    }
}
