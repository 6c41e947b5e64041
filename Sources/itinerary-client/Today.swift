import LocalSystem
import TripModel

/// The date and the zone of the machine's clock.
enum Today {
    /// The machine's time zone, as the database calls it; `UTC` where it has no such name.
    static var zone: String { MachineZone.name(where: TimeZoneName.isKnown) ?? "UTC" }

    /// The date there now.
    static var date: CalendarDate { date(in: zone) ?? .epoch }

    /// The date now in a zone; nil where there is no such zone, or the clock is off by ages.
    static func date(in zone: String) -> CalendarDate? {
        let seconds = LocalSystem.WallClock.nowMilliseconds / 1000
        return TripModel.WallClock(zone: zone)?.time(atSecondsSince1970: seconds)?.date
    }
}
