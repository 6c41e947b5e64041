/// Makes text from anywhere fit to be drawn: harmless, and cut to a number of columns.
package enum DisplayText {
    /// The most scalars one cluster may have; a longer one is drawn as U+FFFD.
    ///
    /// The longest emoji sequences have 11. Without a limit one character cell could hold a megabyte of
    /// marks.
    package static let maximumClusterScalars = 16

    /// `text` with everything that could steer a terminal or reorder a line made visible.
    ///
    /// C0 controls and DEL become their pictures (`␀`…`␡`); C1 controls, U+2028, U+2029, bidirectional
    /// overrides, embeddings and isolates, tags outside a flag and other signs that nobody sees, and clusters beyond
    /// the limit become `�`. Text without any of these comes back as it is.
    package static func sanitized(_ text: String) -> String {
        if isPrintableASCII(text) { return text }
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for character in text {
            var count = 0
            var isHostile = false
            // England's flag is a black one with tags behind it, all one cluster.
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

    /// `text`, made harmless, if it fits into `columns`, else its beginning and `ellipsis`, `columns` wide at
    /// most.
    ///
    /// No cluster is split. An ellipsis that does not fit itself is left out. Negative `columns` count as 0.
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

    /// The common case: every byte is a column and nothing needs a picture.
    static func isPrintableASCII(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    }

    /// What stands for a scalar that must not reach a terminal, or nil where it may.
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
