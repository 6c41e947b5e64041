/// What text may hold that one person writes and another's terminal shows.
public enum TextRule: Sendable {
    /// One line: no control characters at all.
    case line(Limit)
    /// A note: newlines too.
    case note
    /// An address of the web or of a mailbox.
    case url

    /// The most bytes of it.
    package var limit: Limit {
        switch self {
        case .line(let limit): limit
        case .note: .noteBytes
        case .url: .urlBytes
        }
    }

    /// The schemes that an address may have: whatever else a link could name, such as a script, is nobody's to click.
    private static let schemes = ["http://", "https://", "mailto:"]

    /// Refuses text that is too long, carries control characters or bidirectional overrides, or piles up marks.
    ///
    /// - Parameters:
    ///   - text: the text to look at.
    ///   - field: its name on the wire, for the refusal.
    public func check(_ text: String, field: String) throws(Rejection) {
        try check(text, field: field, isNew: true)
    }

    /// The same; what is not new was let in by a rule that refused less, and a trip is whole all the same.
    func check(_ text: String, field: String, isNew: Bool) throws(Rejection) {
        let limit = limit
        let allowsNewline = if case .note = self { true } else { false }
        guard text.utf8.count <= limit.maximum else { throw .limitExceeded(limit, field: field) }
        if case .url = self { try Self.checkAddress(text, field: field) }
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return }
        var scan = TextScan(isNew: isNew)
        for scalar in text.unicodeScalars where !scan.allows(scalar) {
            if scalar == "\n" && allowsNewline {
                scan.standsApart()
                continue
            }
            throw .textNotAllowed(field: field, scalar: scalar.value)
        }
        // Counted by character: joiners, selectors and spacing marks can stand between marks of one character.
        for character in text {
            let marks = character.unicodeScalars.count(where: Self.isCombiningMark)
            guard marks <= TripLimits.combiningMarks else {
                throw .limitExceeded(.combiningMarks, field: field)
            }
        }
        if isNew, Self.longestPile(of: text) > TripLimits.combiningMarks {
            throw .limitExceeded(.combiningMarks, field: field)
        }
    }

    /// The most marks that a terminal draws on one place: what takes no place between them begins another character, and
    /// leaves them where they are.
    private static func longestPile(of text: String) -> Int {
        var (pile, longest) = (0, 0)
        for scalar in text.unicodeScalars {
            if isCombiningMark(scalar) {
                pile += 1
                longest = max(longest, pile)
            } else if scalar.properties.generalCategory != .format,
                !scalar.properties.isDefaultIgnorableCodePoint, !scalar.properties.isVariationSelector
            {
                pile = 0
            }
        }
        return longest
    }

    private static func checkAddress(_ text: String, field: String) throws(Rejection) {
        let start = text.prefix(8).lowercased()
        let scheme = schemes.first { start.hasPrefix($0) }
        guard let scheme, text.utf8.count > scheme.utf8.count, !text.contains(where: \.isWhitespace) else {
            throw .invalid(
                field: field, "an address begins with http://, https:// or mailto: and has no blanks")
        }
    }

    /// Text with what another person's terminal must not get written out, as `U+001B`.
    public static func visible(_ text: String) -> String { visible(text, keepingNewlines: false) }

    /// The same, perhaps with its line breaks as they are.
    package static func visible(_ text: String, keepingNewlines: Bool) -> String {
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
        var visible = ""
        var scan = TextScan()
        for scalar in text.unicodeScalars {
            if scan.allows(scalar) {
                visible.unicodeScalars.append(scalar)
                continue
            }
            scan.standsApart()
            if keepingNewlines && scalar == "\n" {
                visible.unicodeScalars.append(scalar)
            } else {
                let code = String(scalar.value, radix: 16, uppercase: true)
                visible += "U+" + String(repeating: "0", count: max(0, 4 - code.count)) + code
            }
        }
        return visible
    }

    /// Whether it counts as a mark on the character before it.
    package static func isCombiningMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        guard !scalar.properties.isVariationSelector else { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return true
        default: return false
        }
    }
}
