/// Zones for times of which only the offset from UTC is known.
package enum OffsetZone {
    /// Zones with offsets that are no whole hours.
    private static let others = [
        "Asia/Kolkata", "Asia/Kathmandu", "Asia/Yangon", "Asia/Kabul", "Asia/Tehran", "Australia/Darwin",
        "Australia/Adelaide", "Australia/Eucla", "Pacific/Chatham", "Pacific/Marquesas", "America/St_Johns",
    ]

    /// A zone with this offset at a moment; nil if none is known.
    package static func name(ofOffset seconds: Int, at moment: Int64) -> String? {
        fixedName(ofOffset: seconds)
            ?? others.first { WallClock(zone: $0)?.offset(atSecondsSince1970: moment) == seconds }
    }

    /// The zone that always has this offset; nil if there is none.
    package static func fixedName(ofOffset seconds: Int) -> String? {
        if seconds == 0 { return "UTC" }
        guard seconds % 3600 == 0 else { return nil }
        // POSIX counts offsets westward.
        let name = "Etc/GMT\(seconds < 0 ? "+" : "-")\(abs(seconds) / 3600)"
        return TimeZoneName.isKnown(name) ? name : nil
    }
}
