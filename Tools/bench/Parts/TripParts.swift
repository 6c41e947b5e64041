import TripModel
import TripProtocol

/// Operations on a trip.
struct TripParts {
    private static let author = Author(name: "mover", at: Timestamp(milliseconds: 1_780_000_000_000))

    let trip: Trip
    private let ids: [ItemID]

    /// A trip of 50 days with `items` items, at least four.
    init(items: Int) throws {
        guard let start = CalendarDate("2026-06-11") else { preconditionFailure("it is a date") }
        let header = TripHeader(
            id: TripID(high: 0, low: 1), slug: "bench", name: "Bench", startDate: start, timeZone: "UTC",
            dayCount: 50)
        let ids = (0..<items).map { ItemID(high: 1, low: UInt64($0)) }
        let edits = ids.indices.map { index in
            let item = CustomItem(
                title: "Stop number \(index) of the tour", city: "Kansas City", durationMinutes: 90)
            return Edit.add(ids[index], .custom(item), to: .end(day: Self.day(of: index, of: items)))
        }
        trip = try Trip.create(header, edits: edits, by: Self.author)
        self.ids = ids
    }

    private static func day(of item: Int, of count: Int) -> Int { 1 + item * 50 / count }

    /// Moves that are validated and applied: in each group of four, one item moves behind a fixed one.
    func move(times: Int) throws {
        var trip = trip
        var generator = SplitMix(state: 2026)
        let groups = ids.count / 4
        for _ in 0..<times {
            let item = 4 * generator.next(below: groups) + 1
            let anchor = 4 * generator.next(below: groups)
            let place = Placement.after(ids[anchor], day: Self.day(of: anchor, of: ids.count))
            keep(try trip.apply([.move(ids[item], to: place)], by: Self.author).version)
        }
    }

    /// Encodes one item.
    func encodeItem(times: Int) throws {
        let items = trip.items
        for number in 0..<times { keep(items[number % items.count].encoded().count) }
    }

    /// Encodes the whole trip.
    func encode(times: Int) throws {
        for _ in 0..<times {
            keep(trip.snapshotMembers(epoch: "bench", problems: Problem.encoded(trip.problems)).count)
        }
    }

    /// Computes the gaps of one item.
    func gaps(times: Int) throws {
        for number in 0..<times { keep(trip.gaps(for: ids[number % ids.count])?.gaps.count ?? 0) }
    }
}
