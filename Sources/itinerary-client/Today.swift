import LocalSystem
import TripModel

/// The date and the zone of the machine's clock.
enum Today {
    /// The machine's time zone, as the database calls it; `UTC` where it has no such name.
    ///
    /// - Throws: `CommandFailure` where `TZ` says something that cannot be understood.
    static var zone: String {
        get throws(CommandFailure) {
            do throws(MachineZone.Unknown) { return try machineZone() } catch {
                let right =
                    TimeZoneName.suggestion(for: error.text).map { "did you mean \($0)?" }
                    ?? "right is for example Europe/Berlin"
                throw .usage(
                    "TZ is \(PlainText.visible(error.text)), but no IANA time zone is called that; \(right)")
            }
        }
    }

    /// The same for somebody who can put it right: where it cannot be understood, what `TZ` says.
    static var zoneToOffer: String {
        do throws(MachineZone.Unknown) { return try machineZone() } catch { return error.text }
    }

    private static func machineZone() throws(MachineZone.Unknown) -> String {
        try MachineZone.name(where: TimeZoneName.isKnown)
    }

    /// The date there now; that of UTC where the zone cannot be understood.
    static var date: CalendarDate { date(in: zoneToOffer) ?? date(in: "UTC") ?? .epoch }

    /// The date now in a zone; nil where there is no such zone, or the clock is off by ages.
    static func date(in zone: String) -> CalendarDate? {
        let seconds = LocalSystem.WallClock.nowMilliseconds / 1000
        return TripModel.WallClock(zone: zone)?.time(atSecondsSince1970: seconds)?.date
    }
}
