import LocalSystem
import TripModel

@testable import TripProtocol

/// Trips and states of trips as tests need them.
enum SampleTrip {
    /// The trip of that number.
    static func id(_ number: UInt64) -> TripID { TripID(high: 0x4000, low: 0x8000_0000_0000_0000 | number) }

    /// A draft with custom items `Item 1`, `Item 2`, … on day 1.
    static func draft(_ slug: String, items count: Int = 0) -> TripDraft {
        TripDraft(
            name: "Test", startDate: startDate, timeZone: "UTC", dayCount: 5, slug: slug,
            items: (1..<count + 1).map { number in
                .add(.random(), .custom(CustomItem(title: "Item \(number)")), to: .end(day: 1))
            })
    }

    /// An empty trip at a version.
    static func snapshot(_ version: Int, epoch: String = "a", trip: UInt64 = 1) throws -> Snapshot {
        let header = TripHeader(
            id: id(trip), slug: "t\(trip)", name: "Test", startDate: startDate, timeZone: "UTC", dayCount: 5)
        return Snapshot(
            trip: try Trip(header: header, version: version, items: []), epoch: epoch, problems: [])
    }

    /// A trip with custom items on day 1, at a version.
    static func snapshot(_ version: Int, epoch: String = "a", items count: Int) throws -> Snapshot {
        let header = TripHeader(
            id: id(1), slug: "t1", name: "Test", startDate: startDate, timeZone: "UTC", dayCount: 5)
        let items = (1..<count + 1).map { number in
            Item(
                id: item(number), position: Position(day: 1, sortOrder: Double(number)),
                content: .custom(CustomItem(title: "Item \(number)")), version: 1,
                modifiedAt: Timestamp(milliseconds: 0), modifiedBy: "Zoe")
        }
        return Snapshot(
            trip: try Trip(header: header, version: version, items: items), epoch: epoch, problems: [])
    }

    /// The item of that number.
    static func item(_ number: Int) -> ItemID {
        ItemID(high: 0x4000, low: 0x8000_0000_0000_0000 | UInt64(number))
    }

    private static var startDate: CalendarDate {
        guard let date = CalendarDate("2026-06-11") else { preconditionFailure("there is such a date") }
        return date
    }
}
