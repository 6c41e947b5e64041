import Foundation
import TestSupport
import Testing

@testable import TripModel

/// The zones of times, and the instants at which items begin.
@Suite struct ClockTests {
    private static let zones = ["Asia/Tokyo", "America/Los_Angeles", "Europe/Berlin", "UTC"]
    private static let cities = ["Tokyo", "Los Angeles", "Berlin", "Nowhere"]

    /// A game in Tokyo on day 2 at 13:00 and one in Los Angeles at 13:10 of the same date; the trip's zone is Tokyo's.
    private func overTheDateLine() throws -> TripFixture {
        var fixture = try TripFixture(start: "2027-04-01", zone: "Asia/Tokyo")
        _ = try fixture.add(try game("t", "Tokyo", "2027-04-02T13:00:00+09:00", "Asia/Tokyo"))
        _ = try fixture.add(try game("l", "Los Angeles", "2027-04-02T13:10:00-07:00", "America/Los_Angeles"))
        return fixture
    }

    private func game(_ id: String, _ city: String, _ start: String, _ zone: String?) throws -> ItemContent {
        .game(
            Game(
                gameID: id, title: id, city: city, startsAt: try #require(OffsetDateTime(start)),
                timeZone: zone))
    }

    private func flight(_ time: String, _ minutes: Int, from: String? = nil, to: String? = nil) -> ItemContent
    {
        .travel(
            Travel(
                fromCity: "Tokyo", toCity: "Los Angeles", durationMinutes: minutes, time: ClockTime(time),
                timeZone: from, arrivalTimeZone: to))
    }

