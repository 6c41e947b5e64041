import TripModel

/// Makes text of files into text that a trip takes: nothing is refused for it, but a person is told.
enum EntryText {
    /// What came of a text.
    struct Outcome {
        /// The text as a trip takes it; nil where nothing is left of it.
        var text: String?
        /// What was done to it, in words; nil where it is as it was.
        var change: String?
    }

    /// One line of at most so many bytes; line breaks become spaces.
    static func line(_ raw: String, most limit: Int = TripLimits.textBytes) -> Outcome {
        made(raw, limit: limit, isNote: false)
    }

    /// A note of at most the bytes that a note has.
    static func note(_ raw: String) -> Outcome {
        made(raw, limit: TripLimits.noteBytes, isNote: true)
    }

    /// An id of at most so many bytes: one that is cut ends with a sum over all of it, so that two do not become one.
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

    /// Leaves each character the marks that one may have.
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

    /// The beginning of a text, cut where a scalar begins.
    static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: limit)
        while String.Index(end, within: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return String(text.unicodeScalars[..<end])
    }

    /// Without the space around it; nil where that is all there is.
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
