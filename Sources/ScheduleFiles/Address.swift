import Foundation

/// The venue and the city in an address that is one text, as people and programs of many countries write it.
///
/// Its parts are separated by commas or line breaks. Streets, postcodes, regions and countries are recognized; a city that
/// cannot be told from these is left out.
struct Address {
    /// The first part.
    private(set) var venue: String?
    private(set) var city: String?
    /// The first address on the web.
    private(set) var link: String?
    /// Whether it has a street that is neither the venue nor the city.
    private(set) var hasStreet = false

    init(_ text: String) {
        var parts = split(text)
        dropRegions(&parts)
        guard let first = parts.first else { return }
        if !first.hasNoLetters { venue = first.text }
        let others = parts.dropFirst()
        let coded = others.lastIndex { $0.hasPostcode }
        // Behind the city stands its region or its postcode.
        let named = coded.flatMap { index in
            others[index].city ?? (index > 1 ? parts[index - 1].cityBeforePostcode : nil)
        }
        city = named ?? others.last { !$0.isStreet && $0.city != nil }?.city
        hasStreet = others.contains { $0.isStreet || $0.hasNoLetters && !$0.isPostcode }
    }

    private mutating func split(_ text: String) -> [AddressPart] {
        var words: [Substring] = []
        for word in text.split(separator: " ") {
            if word.contains("://") || word.lowercased().hasPrefix("www.") {
                if link == nil { link = String(word.trimming { ",;()<>".contains($0) }) }
                words.append(",")
            } else {
                words.append(word)
            }
        }
        let separators: (Character) -> Bool = {
            $0 == "," || $0 == ";" || $0.isNewline || $0 == "·" || $0 == "|"
        }
        var parts = words.joined(separator: " ").split(whereSeparator: separators)
        if parts.count == 1 {
            // Addresses of the Gulf: Downtown Dubai - Dubai - United Arab Emirates.
            let pieces = text.split(separator: " - ")
            if pieces.count > 2, let last = pieces.last, Region.isCountry(String(last)) { parts = pieces }
        }
        return parts.map { AddressPart($0.trimming(\.isWhitespace)) }.filter { !$0.text.isEmpty }
    }

    /// Drops countries, regions and lone postcodes at the end, as long as something stands before them.
    private func dropRegions(_ parts: inout [AddressPart]) {
        var postcode: AddressPart?
        while parts.count > 1, let last = parts.last {
            if last.isPostcode {
                postcode = last
            } else {
                let isOnlyCity = parts.count == 2 || parts[parts.count - 2].isStreet
                let isRegion = Region.isCountry(last.text) || Region.isCode(last.text)
                guard
                    isRegion && !(isOnlyCity && Region.isCityState(last.text))
                        || Region.isRegion(last.text) && !isOnlyCity
                else { break }
            }
            parts.removeLast()
        }
        // It tells that the city stands before it.
        if let postcode, parts.count > 1 { parts.append(postcode) }
    }
}

/// One part of an address.
private struct AddressPart {
    let text: String
    private let words: [Substring]
    /// The words without a postcode; nil if there is none.
    private let uncoded: [Substring]?

    init(_ part: Substring) {
        text = String(part)
        words = part.split(separator: " ")
        uncoded = Self.withoutPostcode(words)
    }

    var hasNoLetters: Bool { !text.contains(where: \.isLetter) }
    var hasPostcode: Bool { uncoded != nil && !hasStreetWord }
    /// Whether it is a postcode and nothing else, or a region with one.
    var isPostcode: Bool { uncoded?.isEmpty == true }

    /// Whether it begins or ends with the number of a house, or has a word for a street.
    var isStreet: Bool {
        if hasStreetWord { return true }
        guard uncoded == nil, words.count > 1, let first = words.first, let last = words.last else {
            return false
        }
        return Self.isHouseNumber(first) || Self.isHouseNumber(last) && !Self.hasDistricts(words)
    }

    /// The city, if this part names one: without its postcode, region and district.
    var city: String? {
        guard !hasStreetWord, !hasNoLetters else { return nil }
        var rest = uncoded ?? words
        if Self.hasDistricts(rest) { rest.removeLast() }
        if let index = rest.firstIndex(where: { $0.lowercased() == "cedex" }) {
            rest.removeSubrange(index...)
        }
        if let last = rest.last, last.hasPrefix("("), rest.count > 1 { rest.removeLast() }
        if rest.count > 2, rest[rest.count - 2] == "-", Region.isCode(String(rest[rest.count - 1])) {
            rest.removeLast(2)
        }
        if uncoded != nil, rest.count > 1, let last = rest.last, Region.isCode(String(last)),
            rest.dropLast().contains(where: { $0.contains(where: \.isLowercase) })
        {
            rest.removeLast()
        }
        var name = rest.joined(separator: " ")
        // Şişli/İstanbul
        if uncoded != nil, let slash = name.lastIndex(of: "/") {
            name = String(name[name.index(after: slash)...])
        }
        guard name.contains(where: \.isLetter), !(uncoded != nil && Region.isRegion(name)) else { return nil }
        return name
    }

