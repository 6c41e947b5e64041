/// The number of terminal columns of text, by extended grapheme clusters.
///
/// A cluster has the sum of its scalars' widths, at most 2: on this, terminals with and without support for
/// clusters agree most often. Marks and joiners count 0, East Asian wide and fullwidth scalars and emoji 2, a
/// regional-indicator pair 2, and an emoji followed by U+FE0F (emoji presentation) 2. U+FE0E (text
/// presentation) changes nothing, as in the terminals' own tables.
package enum TextWidth {
    /// The columns of one cluster: 0, 1 or 2. Controls and lone combining marks are 0.
    package static func columns(of character: Character) -> Int {
        if let ascii = character.asciiValue, character != "\r\n" {
            return ascii >= 0x20 && ascii < 0x7F ? 1 : 0
        }
        var total = 0
        var first: Unicode.Scalar?
        for scalar in character.unicodeScalars {
            if let first {
                if scalar == "\u{FE0F}", first.properties.isEmoji { return 2 }
            } else {
                first = scalar
            }
            total += columns(of: scalar)
        }
        return min(total, 2)
    }

    /// The columns of `text` as drawn by `Frame.put`, so a control counts as its replacement.
    package static func columns(of text: String) -> Int {
        if DisplayText.isPrintableASCII(text) { return text.utf8.count }
        return DisplayText.sanitized(text).reduce(0) { $0 + columns(of: $1) }
    }

    /// The columns of a single scalar: 0, 1 or 2.
    package static func columns(of scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 {
            return value < 0x20 || (value >= 0x7F && value < 0xA0) ? 0 : 1
        }
        if WideScalars.contains(value) { return 2 }
        // A conjoining vowel or final consonant is drawn inside the syllable of its leading consonant.
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator, .control: return 0
        default: return properties.isDefaultIgnorableCodePoint ? 0 : 1
        }
    }

    /// True if a scalar is wide only since Unicode 14 or later: many terminals have older tables.
    private static func isRecentlyWide(_ value: UInt32) -> Bool {
        switch value {
        // Trigrams, hexagrams.
        case 0x2630...0x2637, 0x268A...0x268F, 0x31E4...0x31EF, 0x4DC0...0x4DFF: true
        case 0x16FF2...0x16FF6, 0x18CFF...0x18D1E, 0x18D80...0x18DF2, 0x1AFF0...0x1AFFE, 0x1B11F...0x1B155:
            true
        // Tai Xuan Jing, counting rods.
        case 0x1D300...0x1D356, 0x1D360...0x1D376: true
        // Emoji of the last years.
        case 0x1F6D8...0x1F6DF, 0x1F7F0, 0x1F979, 0x1F9CC, 0x1FA70...0x1FAFF: true
        default: false
        }
    }

    /// True if every terminal is likely to draw this cluster with the width `columns(of:)`, separate from the
    /// previous cluster.
    ///
    /// After any other cluster a renderer does not know the cursor's position.
    package static func isCertain(_ character: Character) -> Bool {
        if character.isASCII { return true }
        let scalars = character.unicodeScalars
        guard let scalar = scalars.first, scalars.index(after: scalars.startIndex) == scalars.endIndex else {
            return false
        }
        switch scalar.value {
        case ..<0x300: return true
        case 0x2500...0x25FF: return true  // box drawing, blocks and shapes: most of a screen
        case 0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF: return false  // regional indicators, emoji modifiers
        case _ where isRecentlyWide(scalar.value): return false
        default: return scalar.properties.generalCategory != .spacingMark
        }
    }
}
