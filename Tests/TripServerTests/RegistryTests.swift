import LocalSystem
import TestSupport
import Testing
import TripJournal
import TripModel
import TripProtocol

@testable import TripServer

@Suite struct RegistryTests {
    private static func trip(_ number: Int) throws -> TripID { try #require(TripID(id(number))) }

    private static func closed(_ slug: String, isConfirmed: Bool = false) -> TripDirectory.State {
        .closed(.init(known: CatalogueEntry(slugs: [slug]), isConfirmed: isConfirmed))
    }

    private static func actor(_ number: Int, _ slug: String) throws -> TripActor {
        let loop = try EventLoop()
        let header = TripHeader(
            id: try trip(number), slug: slug, name: slug,
            startDate: try #require(CalendarDate("2026-06-11")), timeZone: "UTC", dayCount: 5)
        let core = TripCore(durable: try Trip(header: header, version: 1, items: []), epoch: "e")
        return TripActor(core, on: loop, storage: HeldStorage(loop: loop))
    }

    private static func name(_ state: TripDirectory.State?) -> String {
        switch state {
        case .closed?: "closed"
        case .busy?: "busy"
        case .served?: "served"
        case .quarantined?: "quarantined"
        case nil: "none"
        }
    }

    @Test func `a trip changes from closed to busy to open, and back`() throws {
        let one = try Self.trip(1)
        var registry = TripDirectory()
        registry.add(one, Self.closed("a"), slugs: ["a"])
        #expect(registry.openCount == 0)
        let known = registry.beginReading(one)
        #expect(known?.slugs == ["a"])
        #expect(Self.name(registry[one]) == "busy")
        #expect(registry.beginReading(one) == nil, "only one reads it")
        registry.open(one, try Self.actor(1, "a"), slug: "a", origin: nil)
        #expect(Self.name(registry[one]) == "served")
        #expect(registry.openCount == 1)
        #expect(registry.beginReading(one) == nil)
        registry.beginClosing(one, .init(known: CatalogueEntry(slugs: ["a"]), isConfirmed: true))
        #expect(Self.name(registry[one]) == "busy")
        #expect(registry.openCount == 0)
        registry.endBusy(one)
        #expect(Self.name(registry[one]) == "closed")
        #expect(registry.id(of: .slug("a")) == one)
        #expect(registry.beginReading(one) != nil)
        registry.quarantine(one, WireError(.tripCorrupt, "x"), nil)
        #expect(Self.name(registry[one]) == "quarantined")
        #expect(registry.id(of: .slug("a")) == one, "a damaged trip keeps its slug")
        registry.remove(one)
        #expect(registry.id(of: .slug("a")) == nil && registry.count == 0 && registry.openCount == 0)
    }

    @Test func `the file's summary replaces the catalogue's, and never takes another trip's slug`()
        throws
    {
        let (one, two) = (try Self.trip(1), try Self.trip(2))
        var registry = TripDirectory()
        registry.add(one, Self.closed("a"), slugs: ["a"])
        registry.add(two, Self.closed("b"), slugs: ["b"])
        _ = registry.beginReading(one)
        registry.open(one, try Self.actor(1, "c"), slug: "c", origin: nil)
        #expect(registry.id(of: .slug("a")) == nil && registry.id(of: .slug("c")) == one)
        _ = registry.beginReading(two)
        registry.open(two, try Self.actor(2, "c"), slug: "c", origin: nil)
        #expect(registry.id(of: .slug("c")) == one)
        #expect(registry.id(of: .slug("b")) == nil && registry.id(of: .id(two)) == two)
    }

    @Test func `a trip that may still be on disk keeps its slug`() throws {
        let one = try Self.trip(1)
        var registry = TripDirectory()
        registry.add(one, .served(try Self.actor(1, "a")), slugs: ["a"])
        registry.remove(one, keepingSlugs: true)
        #expect(registry.isTaken("a"))
        #expect(registry.id(of: .slug("a")) == nil)
        #expect(registry.openCount == 0)
    }

    // MARK: Idle trips

    @Test func `the least recently used trip is returned first, and each trip once`() throws {
        let trips = try (1...4).map(Self.trip)
        var idle = IdleTrips()
        for (index, trip) in trips.enumerated() { idle.use(trip, at: .seconds(index)) }
        #expect(idle.first == .seconds(0))
        idle.use(trips[0], at: .seconds(10))
        #expect(idle.next(notUsedAfter: .seconds(2)) == trips[1])
        #expect(idle.next(notUsedAfter: .seconds(2)) == trips[2])
        #expect(idle.next(notUsedAfter: .seconds(2)) == nil)
        #expect(idle.next(notUsedAfter: .seconds(9)) == trips[3])
        #expect(idle.next(notUsedAfter: .seconds(9)) == nil)
        #expect(idle.next(notUsedAfter: .seconds(10)) == trips[0])
        #expect(idle.count == 0 && idle.first == nil)
        // A trip whose turn has come is in the queue again after its next use.
        idle.use(trips[3], at: .seconds(20))
        #expect(idle.next(notUsedAfter: .seconds(20)) == trips[3])
    }

    @Test func `a trip that was closed and reopened has one entry, and a closed one has none`()
        throws
    {
        let (one, two) = (try Self.trip(1), try Self.trip(2))
        var idle = IdleTrips()
        for second in 0..<5000 {
            idle.use(one, at: .seconds(second))
            if second % 2 == 0 { idle.forget(one) }
            let taken = idle.next(notUsedAfter: .seconds(second - 1))
            #expect(taken == nil)
        }
        idle.use(two, at: .seconds(5000))
        #expect(idle.count == 2)
        #expect(idle.next(notUsedAfter: .seconds(5000)) == one)
        idle.forget(two)
        #expect(idle.next(notUsedAfter: .seconds(5000)) == nil)
        #expect(idle.count == 0)
    }

    @Test func `every use of many trips is recorded`() throws {
        var generator = SystemRandomNumberGenerator()
        var idle = IdleTrips()
        var last: [TripID: Duration] = [:]
        for second in 0..<3000 {
            let trip = try Self.trip(Int.random(in: 0..<40, using: &generator))
            idle.use(trip, at: .seconds(second))
            last[trip] = .seconds(second)
            while let trip = idle.next(notUsedAfter: .seconds(second - 30)) {
                let used = last.removeValue(forKey: trip) ?? .seconds(1_000_000)
                #expect(used <= .seconds(second - 30))
            }
            #expect(idle.count == last.count)
        }
    }
}
