import TripModel

/// Generates slugs from trip names.
enum Slug {
    static let maximumLength = 63

    /// The slug of a name, folded to ASCII; `trip` if nothing is left.
    ///
    /// - Parameter isTaken: whether another trip has a slug; then `-2`, `-3`, … is appended.
    static func make(from name: String, isTaken: (String) -> Bool) -> String {
        var base = TripHeader.slug(of: name)
        if base.isEmpty { base = "trip" }
        if !isTaken(base) { return base }
        func candidate(_ number: Int) -> String {
            let suffix = "-\(number)"
            return trimmed(String(base.prefix(maximumLength - suffix.count))) + suffix
        }
        // The lowest free number up to 64. Beyond it, a binary search for a free number after a taken one,
        // which exists because there are fewer trips than numbers.
        for number in 2...64 where !isTaken(candidate(number)) { return candidate(number) }
        var (taken, free) = (64, 128)
        while isTaken(candidate(free)) { (taken, free) = (free, 2 * free) }
        while free - taken > 1 {
            let middle = (taken + free) / 2
            if isTaken(candidate(middle)) { taken = middle } else { free = middle }
        }
        return candidate(free)
    }

    private static func trimmed(_ text: String) -> String {
        var text = text
        while text.last == "-" { text.removeLast() }
        return text
    }
}
