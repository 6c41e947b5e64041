import Foundation
import LocalSystem
import TripModel

/// The date and the zone of the machine's clock.
enum Today {
    /// The machine's time zone, as the database calls it; `UTC` where it has no such name.
    static var zone: String {
        let name = TimeZone.current.identifier
        return TimeZoneName.isKnown(name) ? name : "UTC"
    }

    /// The date there now.
    static var date: CalendarDate {
        let seconds = LocalSystem.WallClock.nowMilliseconds / 1000
        return TripModel.WallClock(zone: zone)?.time(atSecondsSince1970: seconds)?.date ?? .epoch
    }
}
