import TripModel

/// A URL of an item that can be opened in another program.
struct Link: Equatable, Sendable {
    /// The label in a list.
    let label: String
    /// A URL that begins with `http:`, `https:` or `mailto:`.
    let address: String

    /// The item's link, and a map link for its place.
    static func all(of item: Item) -> [Link] {
        var links: [Link] = []
        if case .text(let url)? = item.content[.url], isOpened(url) {
            links.append(Link(label: "The link", address: url))
        }
        if case .coordinate(let point)? = item.content[.coordinate] {
            let place = "\(point.latitude)&mlon=\(point.longitude)"
            links.append(
                Link(label: "The place on a map", address: "https://www.openstreetmap.org/?mlat=\(place)"))
        } else if let words = placeWords(of: item) {
            links.append(
                Link(
                    label: "The place on a map",
                    address: "https://www.openstreetmap.org/search?query=\(escaped(words))"))
        }
        return links
    }

    private static func isOpened(_ url: String) -> Bool {
        ["http://", "https://", "mailto:"].contains { url.lowercased().hasPrefix($0) }
    }

    /// A map query: an address or a venue, with the city; a city alone is too vague.
    private static func placeWords(of item: Item) -> String? {
        func text(_ field: ItemField) -> String? {
            if case .text(let text)? = item.content[field] { text } else { nil }
        }
        guard let place = text(.place) ?? text(.venue) else { return nil }
        let city: String? = if case .game(let game) = item.content { game.effectiveCity } else { text(.city) }
        return [place, city].compactMap { $0 }.joined(separator: ", ")
    }

    /// Text percent-encoded for a URL.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }
}

extension EditorState {
    /// Opens the link or the place of the focused item; if it has both, the user chooses.
    mutating func openLink() {
        guard let item = board?.item else { return refuse("A day has no link.") }
        let links = Link.all(of: item)
        switch links.count {
        case 0: refuse("\(item.content.title) has no link and no place; e edits them.")
        case 1: launch(links[0])
        default:
            let choices = links.map { Chooser.Choice(text: $0.label, detail: $0.address) }
            begin(.choosing(Chooser("Open of \(item.content.title):", .link(links), choices)))
        }
    }

    mutating func launch(_ link: Link) {
        emit(.openLink(link.address))
        say("Opening \(link.address)")
    }
}
