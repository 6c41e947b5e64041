import TripModel

/// Zones for times of which only the offset from UTC is known.
enum OffsetZone {
    /// Zones with offsets that are no whole hours.
    private static let others = [
        "Asia/Kolkata", "Asia/Kathmandu", "Asia/Yangon", "Asia/Kabul", "Asia/Tehran", "Australia/Darwin",
        "Australia/Adelaide", "Australia/Eucla", "Pacific/Chatham", "Pacific/Marquesas", "America/St_Johns",
    ]

    /// A zone with this offset at a moment; nil if none is known.
    static func name(ofOffset seconds: Int, at moment: Int64) -> String? {
        if seconds == 0 { return "UTC" }
        guard seconds % 3600 == 0 else {
            return others.first { WallClock(zone: $0)?.offset(atSecondsSince1970: moment) == seconds }
        }
        // POSIX counts offsets westward.
        let name = "Etc/GMT\(seconds < 0 ? "+" : "-")\(abs(seconds) / 3600)"
        return TimeZoneName.isKnown(name) ? name : nil
    }
}
