import ScheduleFiles
import TestSupport
import Testing
import TripModel

@Suite struct ImportPlanTests {
    private static let author = Author(name: "Ann", at: Timestamp(milliseconds: 0))

    private func emptyTrip() throws -> Trip {
        let header = TripHeader(
            id: TripID(high: 0, low: 1), slug: "t", name: "T",
            startDate: try #require(CalendarDate("2026-06-11")),
            timeZone: "UTC", dayCount: 5)
        return try Trip.create(header, by: Self.author)
    }

    private func table(_ lines: String...) throws -> ScheduleTable {
        try ScheduleTable(csv: Array(lines.joined(separator: "\n").utf8))
    }

    /// Plans, applies, and returns the plan.
    private func runImport(_ table: ScheduleTable, into trip: inout Trip, seed: UInt64 = 1) throws
        -> ImportPlan
    {
        var random = SplitMix64(seed: seed)
        let plan = ImportPlan(importing: table, into: trip, using: &random)
        for batch in plan.batches { _ = try trip.apply(batch, by: Self.author) }
        return plan
    }

    @Test("new games are added, changed ones updated, equal ones and bad rows skipped")
    func newChangedAndEqual() throws {
        var trip = try emptyTrip()
        let first = try runImport(
            table(
                "gameId,title,city,startsAt", "g1,One,Lima,2026-06-11T10:00:00Z",
                "g2,Two,Lima,2026-06-12T10:00:00Z",
                "g3,Three,,2026-06-13T10:00:00Z"), into: &trip)
        #expect(first.summary == "imported 3 · updated 0 · skipped 0")
        let ids = trip.shownIDs

        let second = try runImport(
            table(
                "gameId,title,city,startsAt", "g4,Four,,2026-06-14T10:00:00Z", "g3,,x,2026-06-13T10:00:00Z",
                "g2,Two,Lima,2026-06-12T12:30:00Z", "g1,One,Lima,2026-06-11T10:00:00Z"), into: &trip, seed: 2)
        #expect(second.summary == "imported 1 · updated 1 · skipped 2")
        #expect(second.unchanged == 1 && second.badRows.map(\.line) == [3])
        let start = try #require(OffsetDateTime("2026-06-12T12:30:00Z"))
        #expect(second.updates == [.update(ids[1], [.startsAt(start)])], "just the field that changed")
        #expect(trip.shownIDs.prefix(3) == ids[...])
        #expect(trip.items.map(\.content.title) == ["One", "Two", "Three", "Four"])
        #expect(trip[ids[1]]?.position == Position(day: 2, sortOrder: 850))
    }

    @Test("a column that the table lacks changes nothing; one that is empty clears")
    func absentColumns() throws {
        var trip = try emptyTrip()
        _ = try runImport(
            table(
                "gameId,title,city,venue,startsAt,timeZone,durationMinutes",
                "g1,One,Lima,Monumental,2026-06-11T10:00:00Z,America/Lima,100"), into: &trip)
        let id = try #require(trip.shownIDs.first)
        let narrow = try runImport(table("gameId,title,startsAt", "g1,One,2026-06-11T10:00:00Z"), into: &trip)
        #expect(narrow.summary == "imported 0 · updated 0 · skipped 1")
        #expect(narrow.batches == [])
        let wide = try runImport(
            table(
                "durationMinutes,timeZone,venue,city,gameId,title,startsAt", ",,,,g1,Uno,2026-06-11T10:00:00Z"
            ),
            into: &trip)
        #expect(
            wide.updates == [
                .update(id, [.title("Uno"), .city(nil), .venue(nil), .timeZone(nil), .durationMinutes(nil)])
            ])
        #expect(wide.summary == "imported 0 · updated 1 · skipped 0")
    }

    @Test("a second import of the same file changes nothing; items that are no games stay")
    func idempotent() throws {
        var trip = try emptyTrip()
        let lunch = ItemID(high: 9, low: 9)
        _ = try trip.apply([.add(lunch, .custom(CustomItem(title: "g1")), to: nil)], by: Self.author)
        let file = try table(
            "gameId,title,startsAt", "g1,One,2026-06-11T10:00:00Z", "g2,Two,2026-06-11T10:00:00Z")
        _ = try runImport(file, into: &trip)
        let version = trip.version
        let again = try runImport(file, into: &trip, seed: 7)
        #expect(again.summary == "imported 0 · updated 0 · skipped 2")
        #expect(trip.version == version && trip.itemCount == 3 && trip[lunch] != nil)
    }

    @Test("edits are cut into batches that each fit into one request, additions first, in the table's order")
    func batches() throws {
        var trip = try emptyTrip()
        var lines = ["gameId,title,startsAt"]
        for number in 0..<300 { lines.append("g\(number),t\(number),2026-06-12T10:00:00Z") }
        let file = try ScheduleTable(csv: Array(lines.joined(separator: "\n").utf8))
        let plan = try runImport(file, into: &trip)
        #expect(plan.batches.map(\.count) == [128, 128, 44])
        #expect(plan.batches.flatMap(\.self) == plan.additions)
        #expect(trip.itemCount == 300)
    }

    @Test("ids come from the generator given")
    func ids() throws {
        let file = try table("gameId,title,startsAt", "g1,One,2026-06-11T10:00:00Z")
        let trip = try emptyTrip()
        func plan(_ seed: UInt64) -> ImportPlan {
            var random = SplitMix64(seed: seed)
            return ImportPlan(importing: file, into: trip, using: &random)
        }
        #expect(plan(1) == plan(1))
        #expect(plan(1) != plan(2))
    }
}
