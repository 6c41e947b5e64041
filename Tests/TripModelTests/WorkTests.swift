import Testing
import TripModel

/// Every step of a trip is at most linear in its items and operations, apart from log factors.
///
/// The tests count work and measure no time.
@Suite struct WorkTests {
    private static let author = TripFixture.author

    private static func id(_ number: Int) -> ItemID {
        // Scattered, so that ids are not in the order of creation.
        ItemID(high: UInt64(truncatingIfNeeded: number &* 0x1E37_79B9_7F4A_7C15), low: UInt64(number))
    }

    private static func custom(_ number: Int, day: Int) -> Edit {
        .add(id(number), TripFixture.custom("c\(number)"), to: .end(day: day))
    }

    private static func game(_ gameID: String, _ start: String, city: String) throws -> ItemContent {
        .game(
            Game(gameID: gameID, title: gameID, city: city, startsAt: try #require(OffsetDateTime(start))))
    }

    /// A step at a given size.
    struct Step: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (_ size: Int) throws -> Int
    }

    private static func filled(_ size: Int, days: Int) throws -> Trip {
        try Trip.create(
            try TripFixture.header(days: days), edits: (0..<size).map { custom($0, day: 1 + $0 % days) },
            by: author)
    }

    private static func sameMinute(_ size: Int) throws -> [Edit] {
        try (0..<size).map { number in
            .add(id(number), try game("g\(99_999 - number)", "2026-06-12T12:00:00Z", city: "Rome"), to: nil)
        }
    }

    private static func scheduled(_ size: Int) throws -> Trip {
        let edits = try (0..<size).map { number in
            let clock = [number / 60 % 24, number % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(
                separator: ":")
            return Edit.add(
                id(number),
                try game("g\(number)", "2026-06-1\(number % 9 + 1)T\(clock):00Z", city: "c\(number % 9)"),
                to: nil)
        }
        return try Trip.create(try TripFixture.header(days: 30), edits: edits, by: author)
    }

    private static func work(_ trip: inout Trip, _ body: (inout Trip) throws -> Void) rethrows -> Int {
        let before = trip.work
        try body(&trip)
        return trip.work - before
    }

    @Test(arguments: steps)
    func `twice the size costs at most a little more than twice the work`(step: Step) throws {
        let small = try step.run(700)
        let large = try step.run(1_400)
        #expect(small > 0)
        #expect(Double(large) < 2.6 * Double(small) + 1_000, "\(small) → \(large)")
    }

    @Test func `many changes of the trip in a row cost about as much as the last one alone`() throws {
        func cost(_ trip: Trip, _ changes: [TripChange]) throws -> Int {
            var trip = trip
            return try Self.work(&trip) { _ = try $0.apply(changes.map { .trip($0) }, by: Self.author) }
        }
        let spread = try Self.filled(2_000, days: 129)
        let lost = (1...128).map { TripChange(dayCount: 129 - $0) }
        #expect(try cost(spread, lost) < 2 * cost(spread, [lost[127]]))
        let scheduled = try Self.scheduled(2_000)
        let starts = (1...64).map { TripChange(startDate: scheduled.header.startDate.adding(days: $0)) }
        #expect(try cost(scheduled, starts) < 2 * cost(scheduled, [starts[63]]))
        let zones = (1...63).map { TripChange(timeZone: $0 % 2 == 0 ? "Asia/Tokyo" : "Europe/Rome") }
        #expect(try cost(scheduled, zones) < 2 * cost(scheduled, [zones[62]]))
    }

    /// Edits that each visit a whole day, or the whole schedule.
    private static func circles(_ size: Int) throws -> [(trip: Trip, edits: [Edit])] {
        let crowded = try filled(size, days: 1)
        let respacing = (1..<size / 2).flatMap { number in
            [
                Edit.move(id(number), to: .order(1.000_000_000_01, day: 1)),
                .move(id(size / 2 + number), to: .after(id(0), day: 1)),
            ]
        }
        let scheduled = try scheduled(size)
        let zones = (1..<size / 2).flatMap { number in
            [
                Edit.trip(TripChange(timeZone: number % 2 == 0 ? "UTC" : "Asia/Tokyo")),
                .update(id(1), [.title("t\(number)")]),
            ]
        }
        let minute = try sameMinute(size).enumerated().flatMap { number, add in
            [add, custom(20_000 + number, day: 2)]
        }
        return [
            (crowded, respacing), (scheduled, zones),
            (Trip(empty: try TripFixture.header()), minute),
        ]
    }

    @Test func `edits that visit the same items again and again exceed a limit, and change nothing`() throws {
        for (number, (trip, edits)) in try Self.circles(3_000).enumerated() {
            var trip = trip
            let before = trip
            let work = trip.work
            do throws(EditFailure) {
                _ = try trip.apply(edits, by: Self.author)
                Issue.record("case \(number) is no limit")
            } catch {
                #expect(error.rejection == .limitExceeded(.rearrangements, field: "ops"))
                #expect(trip == before)
                #expect(trip.work - work < 40 * TripLimits.rearrangements, "case \(number)")
            }
            // A few of them are allowed.
            _ = try trip.apply(Array(edits.prefix(8)), by: Self.author)
        }
    }

    static let steps: [Step] = [
        Step(testDescription: "creating items of one day") { size in
            try filled(size, days: 1).work
        },
        Step(testDescription: "losing all days but one") { size in
            var trip = try filled(size, days: 100)
            return try work(&trip) { _ = try $0.apply([.trip(TripChange(dayCount: 1))], by: author) }
        },
        Step(testDescription: "taking the loss of days back") { size in
            var trip = try filled(size, days: 100)
            let commit = try trip.apply([.trip(TripChange(dayCount: 1))], by: author)
            return try work(&trip) { _ = try $0.apply(reversing: commit, by: author) }
        },
        Step(testDescription: "putting all back between neighbours") { size in
            var trip = try filled(size, days: 1)
            let commit = try trip.apply(
                [.trip(TripChange(dayCount: 2))] + (0..<size).map { .move(id($0), to: .end(day: 2)) },
                by: author)
            return try work(&trip) { _ = try $0.apply(reversing: commit, by: author) }
        },
        Step(testDescription: "creating games of one minute, the last name first") { size in
            let edits = try sameMinute(size)
            return try Trip.create(try TripFixture.header(), edits: edits, by: author).work
        },
        Step(testDescription: "removing games of one minute") { size in
            var trip = try Trip.create(try TripFixture.header(), edits: try sameMinute(size), by: author)
            return try work(&trip) { _ = try $0.apply((0..<size / 2).map { .remove(id($0)) }, by: author) }
        },
        Step(testDescription: "travels that look for a place of their own, each between others") { size in
            var edits = try (0..<size).map { number in
                Edit.add(
                    id(50_000 + number),
                    try game(
                        "g\(number)", "2026-06-12T\(10 + number % 12):\(10 + number / 12 % 50):00Z",
                        city: "c\(number)"),
                    to: nil)
            }
            edits += (0..<size).map {
                .add(id($0), TripFixture.travel("c\($0)", "Oslo"), to: nil)
            }
            return try Trip.create(try TripFixture.header(), edits: edits, by: author).work
        },
        Step(testDescription: "moves within one day") { size in
            var trip = try filled(size, days: 1)
            return try work(&trip) { trip in
                _ = try trip.apply(
                    (0..<size).map { .move(id($0), to: .after(id(($0 * 7 + 3) % size), day: 1)) }, by: author)
            }
        },
    ]
}
