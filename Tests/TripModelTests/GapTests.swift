import Testing
import TripModel

@Suite struct GapTests {
    @Test func `R-GAPS: the result contains every gap of every day in shown order, each with its reason`()
        throws
    {
        var fixture = try TripFixture(days: 3)
        let chicago = try fixture.game("c", city: "Chicago", day: 1, minute: 720)
        let lunch = try fixture.custom("Lunch", at: .before(chicago, day: 1))
        let detroit = try fixture.game("d", city: "Detroit", day: 3, minute: 720)
        _ = try fixture.game("outside", city: "Detroit", day: 4, minute: 720)
        let early = PlaceRefusal.beforeDepartureGame([chicago])
        let late = PlaceRefusal.afterArrivalGame([detroit])
        let expected = [
            Gap(day: 1, after: nil, before: lunch, refusal: early),
            Gap(day: 1, after: lunch, before: chicago, refusal: early),
            Gap(day: 1, after: chicago, before: nil, refusal: nil),
            Gap(day: 2, after: nil, before: nil, refusal: nil),
            Gap(day: 3, after: nil, before: detroit, refusal: nil),
            Gap(day: 3, after: detroit, before: nil, refusal: late),
        ]
        let content = TripFixture.travel("Chicago", "Detroit")
        let report = fixture.trip.gaps(for: content)
        #expect(report.gaps == expected)
        #expect(report.validDays == 1...3)
        #expect(report.barriers == [chicago, detroit])

        let travel = try fixture.add(content)
        #expect(try fixture.item(travel).position == Position(day: 1, sortOrder: 821), "its first valid gap")
        #expect(fixture.trip.gaps(for: travel) == report, "the item itself is taken out")
        try fixture.move(travel, to: .start(day: 2))
        #expect(fixture.trip.gaps(for: travel) == report)

        let free = fixture.trip.gaps(for: TripFixture.custom("x"), without: travel)
        #expect(free.gaps.map(\.placement) == expected.map(\.placement))
        #expect(free.gaps.allSatisfy { $0.isValid })
        #expect(free.validDays == 1...3)
        #expect(fixture.trip.gaps(for: ItemID(high: 9, low: 9)) == nil)
    }

    @Test func `R-GAPS: just above and just below an item are one gap, and dropping there changes nothing`()
        throws
    {
        var fixture = try TripFixture()
        var ids: [ItemID] = []
        for title in ["a", "b", "c"] { ids.append(try fixture.custom(title, at: .end(day: 2))) }
        let gaps = try #require(fixture.trip.gaps(for: ids[1])).gaps.filter { $0.day == 2 }
        #expect(gaps.map(\.after) == [nil, ids[0], ids[2]])
        #expect(gaps.map(\.before) == [ids[0], ids[2], nil])
        #expect(try fixture.isNoop(.move(ids[1], to: gaps[1].placement)))
        #expect(try !fixture.isNoop(.move(ids[1], to: gaps[0].placement)))
    }

    @Test(arguments: 0..<30)
    func `R-GAPS: the constraint gives the same answer for a gap's position`(seed: UInt64) throws {
        let id = ItemID(high: 1, low: 1)
        var workload = Workload(seed: seed)
        var trip = try workload.makeTrip()
        for _ in 0..<60 { _ = try? trip.apply([workload.makeEdit(for: trip)], by: workload.author) }
        for content in (0..<6).map({ _ in workload.makeTravel(for: trip) }) {
            let gaps = trip.gaps(for: content).gaps
            expectFirst(gaps.first(where: \.isValid), for: content, as: id, in: trip)
            for gap in gaps {
                var copy = trip
                // A custom item may go anywhere, so it finds the gap's position.
                _ = try copy.apply(
                    [.add(id, TripFixture.custom("probe"), to: gap.placement)], by: workload.author)
                let position = try #require(copy[id]?.position)
                #expect(copy.refusal(of: content, at: position) == gap.refusal)
                #expect(neighbours(of: id, in: copy) == Neighbours(above: gap.after, below: gap.before))
            }
        }
    }

    /// An item added without a place must go into the first valid gap, although the search skips most gaps.
    private func expectFirst(
        _ gap: Gap?, for content: ItemContent, as id: ItemID, in trip: Trip
    ) {
        var trip = trip
        do throws(EditFailure) {
            _ = try trip.apply([.add(id, content, to: nil)], by: TripFixture.author)
            #expect(trip[id]?.position.day == gap?.day && gap != nil)
            #expect(neighbours(of: id, in: trip) == Neighbours(above: gap?.after, below: gap?.before))
        } catch {
            // The content may name an item that is not a game.
            if case .invalid = error.rejection { return }
            guard case .place(.noValidPosition) = error.rejection else {
                Issue.record("\(content): \(error)")
                return
            }
            #expect(gap == nil, "\(content)")
        }
    }
}

/// An item's neighbours on its day.
struct Neighbours: Equatable {
    let above: ItemID?
    let below: ItemID?
}

/// The neighbours of an item on its day; nil if there is no such item.
func neighbours(of id: ItemID, in trip: Trip) -> Neighbours? {
    guard let item = trip[id] else { return nil }
    let ids = trip.items(onDay: item.position.day).map(\.id)
    guard let index = ids.firstIndex(of: id) else { return nil }
    return Neighbours(
        above: index > 0 ? ids[index - 1] : nil, below: index + 1 < ids.count ? ids[index + 1] : nil)
}