    @Test func `a flight east over the date line that lands before the game is not a problem`() throws {
        var fixture = try overTheDateLine()
        let game = fixture.trip.shownIDs[0]
        let id = try fixture.add(flight("17:00", 600), to: .after(game, day: 2))
        #expect(fixture.trip.problems == [])
        let clocks = TripClocks(fixture.trip)
        #expect(clocks.zone(of: try fixture.item(id)) == "Asia/Tokyo")
        #expect(
            clocks.arrival(of: try fixture.item(id))
                == TripClocks.Arrival(
                    time: try #require(ClockTime("11:00")), dayOffset: 0, zone: "America/Los_Angeles"))
        #expect(clocks.timeNotes(of: try fixture.item(id)) == ["17:00 → 11:00", "Tokyo → Los Angeles time"])
        try fixture.apply(.update(id, [.durationMinutes(780)]))
        #expect(fixture.trip.problems.map(\.kind) == [.gamesInDifferentCities, .gamesOverlap])
    }

    @Test func `an arrival names the day before or after by its offset`() throws {
        var fixture = try overTheDateLine()
        let game = fixture.trip.shownIDs[0]
        let late = try fixture.add(flight("23:10", 430, to: "Asia/Tokyo"), to: .after(game, day: 2))
        let early = try fixture.add(flight("00:30", 600), to: .after(game, day: 2))
        let clocks = TripClocks(fixture.trip)
        #expect(clocks.arrivalText(of: try fixture.item(late)) == "→ 06:20 +1")
        #expect(clocks.arrivalText(of: try fixture.item(early)) == "→ 18:30 −1")
    }

    @Test func `items above travel use the clock of its departure, items below it that of its arrival`()
        throws
    {
        var fixture = try overTheDateLine()
        let game = fixture.trip.shownIDs[0]
        let travel = try fixture.add(flight("17:00", 600), to: .after(game, day: 2))
        let breakfast = try fixture.add(
            .custom(CustomItem(title: "Breakfast", time: ClockTime("09:00"))), to: .start(day: 2))
        let lunch = try fixture.add(
            .custom(CustomItem(title: "Lunch", time: ClockTime("12:00"))), to: .after(travel, day: 2))
        let clocks = TripClocks(fixture.trip)
        #expect(clocks.zone(of: try fixture.item(breakfast)) == "Asia/Tokyo")
        #expect(clocks.zone(of: try fixture.item(lunch)) == "America/Los_Angeles")
        #expect(fixture.trip.problems == [])
    }

    @Test func `travel gets the zone of its city from other travel there, or from the city's name`() throws {
        var fixture = try overTheDateLine()
        func zones(_ from: String, _ to: String, isByArrival: Bool = false) -> [FieldChange] {
            fixture.trip.zones(
                for: Travel(fromCity: from, toCity: to, time: ClockTime("09:00")), onDay: 3,
                isByArrival: isByArrival)
        }
        // Events give the zones of Tokyo and Los Angeles.
        #expect(zones("Tokyo", "los angeles", isByArrival: true) == [])
        #expect(
            zones("São Paulo", "Chicago") == [
                .timeZone("America/Sao_Paulo"), .arrivalTimeZone("America/Chicago"),
            ])
        // The traveller is in Los Angeles.
        let borrowed = fixture.trip.borrowedZones(
            of: Travel(fromCity: "Anaheim", toCity: "Chicago", durationMinutes: 90, time: ClockTime("09:00")),
            onDay: 3, isByArrival: false)
        #expect(
            borrowed.map(\.sentence) == [
                "Anaheim has no clock of its own, so the departure is in Los Angeles time; timeZone=ZONE sets another."
            ])
        // There is a San Juan in Puerto Rico and one in Argentina, and no zone has the name of Anaheim.
        #expect(zones("San Juan", "Anaheim") == [])
        _ = try fixture.add(
            .travel(Travel(fromCity: "Tokyo", toCity: "Anaheim", arrivalTimeZone: "America/Los_Angeles")),
            to: .end(day: 2))
        #expect(zones("anaheim", "Tokyo") == [.timeZone("America/Los_Angeles")])
        #expect(
            fixture.trip.zones(
                for: Travel(fromCity: "Chicago", toCity: "Tokyo"), onDay: 3, isByArrival: false)
                == [])
    }

    @Test func `new travel departs by the clock of the last item before its time, not of a later event`()
        throws
    {
        var fixture = try TripFixture(start: "2027-06-01", zone: "Europe/Berlin")
        _ = try fixture.add(try game("t", "Tokyo", "2027-06-02T12:00:00+09:00", "Asia/Tokyo"))
        _ = try fixture.add(try game("l", "London", "2027-06-03T20:00:00+01:00", "Europe/London"))
        func zones(at time: String) -> [String] {
            let clocks = TripClocks(fixture.trip)
            let travel = Travel(fromCity: "Dessel", toCity: "Kamakura", time: ClockTime(time))
            return [clocks.zone(ofNew: travel, onDay: 3), clocks.arrivalZone(ofNew: travel, onDay: 3)]
        }
        #expect(zones(at: "09:00") == ["Asia/Tokyo", "Europe/London"])
        #expect(zones(at: "21:00") == ["Europe/London", "Europe/London"])
    }

    @Test func `an arrival that was given by its clock does not move with a later event`() throws {
        var fixture = try TripFixture(zone: "Europe/London")
        let ferry = Travel(
            fromCity: "Dover", toCity: "Tokushima", durationMinutes: 600, time: ClockTime("19:30"))
        let zones = fixture.trip.zones(for: ferry, onDay: 2, isByArrival: true)
        #expect(zones == [.timeZone("Europe/London"), .arrivalTimeZone("Europe/London")])
        let id = try fixture.add(ItemContent.travel(ferry).with(zones), to: .end(day: 2))
        _ = try fixture.add(try game("o", "Osaka", "2026-06-13T18:00:00+09:00", "Asia/Tokyo"))
        #expect(TripClocks(fixture.trip).arrivalText(of: try fixture.item(id)) == "→ 05:30 +1")
    }

    @Test func `a nonexistent day does not trap`() throws {
        let clocks = TripClocks(try overTheDateLine().trip)
        let time = StartTime(try #require(ClockTime("12:00")))
        #expect(clocks.minute(time, onDay: .max, in: "UTC") > clocks.minute(time, onDay: .min, in: "UTC"))
    }

    @Test func `games in two zones in the order of their local times are not out of order`() throws {
        var fixture = try TripFixture(start: "2027-04-01", zone: "America/New_York")
        _ = try fixture.add(try game("l", "Los Angeles", "2027-04-02T17:00:00-07:00", "America/Los_Angeles"))
        _ = try fixture.add(try game("n", "New York", "2027-04-02T19:00:00-04:00", nil))
        try fixture.apply(.update(try #require(fixture.trip.shownIDs.first), [.attending(false)]))
        _ = try fixture.add(
            .custom(CustomItem(title: "Dinner", time: ClockTime("22:00"))), to: .end(day: 2))
        #expect(fixture.trip.problems == [])
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `every zone and instant matches the definition`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        func pick(_ values: [String], _ random: inout SplitMix64) -> String {
            values[random.below(values.count)]
        }
        var fixture = try TripFixture(start: "2027-03-12", zone: pick(Self.zones, &random))
        for number in 0..<25 {
            let day = 1 + random.below(5)
            let time = random.chance(60) ? ClockTime(minute: random.below(48) * 30) : nil
            switch random.below(4) {
            case 0:
                let date = try #require(fixture.trip.header.date(ofDay: day))
                let place = random.below(4)
                guard
                    case .game(var content) = try game(
                        "g\(number)", Self.cities[place], "\(date)T1\(random.below(9)):00:00Z",
                        random.chance(80) ? Self.zones[place] : nil)
                else { continue }
                content.isAttended = random.chance(75)
                content.isCancelled = random.chance(10)
                _ = try fixture.add(.game(content))
            case 1:
                let travel = Travel(
                    fromCity: pick(Self.cities, &random), toCity: pick(Self.cities, &random),
                    durationMinutes: random.chance(70) ? random.below(1500) : nil, afterGame: .open,
                    beforeGame: .open, time: time, isLateNight: random.chance(15),
                    timeZone: random.chance(20) ? pick(Self.zones, &random) : nil,
                    arrivalTimeZone: random.chance(20) ? pick(Self.zones, &random) : nil)
                _ = try fixture.add(
                    .travel(travel), to: random.chance(50) ? .start(day: day) : .end(day: day))
            default:
                _ = try fixture.add(
                    .custom(CustomItem(title: "c", time: time, isLateNight: random.chance(15))),
                    to: random.chance(50) ? .start(day: day) : .end(day: day))
            }
        }
        let trip = fixture.trip
        let (clocks, oracle) = (TripClocks(trip), ClockOracle(trip))
        for (index, item) in trip.items.enumerated() {
            #expect(clocks.zone(of: item) == oracle.zone(ofItemAt: index), "\(item)")
            #expect(clocks.arrivalZone(of: item) == oracle.arrivalZone(ofItemAt: index), "\(item)")
            guard let start = clocks.start(of: item) else { continue }
            #expect(start == (try oracle.start(ofItemAt: index)), "\(item)")
        }
        try expectCrossDayProblems(of: trip, oracle)
        for day in trip.header.days {
            let timed = try trip.items.enumerated().filter { $0.element.position.day == day }
                .filter { !$0.element.isGame || $0.element.content.isBindingGame }
                .compactMap { index, item in try oracle.start(ofItemAt: index).map { (item, $0) } }
            let isInOrder = zip(timed, timed.dropFirst()).allSatisfy { $0.1 <= $1.1 }
            let reported = trip.problems.contains { problem in
                problem.kind == .outOfTime && problem.items.allSatisfy { trip[$0]?.position.day == day }
            }
            #expect(
                isInOrder
                    ? !reported : reported || timed.allSatisfy(\.0.isGame) || hasOnlyGameInversions(timed))
        }
    }

    /// Compares the problems of items on different days with all pairs of items.
    private func expectCrossDayProblems(of trip: Trip, _ oracle: ClockOracle) throws {
        let timed = try trip.items.enumerated().compactMap {
            index, item -> (item: Item, start: Int, end: Int)? in
            guard trip.header.days.contains(item.position.day), !item.isGame || item.content.isBindingGame,
                let start = try oracle.start(ofItemAt: index)
            else { return nil }
            let minutes: Int? =
                switch item.content {
                case .game(let game): game.durationMinutes ?? 120
                case .travel(let leg): leg.durationMinutes
                case .custom(let custom): custom.durationMinutes
                }
            return (item, start, start + (minutes ?? 0))
        }
        var expected: [[ItemID]] = []
        for (item, start, _) in timed {
            let before = timed.filter { $0.item.position.day < item.position.day }
            // Of equal ends the last in the list.
            guard let last = before.max(by: { $0.end < $1.end })?.end,
                let other = before.last(where: { $0.end == last }), start < other.end,
                !item.isGame || !other.item.isGame
            else { continue }
            expected.append([other.item.id, item.id])
        }
        let reported = trip.problems.filter { problem in
            problem.kind == .outOfTime && Set(problem.items.map { trip[$0]?.position.day }).count > 1
        }
        #expect(Set(reported.map(\.items)) == Set(expected))
        #expect(reported.count == expected.count)
    }

    @Test func `a connection that leaves before the flight over the date line has arrived is a problem`()
        throws
    {
        var fixture = try TripFixture(start: "2027-07-16", zone: "America/Los_Angeles")
        func flight(_ from: String, _ to: String, _ time: String, _ minutes: Int, _ zones: (String, String))
            -> ItemContent
        {
            .travel(
                Travel(
                    fromCity: from, toCity: to, durationMinutes: minutes, afterGame: .open, beforeGame: .open,
                    time: ClockTime(time), timeZone: zones.0, arrivalTimeZone: zones.1))
        }
        let out = try fixture.add(
            flight("San Francisco", "Auckland", "19:45", 750, ("America/Los_Angeles", "Pacific/Auckland")),
            to: .end(day: 2))
        let on = try fixture.add(
            flight("Auckland", "Sydney", "07:00", 200, ("Pacific/Auckland", "Australia/Sydney")),
            to: .end(day: 3))
        let problem = try #require(fixture.trip.problems.first)
        #expect(problem.kind == .outOfTime && problem.items == [out, on] && problem.day == 2)
        #expect(
            problem.message
                == "07:00 Auckland → Sydney on day 3 begins before 19:45 San Francisco → Auckland of day 2 has arrived; it fits on day 4"
        )
        try fixture.move(on, to: .end(day: 4))
        #expect(fixture.trip.problems == [])
    }

    /// Whether only games are in the wrong order.
    private func hasOnlyGameInversions(_ timed: [(Item, Int)]) -> Bool {
        timed.indices.allSatisfy { above in
            timed[(above + 1)...].allSatisfy { below in
                timed[above].1 <= below.1 || timed[above].0.isGame && below.0.isGame
            }
        }
    }
}

