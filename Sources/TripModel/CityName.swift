import Foundation

/// A city's name as it compares: without case, accents or extra space.
struct CityName: Hashable, Sendable {
    private let folded: String

    /// Nil where nothing is left of the name.
    init?(_ name: String) {
        // Accents need the Unicode tables, which the toolchain's Foundation has; most names never get there.
        let plain =
            name.utf8.allSatisfy { $0 < 0x80 }
            ? name.lowercased()
            : name.folding(
                options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        folded = plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if folded.isEmpty { return nil }
    }
}

/// The cities that a travel leads between, as their names compare.
struct TravelEnds {
    let from: CityName?
    let to: CityName?

    init(of travel: Travel) {
        from = CityName(travel.fromCity)
        to = CityName(travel.toCity)
    }
}
