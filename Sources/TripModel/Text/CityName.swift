import Foundation

/// A key for the games of a city that bind travel, or for the others.
struct CityGames: Hashable, Sendable {
    let city: CityName
    let isBinding: Bool
}

/// A city's name for comparison: without case, accents or extra space.
struct CityName: Hashable, Sendable {
    private let folded: String

    /// Nil if nothing is left of the name.
    init?(_ name: String) {
        // Accents need Foundation's Unicode tables. Most names do not get here.
        let plain =
            name.utf8.allSatisfy { $0 < 0x80 }
            ? name.lowercased()
            : name.folding(
                options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        folded = plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if folded.isEmpty { return nil }
    }

    /// The time zone named after the city, such as `America/Los_Angeles`; nil if there is none, or several.
    ///
    /// Zones with two slashes do not count: they are named after smaller places, such as San Juan in Argentina.
    var timeZone: String? {
        let zones = Self.zonesByPlace[folded.replacing(" ", with: "_")]?.filter(TimeZoneName.isKnown)
        return zones?.count == 1 ? zones?.first : nil
    }

    private static let zonesByPlace = Dictionary(
        grouping: TimeZone.knownTimeZoneIdentifiers.filter { $0.utf8.count { $0 == UInt8(ascii: "/") } == 1 },
        by: { $0.lowercased().split(separator: "/").last.map(String.init) ?? "" })
}

/// The cities of a travel, for comparison.
struct TravelEnds: Sendable {
    let from: CityName?
    let to: CityName?

    init(of travel: Travel) {
        from = CityName(travel.fromCity)
        to = CityName(travel.toCity)
    }
}
