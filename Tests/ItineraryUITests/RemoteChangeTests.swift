import ItineraryUI
import Testing
import TripModel

@Suite struct RemoteChangeTests {
    private static let later = Author(name: "Ben", at: Timestamp(milliseconds: 1_790_000_000_000))

    @Test func `a remote change is one sentence, with the place in the day`() throws {
        let sample = try SampleTrip()
        let walk = ItemID(high: 6, low: 1)
        let cases: [([Edit], String?)] = [
            (
                [.move(sample.bell, to: .after(sample.brazilMorocco, day: 1))],
                "Ben moved Liberty Bell to Day 1, 2 of 3"
            ),
            ([.add(walk, SampleTrip.custom("Walk"), to: .start(day: 3))], "Ben added Walk on Day 3, 1 of 1"),
            ([.remove(sample.beach)], "Ben removed Beach"),
            ([.update(sample.beach, [.title("Playa")])], "Ben renamed Beach to Playa"),
            ([.trip(TripChange(name: "Cup"))], "Ben changed the trip"),
            ([.remove(sample.beach), .remove(sample.bell)], "Ben removed 2 items"),
            ([.update(sample.beach, [.title("Beach")])], nil),
        ]
        func news(to trip: Trip) -> [RemoteEdit] {
            let ids = Set(sample.trip.items.map(\.id) + trip.items.map(\.id))
            let items = ids.filter { sample.trip[$0]?.version != trip[$0]?.version }.map {
                RemoteEdit(user: "Ben", before: sample.trip[$0], after: trip[$0])
            }
            guard items.isEmpty, trip.header != sample.trip.header else { return items }
            return [RemoteEdit(user: "Ben", before: nil, after: nil)]
        }
        for (edits, sentence) in cases {
            var trip = sample.trip
            _ = try trip.apply(edits, by: Self.later)
            #expect(RemoteChange.sentence(of: news(to: trip), in: trip) == sentence)
        }
        // The user's own move came after it.
        var theirs = sample.trip
        _ = try theirs.apply([.move(sample.bell, to: .end(day: 3))], by: Self.later)
        let edits = news(to: theirs)
        _ = try theirs.apply([.move(sample.bell, to: .end(day: 1))], by: Self.later)
        #expect(RemoteChange.sentence(of: edits, in: theirs) == "Ben moved Liberty Bell")
    }
}
