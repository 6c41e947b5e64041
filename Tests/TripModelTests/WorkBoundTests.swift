import TestSupport
import Testing

@testable import TripModel

/// The estimated cost of a change must be an upper bound of its real cost.
@Suite struct WorkBoundTests {
    private static func id(_ number: Int) -> ItemID { ItemID(high: 0, low: UInt64(number)) }

    @Test(arguments: 0..<40)
    func `no change touches more items than estimated`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var trip = Trip(empty: try TripFixture.header(days: 3))
        var count = 0
        func placement() -> Placement {
            let day = Int.random(in: 1...3, using: &random)
            let anchor = Self.id(Int.random(in: 0...max(count, 1), using: &random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0: return .start(day: day)
            case 1: return .end(day: day)
            case 2: return .order([0.5, 1, 1 + 5e-11, 1e15].randomElement(using: &random) ?? 1, day: day)
            case 3, 4: return .before(anchor, day: day)
            default: return .after(anchor, day: day)
            }
        }
        for _ in 0..<200 {
            let edits: [Edit] = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    count += 1
                    return .add(Self.id(count), TripFixture.custom("x"), to: placement())
                case 1:
                    return .move(Self.id(Int.random(in: 1...max(count, 1), using: &random)), to: placement())
                default: return .move(Self.id(count), to: placement())
                }
            }
            let bound = trip.work(of: edits)
            let looked = trip.itemsLookedAt
            let commit: Commit
            do { commit = try trip.apply(edits, by: TripFixture.author) } catch { continue }
            #expect(commit.itemIDs.count * Work.itemChange <= bound.items)
            #expect((trip.itemsLookedAt - looked) * Work.itemChange <= bound.items)
        }
    }
}
