import Foundation

extension TripHeader {
    /// The slug that a name gives, folded to `a-z`, `0-9` and single hyphens; empty if nothing is left of it.
    ///
    /// This is the only way from a name to a slug: whoever looks for the trip of a name finds the one that was made of
    /// it.
    package static func slug(of name: String) -> String {
        let folded = name.folding(
            options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        var slug = ""
        for scalar in folded.lowercased().unicodeScalars {
            switch scalar {
            case "a"..."z", "0"..."9": slug.unicodeScalars.append(scalar)
            default:
                if let letters = lettersWithoutBase[scalar] {
                    slug += letters
                } else if !slug.isEmpty, slug.last != "-" {
                    slug.append("-")
                }
            }
        }
        slug = String(slug.prefix(63))
        while slug.last == "-" { slug.removeLast() }
        return isSlug(slug) ? slug : ""
    }

    /// Letters that are no other letter with a mark, as people write them where they have no other.
    private static let lettersWithoutBase: [Unicode.Scalar: String] = [
        "æ": "ae", "ð": "d", "ø": "o", "þ": "th", "ß": "ss", "đ": "d", "ħ": "h", "ı": "i", "ĸ": "k", "ł": "l",
        "ŋ": "ng", "œ": "oe", "ŧ": "t", "ə": "e", "ƒ": "f",
    ]
}
