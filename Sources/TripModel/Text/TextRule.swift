/// The kinds of text that may be shown on another user's terminal.
package enum TextRule: Sendable {
    /// One line, without control characters.
    case line(Limit)
    /// A note, which may contain line breaks.
    case note
    /// A web or mail address.
    case url

    /// The maximum length.
    package var limit: Limit {
        switch self {
        case .line(let limit): limit
        case .note: .noteBytes
        case .url: .urlBytes
        }
    }

    /// The allowed schemes. Others, such as scripts, would be dangerous to click.
    private static let schemes = ["http://", "https://", "mailto:"]

    /// Rejects text that is too long, contains control characters or bidirectional overrides, or has too many
    /// combining marks on one character.
    ///
    /// - Parameter field: the field's name in the protocol, for the refusal.
    public func check(_ text: String, field: String) throws(Rejection) {
        try check(text, field: field, isNew: true)
    }

    /// Checks text. Stored text (not `isNew`) was accepted under older, weaker rules and stays valid.
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
        // Counted per character: joiners, selectors and spacing marks may be between the marks of one
        // character.
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

    /// The largest number of marks that a terminal draws on one cell. A scalar without width begins a new
    /// character, but not a new cell.
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
                field: field, "an address begins with http://, https:// or mailto: and has no spaces")
        }
    }

    /// Text with forbidden characters spelled out, such as `U+001B`.
    public static func visible(_ text: String) -> String { visible(text, keepingNewlines: false) }

    /// Text with forbidden characters spelled out, optionally except line breaks.
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

    /// Whether it counts as a combining mark.
    package static func isCombiningMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        guard !scalar.properties.isVariationSelector else { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return true
        default: return false
        }
    }
}

/// `1 day`, `3 days`.
package func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}

/// The text with its first letter as a capital.
package func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
}
