import Foundation
import ScheduleFiles
import TestSupport
import Testing
import TripModel

/// The real schedule shipped with the client: 104 games in 16 cities, 11 June to 19 July 2026.
@Suite struct WorldCupTests {
    private static let author = Author(name: "Ann", at: Timestamp(milliseconds: 0))

    private static func file() throws -> ScheduleFile {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/itinerary-client/Resources/worldcup-2026.csv").standardizedFileURL
        return try ScheduleFile(Array(Data(contentsOf: file)), .csv)
    }

    private static func entries() throws -> FileEntries {
        try file().entries(for: CalendarSamples.frame(from: "2026-06-11", days: 39))
    }

    private static func trip() throws -> Trip {
        let options = ImportOptions(source: "worldcup-2026")
        let frame = try #require(try file().newTripFrame(options))
        #expect(frame == CalendarSamples.frame(from: "2026-06-11", days: 39))
        var trip = frame.emptyTrip(named: "World Cup 2026")
        var random = SplitMix64(seed: 26)
        let plan = try ImportPlan(importing: file(), into: trip, options, using: &random)
        #expect(plan.report.summary == "imported 104 · updated 0 · unchanged 0 · removed 0 · skipped 0")
        _ = try trip.apply(plan.edits, by: author)
        return trip
    }

    @Test func `the file gives 104 games in 16 cities and no invalid row`() throws {
        let table = try Self.entries()
        #expect(table.skipped == [])
        #expect(table.entries.count == 104)
        #expect(table.entries.map(\.line) == Array(2...105))
        #expect(Set(table.entries.compactMap { $0.words(.city) }).count == 16)
        #expect(table.entries.allSatisfy { $0.words(.venue) != nil && $0.words(.durationMinutes) == nil })
    }

    @Test func `R-DATA-03, R-DAY: every game is on the day and minute of its local time`() throws {
        let trip = try Self.trip()
        #expect(trip.itemCount == 104)
        let start = try #require(CalendarDate("2026-06-11"))
        for item in trip.items {
            guard case .game(let game) = item.content else { continue }
            // The file has local times, so its text contains the day and the minute.
            let text = game.startsAt.text
            let date = try #require(CalendarDate(String(text.prefix(10))))
            let hour = try #require(Int(text.dropFirst(11).prefix(2)))
            let minute = try #require(Int(text.dropFirst(14).prefix(2)))
            #expect(item.position.day == date.daysSince1970 - start.daysSince1970 + 1)
            #expect(item.position.sortOrder.rounded(.down) == Double(100 + hour * 60 + minute))
        }
        #expect(Set(trip.items.map(\.position)).count == 104, "no two games on one place")
        #expect(trip.items.first?.content.title == "Mexico v South Africa")
        #expect(trip.items.first?.position == Position(day: 1, sortOrder: 880))
        #expect(trip.items.last?.position.day == 39)
        let sorted = trip.items.sorted {
            ($0.position.day, $0.position.sortOrder) < ($1.position.day, $1.position.sortOrder)
        }
        #expect(sorted == trip.items)
    }

    @Test func `R-CONFLICT: as one trip it has games in different cities at one time, and none outside`()
        throws
    {
        let trip = try Self.trip()
        let byDay = Dictionary(grouping: trip.items, by: \.position.day)
        let cities = { (items: [Item]) in
            Set(
                items.compactMap { item -> String? in
                    if case .game(let game) = item.content { game.city } else { nil }
                })
        }
        let expected = byDay.filter { cities($0.value).count > 1 }.keys.sorted()
        let problems = trip.problems
        #expect(problems.filter { $0.kind == .gamesInDifferentCities }.map(\.day) == expected)
        #expect(!expected.isEmpty)
        #expect(problems.contains { $0.kind == .gamesOverlap })
        #expect(!problems.contains { $0.kind == .gameOutsideTrip || $0.kind == .travelInvalid })
        for problem in problems { #expect(problem.items.count > 1 && problem.message.utf8.count < 400) }
    }

    @Test func `R-CONS-02: travel between two of its cities obeys the games`() throws {
        var trip = try Self.trip()
        let final = try #require(trip.items.last)
        guard case .game(let game) = final.content, let city = game.city else {
            Issue.record("the last item is the final")
            return
        }
        let travel = ItemContent.travel(Travel(fromCity: "Boston", toCity: city, beforeGame: .game(final.id)))
        let report = trip.gaps(for: travel)
        #expect(report.validDays?.upperBound == 39)
        #expect(report.barriers.last == final.id)
        let id = ItemID(high: 9, low: 9)
        for gap in report.gaps {
            let edit = Edit.add(id, travel, to: gap.placement)
            do throws(EditFailure) {
                _ = try trip.rehearse([edit], by: Self.author)
                #expect(gap.isValid)
            } catch {
                #expect(error.rejection == gap.refusal.map { .place($0) })
            }
        }
    }

    @Test(arguments: FileFormat.imported)
    func `it is the same trip after an export and import in every format`(format: FileFormat) throws {
        let trip = try Self.trip()
        let file = try ScheduleFile(format.text(of: trip), format)
        var again = CalendarSamples.frame(from: "2026-06-11", days: 39).emptyTrip(named: "Again")
        var random = SplitMix64(seed: 27)
        let plan = try ImportPlan(importing: file, into: again, ImportOptions(source: "x"), using: &random)
        #expect(plan.report.skipped == [] && plan.report.notes == [])
        _ = try again.apply(plan.edits, by: Self.author)
        #expect(again.items.map(\.id) == trip.items.map(\.id))
        // Only our own format has the source's last values.
        let contents = trip.items.map { item in
            var content = item.content
            if format != .json, case .source(let source)? = content[.source] {
                content.assign([.source(ItemSource(name: source.name, id: source.id))])
            }
            return content
        }
        #expect(again.items.map(\.content) == contents)
        #expect(again.items.map(\.position) == trip.items.map(\.position))
    }

    @Test func `R-DAY: the calendar of another library gives the same trip as the table`() throws {
        let bytes = try Array(
            Data(
                contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                    .appending(path: "Files/worldcup-2026.ics")))
        let file = try ScheduleFile(bytes, .ics)
        let options = ImportOptions(source: "worldcup-2026")
        let frame = try #require(try file.newTripFrame(options))
        let trip = try Self.trip()
        #expect(frame == TripFrame(trip.header))
        var other = frame.emptyTrip(named: "World Cup 2026")
        var random = SplitMix64(seed: 5)
        let plan = try ImportPlan(importing: file, into: other, options, using: &random)
        #expect(plan.report.isComplete && plan.report.notes == [])
        _ = try other.apply(plan.edits, by: Self.author)
        func lines(_ trip: Trip) -> [String] {
            trip.items.map { item in
                guard case .game(let game) = item.content else { return "no game" }
                let place = "\(game.city ?? "") \(game.venue ?? "") \(game.timeZone ?? "")"
                return
                    "\(item.position.day) \(item.position.clockTime) \(game.title) \(game.startsAt.text) \(place)"
            }.sorted()
        }
        #expect(lines(other) == lines(trip))
        #expect(other.itemCount == 104 && Set(other.items.map(\.position.day)).isSubset(of: 1...39))
    }
}