/// Computes the same zones and instants with Foundation, by looking at every item.
private struct ClockOracle {
    private let items: [Item]
    private let header: TripHeader

    init(_ trip: Trip) {
        items = trip.items
        header = trip.header
    }

    private func gameZone(_ index: Int, attendedOnly: Bool) -> String? {
        guard case .game(let game) = items[index].content else { return nil }
        if attendedOnly, !game.isBinding || !header.days.contains(items[index].position.day) { return nil }
        return game.timeZone ?? header.timeZone
    }

    private func zone(ofCity city: String, near index: Int) -> String? {
        let games = items.indices.filter {
            if case .game(let game) = items[$0].content { game.city == city } else { false }
        }
        return games.min { (abs($0 - index), $0) < (abs($1 - index), $1) }
            .flatMap { gameZone($0, attendedOnly: false) }
    }

    /// The zones that travel gives for a city.
    private func zones(ofEndsIn city: String, _ index: Int) -> [String] {
        guard case .travel(let travel) = items[index].content else { return [] }
        return [
            travel.fromCity == city ? travel.timeZone : nil,
            travel.toCity == city ? travel.arrivalTimeZone : nil,
        ].compactMap(\.self)
    }

    /// The city's own clock.
    private func ownZone(of city: String, near index: Int) -> String? {
        if let zone = zone(ofCity: city, near: index) { return zone }
        let nearest = items.indices.filter { !zones(ofEndsIn: city, $0).isEmpty }
            .min { (abs($0 - index), $0) < (abs($1 - index), $1) }
        if let nearest { return zones(ofEndsIn: city, nearest)[0] }
        let named = ["Tokyo": "Asia/Tokyo", "Los Angeles": "America/Los_Angeles", "Berlin": "Europe/Berlin"]
        return named[city]
    }

