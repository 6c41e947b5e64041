import Foundation

extension TripHeader {
    /// The slug of a name, reduced to `a-z`, `0-9` and single hyphens; empty if nothing is left.
    ///
    /// All slugs of names are made here, so a search by name finds the slug that was made from it.
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

    /// Letters that do not decompose into a base letter and a mark, with their usual replacements.
    private static let lettersWithoutBase: [Unicode.Scalar: String] = [
        "æ": "ae", "ð": "d", "ø": "o", "þ": "th", "ß": "ss", "đ": "d", "ħ": "h", "ı": "i", "ĸ": "k", "ł": "l",
        "ŋ": "ng", "œ": "oe", "ŧ": "t", "ə": "e", "ƒ": "f",
    ]
}
