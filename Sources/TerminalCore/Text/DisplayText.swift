/// Prepares arbitrary text for drawing: sanitized, and truncated to a number of columns.
package enum DisplayText {
    /// Maximum number of scalars in a cluster; a longer one is drawn as U+FFFD.
    ///
    /// The longest emoji sequences have 11. Without a limit one cell could contain a megabyte of combining marks.
    package static let maximumClusterScalars = 16

    /// Replaces everything in `text` that could control a terminal or reorder a line by visible characters.
    ///
    /// C0 controls and DEL become their pictures (`␀`…`␡`). C1 controls, U+2028, U+2029, bidirectional
    /// overrides, embeddings and isolates, tags outside a flag and other invisible characters, and clusters
    /// beyond the limit become `�`. Other text is unchanged.
    package static func sanitized(_ text: String) -> String {
        if isPrintableASCII(text) { return text }
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for character in text {
            var count = 0
            var isHostile = false
            // A subdivision flag such as England's is a black flag followed by tags, in one cluster.
            let isFlag = character.unicodeScalars.first == "\u{1F3F4}"
            for scalar in character.unicodeScalars {
                count += 1
                isHostile = isHostile || picture(of: scalar, inFlag: isFlag) != nil
            }
            if count > maximumClusterScalars {
                result.append("\u{FFFD}")
            } else if isHostile {
                for scalar in character.unicodeScalars {
                    result.unicodeScalars.append(picture(of: scalar, inFlag: isFlag) ?? scalar)
                }
            } else {
                result.append(character)
            }
        }
        return result
    }

    /// The sanitized `text` if it fits into `columns`; otherwise its beginning and `ellipsis`, at most `columns` wide.
    ///
    /// No cluster is split. An ellipsis that does not fit is omitted. Negative `columns` count as 0.
    package static func truncated(_ text: String, toColumns columns: Int, ellipsis: String = "…") -> String {
        let columns = max(columns, 0)
        if text.utf8.count <= columns, isPrintableASCII(text) { return text }
        let text = sanitized(text)
        let ellipsisColumns = TextWidth.columns(of: ellipsis)
        let room = ellipsisColumns <= columns ? columns - ellipsisColumns : columns
        var used = 0
        var cut = text.startIndex
        var index = text.startIndex
        while index < text.endIndex {
            let next = text.index(after: index)
            used += TextWidth.columns(of: text[index])
            if used > columns {
                return text[..<cut] + (ellipsisColumns <= columns ? ellipsis : "")
            }
            if used <= room { cut = next }
            index = next
        }
        return text
    }

    /// Fast path: every byte is one column and needs no replacement.
    static func isPrintableASCII(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    }

    /// The replacement of a scalar that must not reach a terminal; nil if it may.
    private static func picture(of scalar: Unicode.Scalar, inFlag isFlag: Bool) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x00...0x1F: Unicode.Scalar(0x2400 + scalar.value)
        case 0x7F: "\u{2421}"
        case 0x80...0x9F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x206F, 0xFFF9...0xFFFB: "\u{FFFD}"
        case 0xE0000...0xE007F: isFlag ? nil : "\u{FFFD}"
        default: nil
        }
    }
}