    private func departure(_ index: Int, _ travel: Travel) -> String {
        if let zone = travel.timeZone ?? ownZone(of: travel.fromCity, near: index) { return zone }
        let above = items.indices.prefix(index).last { clock($0) }
        guard let above else { return header.timeZone }
        if case .travel(let other) = items[above].content { return arrival(above, other) }
        return gameZone(above, attendedOnly: true) ?? header.timeZone
    }

    private func arrival(_ index: Int, _ travel: Travel) -> String {
        if let zone = travel.arrivalTimeZone ?? ownZone(of: travel.toCity, near: index) { return zone }
        let below = items.indices.dropFirst(index + 1).first { clock($0) }
        if let below, let zone = gameZone(below, attendedOnly: true) { return zone }
        return departure(index, travel)
    }

    /// Whether an item is where its traveller's clock can change: travel or an attended event.
    private func clock(_ index: Int) -> Bool {
        if case .travel = items[index].content { true } else { gameZone(index, attendedOnly: true) != nil }
    }

    /// The zone that an item gives to items above it or below it; nil if it gives none.
    private func clock(_ index: Int, isAbove: Bool) -> String? {
        switch items[index].content {
        case .game: gameZone(index, attendedOnly: true)
        case .travel(let travel): isAbove ? arrival(index, travel) : departure(index, travel)
        case .custom: nil
        }
    }

