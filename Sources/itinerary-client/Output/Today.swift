import LocalSystem
import TripModel

/// The date and the zone of the machine's clock.
enum Today {
    /// The IANA name of the machine's time zone; `UTC` if it has none.
    ///
    /// - Throws: `CommandFailure` if `TZ` is invalid.
    static var zone: String {
        get throws(CommandFailure) {
            do throws(MachineZone.Unknown) { return try machineZone() } catch {
                let right =
                    TimeZoneName.suggestion(for: error.text).map { "did you mean \($0)?" }
                    ?? "an example is Europe/Berlin"
                throw .usage(
                    "TZ is \(PlainText.visible(error.text)), but no IANA time zone is called that; \(right)")
            }
        }
    }

    /// The zone as an editable default: an invalid `TZ` is returned unchanged.
    static var zoneToOffer: String {
        do throws(MachineZone.Unknown) { return try machineZone() } catch { return error.text }
    }

    private static func machineZone() throws(MachineZone.Unknown) -> String {
        try MachineZone.name(where: TimeZoneName.isKnown)
    }

    /// The present date in that zone, or in UTC if it is invalid.
    static var date: CalendarDate { date(in: zoneToOffer) ?? date(in: "UTC") ?? .epoch }

    /// The present instant in seconds since 1970.
    static var seconds: Int64 { LocalSystem.WallClock.nowMilliseconds / 1000 }

    /// The present date by the clock of where the travellers of a trip are.
    static func date(in trip: Trip) -> CalendarDate {
        let clocks = TripClocks(trip)
        let zone = clocks.zone(at: seconds)
        return date(in: zone) ?? date
    }

    /// The present date in a zone; nil if the zone is unknown or the date outside the supported years.
    static func date(in zone: String) -> CalendarDate? {
        return TripModel.WallClock(zone: zone)?.time(atSecondsSince1970: seconds)?.date
    }
}
