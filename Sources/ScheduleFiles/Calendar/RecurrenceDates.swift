import TripModel

/// A budget for expanding the rules of one file, so that a hostile file cannot take forever.
package struct RecurrenceWork {
    /// The number of days that may still be visited.
    private(set) var left: Int

    /// The budget for a whole file: six daily rules over all supported years.
    package static let limit = 20_000_000

    init(limit: Int = Self.limit) { left = limit }

    /// Spends part of the budget; returns false if it is used up.
    mutating func spend(_ steps: Int) -> Bool {
        left -= steps
        return left >= 0
    }
}

/// The days of a rule after its first, in order, as days since 1970.
///
/// Days before `notBefore` are skipped, by arithmetic if they need not be counted. Days after `notAfter` are
/// left out.
struct RecurrenceDates {
    private let rule: RecurrenceRule
    private let start: CalendarDate
    private let notAfter: Int
    /// The number of the next period: days, weeks, months or years since that of the start.
    private var period = 0
    /// The remaining days of the present period, in reverse order.
    private var pending: [Int] = []

    init(_ rule: RecurrenceRule, from start: CalendarDate, notBefore: Int, notAfter: Int) {
        self.rule = rule
        self.start = start
        self.notAfter = notAfter
        guard rule.count == nil else { return }
        // One period less, because periods differ in length.
        let passed = max(0, notBefore - start.daysSince1970) / Self.longestPeriod(rule.frequency) - 1
        if passed > 0 { period = passed / rule.interval * rule.interval }
    }

    /// The next day; nil after the last one, or if the budget is used up.
    mutating func next(_ work: inout RecurrenceWork) -> Int? {
        while pending.isEmpty {
            guard let first = firstDay(ofPeriod: period), first <= notAfter,
                work.spend(Self.longestPeriod(rule.frequency))
            else { return nil }
            let days = atListedPositions(days(ofPeriodFrom: first).sorted())
            let (next, overflow) = period.addingReportingOverflow(rule.interval)
            if overflow { return nil }
            period = next
            pending = days.filter { $0 > start.daysSince1970 }.reversed()
        }
        guard let day = pending.popLast(), day <= notAfter else { return nil }
        return day
    }

    private static func longestPeriod(_ frequency: RecurrenceRule.Frequency) -> Int {
        switch frequency {
        case .daily: 1
        case .weekly: 7
        case .monthly: 31
        case .yearly: 366
        }
    }

    // MARK: Periods

    private func firstDay(ofPeriod period: Int) -> Int? {
        switch rule.frequency {
        case .daily: return sum(start.daysSince1970, period)
        case .weekly:
            let intoWeek = (start.weekday - rule.weekStart + 7) % 7
            let (days, overflow) = period.multipliedReportingOverflow(by: 7)
            return overflow ? nil : sum(start.daysSince1970 - intoWeek, days)
        case .monthly:
            guard let months = sum(start.year * 12 + start.month - 1, period) else { return nil }
            return CalendarDate(year: months / 12, month: months % 12 + 1, day: 1)?.daysSince1970
        case .yearly:
            guard let year = sum(start.year, period) else { return nil }
            return CalendarDate(year: year, month: 1, day: 1)?.daysSince1970
        }
    }

    private func sum(_ left: Int, _ right: Int) -> Int? {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? nil : sum
    }

    private func days(ofPeriodFrom first: Int) -> [Int] {
        guard let date = CalendarDate(daysSince1970: first) else { return [] }
        switch rule.frequency {
        case .daily: return isOnListedDay(date) ? [first] : []
        case .weekly:
            let weekdays = rule.weekdays.isEmpty ? [start.weekday] : rule.weekdays.map(\.weekday)
            return (first..<first + 7).filter { day in
                guard let date = CalendarDate(daysSince1970: day) else { return false }
                return weekdays.contains(date.weekday) && isInListedMonth(date) && isOnListedMonthDay(date)
            }
        case .monthly: return isInListedMonth(date) ? days(ofMonth: date) : []
        case .yearly: return days(ofYear: date.year)
        }
    }

    private func atListedPositions(_ days: [Int]) -> [Int] {
        guard !rule.positions.isEmpty else { return days }
        return days.indices.filter { index in
            rule.positions.contains { $0 == index + 1 || $0 == index - days.count }
        }.map { days[$0] }
    }

    // MARK: Days of a month and a year

    private func days(ofMonth first: CalendarDate) -> [Int] {
        let month = first.daysSince1970..<first.daysSince1970 + first.daysInMonth
        if !rule.monthDays.isEmpty {
            let days = month.filter { CalendarDate(daysSince1970: $0).map(isOnListedMonthDay) ?? false }
            return rule.weekdays.isEmpty ? days : days.filter { matchesWeekday($0, within: month) }
        }
        if !rule.weekdays.isEmpty { return month.filter { matchesWeekday($0, within: month) } }
        return start.day <= month.count ? [month.lowerBound + start.day - 1] : []
    }

    private func days(ofYear year: Int) -> [Int] {
        guard let first = CalendarDate(year: year, month: 1, day: 1) else { return [] }
        let end = CalendarDate(year: year, month: 12, day: 31).map { $0.daysSince1970 + 1 }
        let days = first.daysSince1970..<(end ?? first.daysSince1970)
        if !rule.yearDays.isEmpty {
            return days.filter { day in
                let number = day - days.lowerBound
                return rule.yearDays.contains { $0 == number + 1 || $0 == number - days.count }
                    && CalendarDate(daysSince1970: day).map(isOnListedDay) ?? false
            }
        }
        if rule.months.isEmpty, rule.monthDays.isEmpty, !rule.weekdays.isEmpty {
            return days.filter { matchesWeekday($0, within: days) }
        }
        let hasDays = !rule.monthDays.isEmpty || !rule.weekdays.isEmpty
        let months = rule.months.isEmpty ? (hasDays ? Set(1...12) : [start.month]) : rule.months
        return months.flatMap { month in
            CalendarDate(year: year, month: month, day: 1).map(days(ofMonth:)) ?? []
        }
    }

    /// Whether a day is one of the rule's days of the week; an ordinal counts within the given days.
    private func matchesWeekday(_ day: Int, within days: Range<Int>) -> Bool {
        guard let weekday = CalendarDate(daysSince1970: day)?.weekday else { return false }
        let fromFront = (day - days.lowerBound) / 7 + 1
        let fromBack = -((days.upperBound - 1 - day) / 7 + 1)
        return rule.weekdays.contains {
            $0.weekday == weekday && ($0.ordinal == 0 || $0.ordinal == fromFront || $0.ordinal == fromBack)
        }
    }

    private func isOnListedDay(_ date: CalendarDate) -> Bool {
        isInListedMonth(date) && isOnListedMonthDay(date)
            && (rule.weekdays.isEmpty || rule.weekdays.contains { $0.weekday == date.weekday })
    }

    private func isInListedMonth(_ date: CalendarDate) -> Bool {
        rule.months.isEmpty || rule.months.contains(date.month)
    }

    private func isOnListedMonthDay(_ date: CalendarDate) -> Bool {
        rule.monthDays.isEmpty
            || rule.monthDays.contains { $0 == date.day || $0 == date.day - 1 - date.daysInMonth }
    }
}

extension CalendarDate {
    fileprivate var daysInMonth: Int {
        let next = month == 12 ? nil : CalendarDate(year: year, month: month + 1, day: 1)
        guard let next, let first = CalendarDate(year: year, month: month, day: 1) else { return 31 }
        return next.daysSince1970 - first.daysSince1970
    }
}
