/// Text that some programs write with the markup of HTML.
struct HTMLText {
    private var plain = ""
    private var rest: Substring
    /// Whether line breaks are tags, so that those of the text are only spaces.
    private let breaksByTags: Bool
    /// The target of the open link, and the length of the text before it.
    private var link: (target: String, start: Int)?

    /// The text without markup and entities; any other text as it is.
    static func plain(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
            return text
        }
        var reader = HTMLText(text)
        reader.read()
        return reader.breaksByTags ? tidied(reader.plain) : reader.plain
    }

    private init(_ text: String) {
        rest = text[...]
        let lower = text.lowercased()
        breaksByTags = ["<br", "<p>", "<p ", "<div", "<li", "<html"].contains { lower.contains($0) }
    }

    private mutating func read() {
        while let first = rest.first {
            let text = rest.prefix { $0 != "<" && $0 != "&" }
            if !text.isEmpty {
                plain += breaksByTags ? String(text.map { $0.isNewline ? " " : $0 }) : String(text)
                rest = rest[text.endIndex...]
            } else if !(first == "<" ? readTag() : readEntity()) {
                plain.append(rest.removeFirst())
            }
        }
    }

    // MARK: Tags

    private static let blocks: Set<Substring> = [
        "p", "div", "li", "ul", "ol", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre",
        "hr",
    ]
    private static let others: Set<Substring> = [
        "html", "head", "title", "body", "span", "b", "i", "u", "s", "em", "strong", "small", "sub", "sup",
        "font", "a", "img", "td", "th",
        "tbody", "thead", "meta", "o:p", "center", "code", "html-blob",
    ]
    /// Elements without text for people.
    private static let hidden: Set<Substring> = ["style", "script"]

    /// Reads a tag; false if there is none.
    private mutating func readTag() -> Bool {
        var tag = rest.dropFirst().prefix { $0 != ">" && $0 != "<" }
        guard rest[tag.endIndex...].first == ">" else { return false }
        let after = rest[tag.endIndex...].dropFirst()
        if tag.first == "!" {
            rest = after
            return true
        }
        let isEnd = tag.first == "/"
        if isEnd { tag.removeFirst() }
        let name = tag.prefix { $0 != " " && $0 != "/" && !$0.isNewline }.lowercased()[...]
        guard
            name == "br" || Self.blocks.contains(name) || Self.others.contains(name)
                || Self.hidden.contains(name)
        else { return false }
        rest = after
        switch name {
        case "br": plain += "\n"
        case "a" where isEnd: endLink()
        case "a": link = Self.target(tag).map { ($0, plain.utf8.count) }
        case _ where Self.hidden.contains(name) && !isEnd:
            rest = rest[(rest.start(of: "</" + name) ?? rest.endIndex)...]
        case _ where Self.blocks.contains(name): plain += "\n"
        default: break
        }
        return true
    }

    private mutating func endLink() {
        guard let (target, start) = link else { return }
        link = nil
        let text = Substring(plain.utf8.dropFirst(start))
        if !text.contains(target), !target.hasSuffix(text) || text.isEmpty { plain += " (\(target))" }
    }

    /// The address in a link's tag; nil if it has none for people.
    private static func target(_ tag: Substring) -> String? {
        guard let start = tag.start(of: "href=") else { return nil }
        var value = tag[tag.index(start, offsetBy: 5)...]
        if let quote = value.first, quote == "\"" || quote == "'" {
            value = value.dropFirst().prefix { $0 != quote }
        } else {
            value = value.prefix { $0 != " " }
        }
        let target = plain(String(value))
        return target.hasPrefix("http") || target.hasPrefix("mailto:") ? target : nil
    }

    // MARK: Entities

    private static let entities: [Substring: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–", "mdash": "—",
        "hellip": "…",
        "rsquo": "’", "lsquo": "‘", "ldquo": "“", "rdquo": "”", "euro": "€", "pound": "£", "middot": "·",
        "bull": "•",
        "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß",
        "eacute": "é",
        "egrave": "è", "agrave": "à", "ccedil": "ç", "ntilde": "ñ", "deg": "°",
    ]

    /// Reads an entity; false if there is none.
    private mutating func readEntity() -> Bool {
        let name = rest.dropFirst().prefix(8).prefix {
            $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "#")
        }
        guard rest[name.endIndex...].first == ";" else { return false }
        var scalar = Self.entities[name]
        if name.hasPrefix("#") {
            let digits = name.dropFirst()
            let code = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            scalar = code.flatMap(Unicode.Scalar.init)
            if scalar == "\u{A0}" { scalar = " " }
        }
        guard let scalar else { return false }
        plain.unicodeScalars.append(scalar)
        rest = rest[rest.index(after: name.endIndex)...]
        return true
    }

    /// Lines without surrounding and repeated spaces, and never two blank ones together.
    private static func tidied(_ text: String) -> String {
        var lines: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let line = line.split(separator: " ").joined(separator: " ")
            if !line.isEmpty || lines.last.map({ !$0.isEmpty }) ?? false { lines.append(line) }
        }
        return lines.joined(separator: "\n")
    }
}

extension Substring {
    /// The start of the first occurrence of ASCII text in lower case, found in any case.
    fileprivate func start(of text: Substring) -> Index? {
        let wanted = Array(text.utf8)
        var index = startIndex
        while index < endIndex {
            let found = self[index...].utf8.prefix(wanted.count).elementsEqual(wanted) {
                ($0 | 0x20) == ($1 | 0x20)
            }
            if found { return index }
            formIndex(after: &index)
        }
        return nil
    }
}