    func arrivalZone(ofItemAt index: Int) -> String? {
        if case .travel(let travel) = items[index].content { arrival(index, travel) } else { nil }
    }

    func zone(ofItemAt index: Int) -> String {
        switch items[index].content {
        case .game(let game): return game.timeZone ?? header.timeZone
        case .travel(let travel): return departure(index, travel)
        case .custom: break
        }
        let day = items[index].position.day
        let above = items.indices.prefix(index).reversed().first { clock($0, isAbove: true) != nil }
        let below = items.indices.dropFirst(index + 1).first { clock($0, isAbove: false) != nil }
        func zone(_ other: Int?, isAbove: Bool) -> String? { other.flatMap { clock($0, isAbove: isAbove) } }
        if let above, items[above].position.day == day, let zone = zone(above, isAbove: true) { return zone }
        if let below, items[below].position.day == day, let zone = zone(below, isAbove: false) { return zone }
        return zone(above, isAbove: true) ?? zone(below, isAbove: false) ?? header.timeZone
    }

    func start(ofItemAt index: Int) throws -> Int? {
        if case .game(let game) = items[index].content { return Int(game.startsAt.secondsSince1970) / 60 }
        let (given, isLate): (ClockTime?, Bool) =
            switch items[index].content {
            case .travel(let leg): (leg.time, leg.isLateNight)
            case .custom(let custom): (custom.time, custom.isLateNight)
            case .game: (nil, false)
            }
        guard let time = given else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone(ofItemAt: index)))
        // In the morning a late time is one of the next date.
        let day = items[index].position.day + (isLate && time.minute < 720 ? 1 : 0)
        let date = try #require(header.date(ofDay: day))
        let parts = DateComponents(
            year: date.year, month: date.month, day: date.day, hour: time.minute / 60,
            minute: time.minute % 60)
        return Int(try #require(calendar.date(from: parts)).timeIntervalSince1970) / 60
    }
}
