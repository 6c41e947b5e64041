import TripModel

/// Cleans text of files so that a trip accepts it. Nothing is refused, but changes are reported.
enum EntryText {
    /// The result of cleaning a text.
    struct Outcome {
        /// The cleaned text; nil if nothing is left.
        var text: String?
        /// A description of the changes; nil if there were none.
        var change: String?
    }

    /// One line of at most `limit` bytes; line breaks become spaces.
    static func line(_ raw: String, most limit: Int = TripLimits.textBytes) -> Outcome {
        made(raw, limit: limit, isNote: false)
    }

    /// A note, cut to its maximum length.
    static func note(_ raw: String) -> Outcome {
        made(raw, limit: TripLimits.noteBytes, isNote: true)
    }

    /// An id of at most `limit` bytes. A cut id ends with a checksum of the whole, so that different ids stay
    /// different.
    static func id(_ raw: String, most limit: Int) -> Outcome {
        let outcome = made(raw, limit: Int.max, isNote: false)
        guard let text = outcome.text, text.utf8.count > limit else { return outcome }
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let tail = "~" + String(sum, radix: 16)
        return Outcome(
            text: cut(text, to: limit - tail.utf8.count) + tail, change: "is cut at \(limit) bytes")
    }

    private static func made(_ raw: String, limit: Int, isNote: Bool) -> Outcome {
        if raw.utf8.count <= limit, raw.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
            return Outcome(text: trimmed(raw), change: nil)
        }
        var cleaned = String.UnicodeScalarView()
        var isClean = true
        var hasMarks = false
        var previous: Unicode.Scalar?
        var scan = TextScan()
        for scalar in raw.unicodeScalars {
            let isAllowed = scan.allows(scalar)
            switch scalar {
            case "\r": cleaned.append(isNote ? "\n" : " ")
            case "\n": if previous != "\r" { cleaned.append(isNote ? "\n" : " ") }
            case _ where isAllowed:
                cleaned.append(scalar)
                if TextRule.isCombiningMark(scalar) { hasMarks = true }
            default:
                isClean = false
                if scalar == "\t" || scalar.value == 0x2028 || scalar.value == 0x2029 { cleaned.append(" ") }
            }
            // The scalar was replaced by a space or a line break.
            if !isAllowed, "\r\n\t\u{2028}\u{2029}".unicodeScalars.contains(scalar) { scan.standsApart() }
            previous = scalar
        }
        var text = String(cleaned)
        if hasMarks {
            let before = text.utf8.count
            text = withFewerMarks(text)
            if text.utf8.count != before { isClean = false }
        }
        let change = isClean ? nil : "had characters that are not allowed"
        guard let text = trimmed(text) else { return Outcome(text: nil, change: change) }
        guard text.utf8.count > limit else { return Outcome(text: text, change: change) }
        return Outcome(text: trimmed(cut(text, to: limit)), change: "is cut at \(limit) bytes")
    }

    /// Removes combining marks beyond the maximum per character.
    private static func withFewerMarks(_ text: String) -> String {
        var kept = String.UnicodeScalarView()
        for character in text {
            var marks = 0
            for scalar in character.unicodeScalars {
                if TextRule.isCombiningMark(scalar) { marks += 1 }
                if marks <= TripLimits.combiningMarks || !TextRule.isCombiningMark(scalar) {
                    kept.append(scalar)
                }
            }
        }
        return String(kept)
    }

    /// The text cut to at most `limit` bytes, between two scalars.
    static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: limit)
        while String.Index(end, within: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return String(text.unicodeScalars[..<end])
    }

    /// The text without surrounding white space; nil if nothing is left.
    static func trimmed(_ text: String) -> String? {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A }
        var rest = Substring(text).utf8
        while let first = rest.first, isSpace(first) { rest.removeFirst() }
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        let whole = rest.count == text.utf8.count ? text : String(Substring(rest))
        if let first = whole.utf8.first, (0x21...0x7E).contains(first) { return whole }
        return whole.allSatisfy(\.isWhitespace) ? nil : whole
    }
}
