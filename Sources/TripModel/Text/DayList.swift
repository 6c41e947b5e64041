/// Days written as a list, such as `2-4, 7`; `all` are all days of the trip.
package enum DayList {
    /// A part of the list that is not a day.
    package struct NoDay: Error, Equatable {
        /// The part.
        package let text: String
    }

    /// The days in order, each once; they may be outside the trip.
    ///
    /// - Parameter day: the day of a word such as `3` or `1 Apr`; nil if it is none.
    package static func days(
        of text: String, in trip: ClosedRange<Int>, day: (String) -> Int?
    ) throws(NoDay) -> [Int] {
        var days: Set<Int> = []
        for part in text.split(separator: ",") {
            let part = part.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if let found = Self.days(ofPart: part, trip, day) {
                days.formUnion(found)
                continue
            }
            for word in part.split(separator: " ") {
                guard let found = Self.days(ofPart: String(word), trip, day) else {
                    throw NoDay(text: String(word))
                }
                days.formUnion(found)
            }
        }
        return days.sorted()
    }

    private static func days(
        ofPart part: String, _ trip: ClosedRange<Int>, _ day: (String) -> Int?
    ) -> ClosedRange<Int>? {
        if part.lowercased() == "all" { return trip }
        let ends = part.split(separator: "-").map { Int($0) }
        // Longer ranges than a trip can have are not listed.
        if ends.count == 2, let first = ends[0], let last = ends[1], first <= last {
            return first...min(last, max(first, trip.upperBound + 1))
        }
        return day(part).map { $0...$0 }
    }
}
