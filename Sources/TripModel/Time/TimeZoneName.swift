import Foundation

/// The valid names of time zones: those of the IANA database, including its links.
///
/// The zones come with the toolchain's Foundation, so they are the same on every machine, even without
/// `/usr/share/zoneinfo`. But Foundation also accepts names that are not in the database: those of early
/// Java, where `BST` is Bangladesh, and offsets such as `UTC+3`. Therefore a name must also have the
/// database's form: a known area and a place, or one of the names without an area, a list unchanged since
/// 1993.
package enum TimeZoneName {
    /// The part of a name before the first slash.
    private static let areas: Set<String> = [
        "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Brazil", "Canada",
        "Chile", "Etc", "Europe", "Indian", "Mexico", "Pacific", "US",
    ]
    private static let withoutArea: Set<String> = [
        "CET", "CST6CDT", "Cuba", "EET", "EST", "EST5EDT", "Egypt", "Eire", "Factory", "GB", "GB-Eire", "GMT",
        "GMT+0", "GMT-0", "GMT0", "Greenwich", "HST", "Hongkong", "Iceland", "Iran", "Israel", "Jamaica",
        "Japan", "Kwajalein", "Libya", "MET", "MST", "MST7MDT", "NZ", "NZ-CHAT", "Navajo", "PRC", "PST8PDT",
        "Poland", "Portugal", "ROC", "ROK", "Singapore", "Turkey", "UCT", "UTC", "Universal", "W-SU", "WET",
        "Zulu",
    ]
    /// Former names of the database that Foundation still accepts.
    private static let dropped: Set<String> = ["Canada/East-Saskatchewan", "US/Pacific-New"]

    /// Whether the database has a zone of that name. Case matters.
    package static func isKnown(_ name: String) -> Bool { zone(named: name) != nil }

    /// The zone of a name; nil if the database has none.
    static func zone(named name: String) -> TimeZone? {
        let area = name.prefix { $0 != "/" }
        let hasForm = area.count == name.count ? withoutArea.contains(name) : areas.contains(String(area))
        // Foundation reads a name only up to its first NUL.
        guard hasForm, name.utf8.allSatisfy(isOfName), !dropped.contains(name) else { return nil }
        return TimeZone(identifier: name)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "+"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// All names, sorted.
    package static var all: [String] {
        (["UTC"] + TimeZone.knownTimeZoneIdentifiers.filter(isKnown)).sorted()
    }

    /// The name that equals the given one except for case; nil if there is none.
    package static func known(ignoringCase name: String) -> String? {
        let plain = name.lowercased()
        return withoutArea.first { $0.lowercased() == plain }
            ?? TimeZone.knownTimeZoneIdentifiers.first { $0.lowercased() == plain }.flatMap {
                isKnown($0) ? $0 : nil
            }
    }

    /// The zone that a name stands for: a zone's name in any case, or a place that only one zone has, such as
    /// `tokyo`.
    package static func meant(by name: String) -> String? {
        if let known = known(ignoringCase: name) { return known }
        let place = "/" + name.lowercased().split(separator: " ").joined(separator: "_")
        let found = TimeZone.knownTimeZoneIdentifiers.filter {
            $0.lowercased().hasSuffix(place) && isKnown($0)
        }
        return found.count == 1 ? found.first : nil
    }

    /// The reason for refusing a name, with a suggestion if there is one.
    package static func refusal(of name: String) -> String {
        let needed = "an IANA zone like America/New_York is needed"
        return suggestion(for: name).map { "\(needed), perhaps \($0); none is called \(name)" }
            ?? "\(needed); none is called \(name)"
    }

    // MARK: Suggestions

    /// Common abbreviations of clocks and calendars.
    private static let abbreviations: [String: String] = [
        "ACST": "Australia/Darwin", "ADT": "America/Halifax", "AEDT": "Australia/Sydney",
        "AEST": "Australia/Sydney", "AKDT": "America/Anchorage", "AKST": "America/Anchorage",
        "ART": "America/Argentina/Buenos_Aires", "AST": "America/Halifax", "AWST": "Australia/Perth",
        "BRT": "America/Sao_Paulo", "BST": "Europe/London", "CAT": "Africa/Maputo", "CDT": "America/Chicago",
        "CEST": "Europe/Berlin", "CLT": "America/Santiago", "COT": "America/Bogota",
        "CST": "America/Chicago", "EAT": "Africa/Nairobi", "ECT": "America/Guayaquil",
        "EDT": "America/New_York", "EEST": "Europe/Athens", "HKT": "Asia/Hong_Kong", "ICT": "Asia/Bangkok",
        "IST": "Asia/Kolkata", "JST": "Asia/Tokyo", "KST": "Asia/Seoul", "MDT": "America/Denver",
        "MEZ": "Europe/Berlin", "MSK": "Europe/Moscow", "NDT": "America/St_Johns", "NST": "America/St_Johns",
        "NZDT": "Pacific/Auckland", "NZST": "Pacific/Auckland", "PDT": "America/Los_Angeles",
        "PET": "America/Lima", "PHT": "Asia/Manila", "PKT": "Asia/Karachi", "PST": "America/Los_Angeles",
        "SAST": "Africa/Johannesburg", "SGT": "Asia/Singapore", "SST": "Pacific/Pago_Pago", "UT": "UTC",
        "WAT": "Africa/Lagos", "WEST": "Europe/Lisbon", "WIB": "Asia/Jakarta", "Z": "UTC",
    ]

    /// The zone that an unknown name probably stands for.
    package static func suggestion(for name: String) -> String? {
        if let meant = abbreviations[name.uppercased()] { return meant }
        if let meant = fixedOffset(name) { return meant }
        let plain = name.lowercased().split(separator: " ").joined(separator: "_")
        return withoutArea.first { $0.lowercased() == plain }
            ?? TimeZone.knownTimeZoneIdentifiers.first { known in
                let known = known.lowercased()
                return known == plain || known.hasSuffix("/" + plain)
            }
    }

    /// The database's name for `UTC+3`. Its sign is reversed: it is what must be added to reach Greenwich
    /// time.
    private static func fixedOffset(_ name: String) -> String? {
        for prefix in ["UTC", "GMT"] where name.hasPrefix(prefix) {
            let rest = name.dropFirst(prefix.count)
            guard let sign = rest.first, sign == "+" || sign == "-",
                let hours = Int(rest.dropFirst().prefix { $0 != ":" })
            else { continue }
            let zone = "Etc/GMT\(sign == "+" ? "-" : "+")\(hours)"
            return isKnown(zone) ? zone : nil
        }
        return nil
    }
}
