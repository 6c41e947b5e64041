import TestSupport
import Testing

@testable import TripModel

@Suite struct PlainMoveTests {
    private static func trip() throws -> Trip {
        var fixture = try TripFixture()
        for number in 0..<40 {
            _ = try fixture.add(TripFixture.custom("c\(number)"), to: .end(day: 1 + number % 5))
        }
        _ = try fixture.game("g", city: "X", day: 2, minute: 600)
        return fixture.trip
    }

    /// The comparison with the general path is an assertion, which debug builds check at each move.
    @Test func `a move of one item that finds room changes the trip as the general path does`() throws {
        var random = SplitMix64(seed: 60)
        var trip = try Self.trip()
        let ids = trip.shownIDs
        var plain = 0
        var invariants = TripInvariants()
        for _ in 0..<500 {
            guard let id = ids.randomElement(using: &random), let anchor = ids.randomElement(using: &random),
                let day = trip[anchor]?.position.day
            else { continue }
            let placement = [
                Placement.after(anchor, day: day), .before(anchor, day: day), .start(day: day),
                .end(day: day), .order(Double(Int.random(in: -9...9, using: &random)), day: day),
            ].randomElement(using: &random)
            guard let placement else { continue }
            let edits = [Edit.move(id, to: placement)]
            let before = trip
            if let commit = trip.applyPlainMove(
                edits, by: TripFixture.author, guardedBy: EditGuard(), ifAccepted: { _ in true })
            {
                plain += 1
                #expect(trip.version == before.version + 1 && trip[id] == commit.changes.first?.after)
            } else {
                #expect(trip == before)
                _ = try? trip.apply(edits, by: TripFixture.author)
            }
            let violation = try invariants.violation(
                in: trip, shuffled: trip.items.shuffled(using: &random), probes: [])
            #expect(violation == nil)
        }
        #expect(plain > 250)
    }

    @Test func `a move that is not accepted changes nothing`() throws {
        var trip = try Self.trip()
        let (before, id) = (trip, try #require(trip.shownIDs.first))
        let commit = trip.applyPlainMove(
            [.move(id, to: .end(day: 5))], by: TripFixture.author, guardedBy: EditGuard(),
            ifAccepted: { _ in false })
        #expect(commit?.version == before.version + 1)
        #expect(trip == before && trip.shownIDs == before.shownIDs)
    }
}
