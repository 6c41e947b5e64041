import Foundation
import Testing
import TripModel

@Suite struct CalendarDateTests {
    @Test func `R-DAY: dates agree with Foundation's calendar on every day of 1900 to 2200`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        let first = try #require(CalendarDate("1900-01-01"))
        let last = try #require(CalendarDate("2200-12-31"))
        var expected = first
        for days in first.daysSince1970...last.daysSince1970 {
            let instant = Date(timeIntervalSince1970: Double(days) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: instant)
            let date = try #require(CalendarDate(daysSince1970: days))
            guard date.year == parts.year, date.month == parts.month, date.day == parts.day,
                date.daysSince1970 == days, parts.weekday.map({ ($0 + 5) % 7 }) == date.weekday,
                date == expected
            else {
                Issue.record("\(date) is not what Foundation says of day \(days): \(parts)")
                return
            }
            expected = try #require(date.adding(days: 1))
        }
    }

    @Test func `R-DAY: a date's day number converts back, for all supported years`() throws {
        for year in CalendarDate.years {
            for (month, day) in [(1, 1), (2, 28), (3, 1), (12, 31)] {
                let date = try #require(CalendarDate(year: year, month: month, day: day))
                guard CalendarDate(daysSince1970: date.daysSince1970) == date,
                    CalendarDate(date.description) == date
                else {
                    Issue.record("\(date) does not come back")
                    return
                }
            }
        }
        let first = try #require(CalendarDate("1583-01-01"))
        let last = try #require(CalendarDate("9999-12-31"))
        #expect(first.adding(days: -1) == nil && last.adding(days: 1) == nil)
        #expect(first.adding(days: .min) == nil && last.adding(days: .max) == nil)
        #expect(first.adding(days: last.daysSince1970 - first.daysSince1970) == last)
        #expect(first < last)
    }

    @Test(arguments: [
        (2026, 2, 29), (2100, 2, 29), (2026, 4, 31), (2026, 13, 1), (2026, 0, 1), (2026, 1, 0),
        (1582, 12, 31),
        (10_000, 1, 1), (2026, 6, -1),
    ])
    func `nonexistent days are rejected`(year: Int, month: Int, day: Int) {
        #expect(CalendarDate(year: year, month: month, day: day) == nil)
    }

    @Test(arguments: [
        "2026-6-11", "2026-06-11 ", " 2026-06-11", "20260611", "2026-06-11T00:00:00Z", "26-06-11",
        "+026-06-11",
        "２０２６-06-11", "2026-02-29", "2026/06/11", "", "2026-06-1",
    ])
    func `only the form 2026-06-11 is accepted`(text: String) {
        #expect(CalendarDate(text) == nil)
    }

    @Test func `a date is written in the form in which it is read`() throws {
        let date = try #require(CalendarDate(year: 2028, month: 2, day: 29))
        #expect(date.description == "2028-02-29")
        #expect(CalendarDate("2028-02-29") == date)
    }
}
