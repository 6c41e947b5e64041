import TripModel

/// Short names for trips, made from their names.
enum Slug {
    static let maximumLength = 63

    /// The slug that a name gives, folded to ASCII; `trip` if nothing is left of it.
    ///
    /// - Parameter isTaken: whether another trip has a slug; then `-2`, `-3`, … is added.
    static func make(from name: String, isTaken: (String) -> Bool) -> String {
        var base = TripHeader.slug(of: name)
        if base.isEmpty { base = "trip" }
        if !isTaken(base) { return base }
        // There are fewer trips than numbers to try.
        var number = 2
        while true {
            let suffix = "-\(number)"
            let candidate = trimmed(String(base.prefix(maximumLength - suffix.count))) + suffix
            if !isTaken(candidate) { return candidate }
            number += 1
        }
    }

    private static func trimmed(_ text: String) -> String {
        var text = text
        while text.last == "-" { text.removeLast() }
        return text
    }
}
