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

/// The scalars that terminals draw in two columns.
///
/// Source: `EastAsianWidth.txt` of Unicode 17.0.0, values W and F, without combining marks and unassigned
/// code points outside the CJK planes. Every scalar with `Emoji_Presentation` is W there, except regional
/// indicators, which are wide only in pairs.
enum WideScalars {
    /// Ascending, disjoint and not adjacent.
    static let ranges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3,
        0x25FD...0x25FE, 0x2614...0x2615, 0x2630...0x2637, 0x2648...0x2653, 0x267F...0x267F, 0x268A...0x268F,
        0x2693...0x2693, 0x26A1...0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE,
        0x26D4...0x26D4, 0x26EA...0x26EA, 0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD,
        0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755,
        0x2757...0x2757, 0x2795...0x2797, 0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50,
        0x2B55...0x2B55, 0x2E80...0x2E99, 0x2E9B...0x2EF3, 0x2F00...0x2FD5, 0x2FF0...0x3029, 0x3030...0x303E,
        0x3041...0x3096, 0x309B...0x30FF, 0x3105...0x312F, 0x3131...0x3163, 0x3165...0x318E, 0x3190...0x31E5,
        0x31EF...0x321E, 0x3220...0x3247, 0x3250...0xA48C, 0xA490...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE52, 0xFE54...0xFE66, 0xFE68...0xFE6B, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x16FE3, 0x16FF2...0x16FF6, 0x17000...0x18CD5, 0x18CFF...0x18D1E,
        0x18D80...0x18DF2, 0x1AFF0...0x1AFF3, 0x1AFF5...0x1AFFB, 0x1AFFD...0x1AFFE, 0x1B000...0x1B122,
        0x1B132...0x1B132, 0x1B150...0x1B152, 0x1B155...0x1B155, 0x1B164...0x1B167, 0x1B170...0x1B2FB,
        0x1D300...0x1D356, 0x1D360...0x1D376, 0x1F004...0x1F004, 0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E,
        0x1F191...0x1F19A, 0x1F1E6...0x1F202, 0x1F210...0x1F23B, 0x1F240...0x1F248, 0x1F250...0x1F251,
        0x1F260...0x1F265, 0x1F300...0x1F320, 0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393,
        0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E,
        0x1F440...0x1F440, 0x1F442...0x1F4FC, 0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567,
        0x1F57A...0x1F57A, 0x1F595...0x1F596, 0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5,
        0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6D8, 0x1F6DC...0x1F6DF, 0x1F6EB...0x1F6EC,
        0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7EB, 0x1F7F0...0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945,
        0x1F947...0x1F9FF, 0x1FA70...0x1FA7C, 0x1FA80...0x1FA8A, 0x1FA8E...0x1FAC6, 0x1FAC8...0x1FAC8,
        0x1FACD...0x1FADC, 0x1FADF...0x1FAEA, 0x1FAEF...0x1FAF8, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]

    /// True if `value` is in one of the ranges: a binary search in about seven steps.
    static func contains(_ value: UInt32) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(value)
    }
}