    /// The city, if a part with only a postcode follows.
    var cityBeforePostcode: String? { isStreet && !Self.hasDistricts(words) ? nil : city }

    // MARK: Streets

    private static let endWords: Set<String> = [
        "street", "st", "road", "rd", "avenue", "ave", "av", "lane", "ln", "drive", "dr", "boulevard", "blvd",
        "way", "highway",
        "hwy", "parkway", "pkwy", "court", "terrace", "quay", "crescent", "embankment", "broadway", "straße",
        "strasse", "str",
        "vej", "gade", "straat", "laan", "plein", "utca", "út", "tér", "caddesi", "cad", "sokak", "bulvarı",
    ]
    private static let startWords: Set<String> = [
        "rue", "avenue", "av", "boulevard", "bd", "place", "quai", "allée", "via", "viale", "piazza",
        "piazzale", "corso",
        "calle", "c/", "avenida", "avda", "carrer", "passeig", "paseo", "plaza", "calz", "calzada", "rua",
        "praça", "plaça",
        "ulica", "ul", "aleja", "aleje", "náměstí", "třída", "ул", "улица", "проспект", "пр", "jl", "jalan",
        // Within a building.
        "room", "hall", "suite", "gate", "floor", "level", "unit", "box",
    ]
    /// Ends of one long word.
    private static let endings = [
        "straße", "strasse", "str.", "gasse", "allee", "platz", "straat", "laan", "gracht", "plein", "gatan",
        "gata",
        "vägen", "gade", "-ro", "-gil", "katu",
    ]
    private static let directions: Set<Substring> = ["N", "S", "E", "W", "NE", "NW", "SE", "SW"]

    private var hasStreetWord: Bool {
        let bare = words.drop { Self.isHouseNumber($0) }.map {
            $0.lowercased().trimming { "().".contains($0) }
        }
        guard bare.count > 1 || words.count > bare.count, let first = bare.first else {
            return words.contains(where: Self.hasStreetEnding)
        }
        let last = words.last { !Self.isHouseNumber($0) && !Self.directions.contains($0) }
        return Self.startWords.contains(String(first))
            || last.map { Self.endWords.contains(String($0.lowercased().trimming { $0 == "." })) } ?? false
            || words.contains(where: Self.hasStreetEnding)
    }

    private static func hasStreetEnding(_ word: Substring) -> Bool {
        word.count > 6 && endings.contains(where: word.lowercased().hasSuffix)
    }

    /// `5`, `12a`, `12-14`, `1-3-61`, `12/3`: at most three digits together.
    private static func isHouseNumber(_ word: Substring) -> Bool {
        guard word.first?.isNumber == true, !word.hasSuffix("."), !word.hasSuffix("th"), !word.hasSuffix("e")
        else {
            return false
        }
        return word.split(whereSeparator: { "-/–".contains($0) }).allSatisfy { piece in
            let digits = piece.prefix(while: \.isNumber)
            return (1...4).contains(digits.count) && piece.count - digits.count <= 1
        }
    }

    /// Whether they are a city with the number of a district, such as Dublin 3.
    private static func hasDistricts(_ words: [Substring]) -> Bool {
        guard words.count > 1, let last = words.last, last.count <= 2, last.allSatisfy(\.isNumber) else {
            return false
        }
        let cities: Set<String> = [
            "dublin", "praha", "prague", "paris", "wien", "vienna", "bratislava", "budapest", "lyon",
            "marseille", "lisboa",
        ]
        return cities.contains(words[words.count - 2].lowercased())
    }

    // MARK: Postcodes

    /// The words without a postcode at their beginning or end; nil if there is none.
    private static func withoutPostcode(_ words: [Substring]) -> [Substring]? {
        func rest(from start: Int, count: Int) -> [Substring] {
            var rest = words
            rest.removeSubrange(start..<start + count)
            return rest
        }
        guard let first = words.first, let last = words.last else { return nil }
        if words.count > 1 {
            if isPostcode(words[0], words[1]) { return rest(from: 0, count: 2) }
            if isPostcode(words[words.count - 2], last) { return rest(from: words.count - 2, count: 2) }
        }
        if isPostcode(first) { return rest(from: 0, count: 1) }
        if isPostcode(last), words.count > 1 { return rest(from: words.count - 1, count: 1) }
        return nil
    }

