import Foundation

/// The trip's own fields, besides its items.
public struct TripHeader: Equatable, Sendable {
    /// The trip's permanent id.
    public let id: TripID
    /// Its short name in commands, `[a-z0-9][a-z0-9-]{0,62}`, unique in a daemon.
    @Verbatim public var slug: String
    /// The display name.
    @Verbatim public var name: String
    /// The date of day 1.
    public var startDate: CalendarDate
    /// The default IANA zone of games.
    @Verbatim public var timeZone: String
    /// The number of days, 1…366.
    public var dayCount: Int
    /// The exchange rates of its costs, as `ExchangeRates` reads them; empty if there are none.
    @Verbatim public var rates: String
    /// The keys of accepted problems (`Problem.key`).
    public var acceptedProblems: Set<String>
    /// The things to do, in the order in which they were added.
    public var todo: [TodoEntry]

    /// Makes a header.
    public init(
        id: TripID, slug: String, name: String, startDate: CalendarDate, timeZone: String, dayCount: Int,
        rates: String = "", acceptedProblems: Set<String> = [], todo: [TodoEntry] = []
    ) {
        self.id = id
        self.slug = slug
        self.name = name
        self.startDate = startDate
        self.timeZone = timeZone
        self.dayCount = dayCount
        self.rates = rates
        self.acceptedProblems = acceptedProblems
        self.todo = todo
    }

    /// The days of the trip, from 1.
    public var days: ClosedRange<Int> { 1...dayCount }

    /// The day number of a date: calendar days since the start date, + 1 (R-DAY).
    public func dayNumber(of date: CalendarDate) -> Int {
        date.daysSince1970 - startDate.daysSince1970 + 1
    }

    /// The date of a day number; nil outside the supported years.
    public func date(ofDay day: Int) -> CalendarDate? {
        let (daysLater, overflow) = day.subtractingReportingOverflow(1)
        return overflow ? nil : startDate.adding(days: daysLater)
    }
}

extension TripHeader {
    /// The slug of a name, reduced to `a-z`, `0-9` and single hyphens; empty if nothing is left.
    ///
    /// All slugs of names are made here, so a search by name finds the slug that was made from it.
    package static func slug(of name: String) -> String {
        let folded = name.folding(
            options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        var slug = ""
        for scalar in folded.lowercased().unicodeScalars {
            switch scalar {
            case "a"..."z", "0"..."9": slug.unicodeScalars.append(scalar)
            default:
                if let letters = lettersWithoutBase[scalar] {
                    slug += letters
                } else if !slug.isEmpty, slug.last != "-" {
                    slug.append("-")
                }
            }
        }
        slug = String(slug.prefix(63))
        while slug.last == "-" { slug.removeLast() }
        return isSlug(slug) ? slug : ""
    }

    /// Letters that do not decompose into a base letter and a mark, with their usual replacements.
    private static let lettersWithoutBase: [Unicode.Scalar: String] = [
        "æ": "ae", "ð": "d", "ø": "o", "þ": "th", "ß": "ss", "đ": "d", "ħ": "h", "ı": "i", "ĸ": "k", "ł": "l",
        "ŋ": "ng", "œ": "oe", "ŧ": "t", "ə": "e", "ƒ": "f",
    ]
}