    /// One word: `80538`, `D-80538`, `00-901`, `4350-415`, `112-0004`, `C1428`, `10001-1234`.
    private static func isPostcode(_ word: Substring) -> Bool {
        var code = word
        if let first = code.first, first == "〒" { code.removeFirst() }
        let letters = code.prefix { $0.isASCII && $0.isUppercase }
        if letters.count <= 3, !letters.isEmpty {
            code = code[letters.endIndex...]
            if code.first == "-" { code.removeFirst() } else if letters.count > 1 { return false }
        }
        // Letters may follow: C1428BCC.
        if letters.count == 1 { code = code.prefix { $0.isNumber || $0 == "-" } }
        let pieces = code.split(separator: "-", omittingEmptySubsequences: false)
        guard pieces.count <= 2, pieces.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isNumber) }) else {
            return false
        }
        let digits = pieces.reduce(0) { $0 + $1.count }
        return pieces.count == 1 ? (4...7).contains(digits) : digits >= 5 && pieces.contains { $0.count >= 3 }
    }

    /// Two words: `M16 0RA`, `M5J 2X2`, `1012 JS`, `114 33`, `SE-114 33`, `D03 P6K7`.
    private static func isPostcode(_ first: Substring, _ second: Substring) -> Bool {
        func shape(_ word: Substring) -> String {
            String(word.map { $0.isNumber ? "9" : $0.isASCII && $0.isUppercase ? "A" : $0 })
        }
        let (one, two) = (shape(first), shape(second))
        let isBritish = ["A9", "A99", "AA9", "AA99", "A9A", "AA9A"].contains(one) && two == "9AA"
        let isCanadian = one == "A9A" && two == "9A9"
        let isIrish =
            (one == "A99" || one == "A9A") && two.count == 4 && two.first == "A" && two.contains("9")
        let isDutch = one == "9999" && two == "AA"
        let isSpaced = ["999", "AA-999", "A-999"].contains(one) && (two == "99" || two == "999")
        return isBritish || isCanadian || isIrish || isDutch || isSpaced
    }
}

/// Names of countries and of their parts.
private enum Region {
    static func isCountry(_ name: String) -> Bool { countries.contains(folded(name)) }

    /// Whether a country's name is also that of its only city.
    static func isCityState(_ name: String) -> Bool {
        [
            "singapore", "singapur", "monaco", "luxembourg", "luxemburg", "hong kong", "macau", "macao",
            "gibraltar", "san marino",
        ]
        .contains(folded(name))
    }

    /// Whether it is an abbreviation such as `NY`, `NSW` or `CDMX`.
    static func isCode(_ name: String) -> Bool {
        let isShort = name.count == 2 && name.allSatisfy { $0.isASCII && $0.isUppercase }
        return isShort || ["NSW", "VIC", "QLD", "TAS", "ACT", "CDMX"].contains(name)
    }

    /// Whether it is a region in which postcodes stand behind the region and not behind the city.
    static func isRegion(_ name: String) -> Bool { isCode(name) || regions.contains(folded(name)) }

    private static func folded(_ name: String) -> String { name.lowercased().filter { $0 != "." } }

    private static let countries: Set<String> = {
        var names: Set<String> = [
            "uk", "usa", "us", "uae", "england", "scotland", "wales", "northern ireland", "great britain",
            "holland",
            "the netherlands", "czech republic", "turkey", "korea", "republic of korea", "schottland",
            "écosse", "hrvatska",
            "slovenija", "slovensko", "srbija", "lietuva", "latvija", "eesti", "ísland", "българия",
            "україна", "ελλάδα",
        ]
        // Not those in which a country is called like the capital of another language: Tunis.
        let languages = [
            "en", "de", "fr", "es", "it", "pt", "nl", "da", "sv", "nb", "fi", "pl", "cs", "hu", "ro", "tr",
            "ru", "ja", "ko", "zh",
        ]
        let codes = Locale.Region.isoRegions.map(\.identifier).filter {
            $0.count == 2 && $0.allSatisfy(\.isLetter)
        }
        for language in languages {
            let locale = Locale(identifier: language)
            for code in codes {
                if let name = locale.localizedString(forRegionCode: code) { names.insert(folded(name)) }
            }
        }
        return names
    }()

    private static let regions: Set<String> = Set(
        """
        alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois indiana
        iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska
        nevada ohio oklahoma oregon pennsylvania tennessee texas utah vermont virginia wisconsin wyoming ontario quebec québec
        manitoba saskatchewan alberta maharashtra karnataka telangana gujarat kerala rajasthan punjab haryana bihar assam goa
        odisha jharkhand victoria queensland tasmania
        """.split(whereSeparator: \.isWhitespace).map(String.init)
    ).union([
        "new hampshire", "new jersey", "new mexico", "north carolina", "north dakota", "rhode island",
        "south carolina",
        "south dakota", "west virginia", "british columbia", "nova scotia", "new brunswick", "tamil nadu",
        "west bengal",
        "uttar pradesh", "madhya pradesh", "andhra pradesh", "new south wales", "south australia",
        "western australia",
    ])
}

extension StringProtocol {
    fileprivate func trimming(_ isSurplus: (Character) -> Bool) -> SubSequence {
        var rest = self[...]
        while let first = rest.first, isSurplus(first) { rest.removeFirst() }
        while let last = rest.last, isSurplus(last) { rest.removeLast() }
        return rest
    }
}
