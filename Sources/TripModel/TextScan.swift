/// Tells of one scalar of a text after the other whether another person may get it, newlines apart: none that steers a
/// terminal, turns the order of a line around, or is there and seen by nobody.
package struct TextScan: Sendable {
    /// Tags that may still come: they stand in flags only, such as England's.
    private var tagsLeft = 0

    /// Tags of one flag, at most.
    private static let tags = 8

    /// Whether the text is written now; in old data stands what was refused less strictly.
    private let isNew: Bool

    /// A scan at the beginning of a text.
    ///
    /// - Parameter isNew: whether the text is written now; else it is let through as far as protocol 1.0 let it.
    package init(isNew: Bool = true) { self.isNew = isNew }

    /// Whether the next scalar of the text may stand there. One that may not is as if it were not there: whoever leaves it
    /// out has a text that is allowed.
    package mutating func allows(_ scalar: Unicode.Scalar) -> Bool {
        var next = self
        guard next.accepts(scalar) else { return false }
        self = next
        return true
    }

    /// Notes that something else stands in the place of a scalar that may not: what follows begins anew.
    package mutating func standsApart() { self = TextScan(isNew: isNew) }

    private mutating func accepts(_ scalar: Unicode.Scalar) -> Bool {
        let tags = tagsLeft
        tagsLeft = 0
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: return false
        case _ where !isNew: break
        case 0x206A...0x206F, 0xFFF9...0xFFFB: return false
        case 0x1F3F4: tagsLeft = Self.tags
        case 0xE0020...0xE007F:
            tagsLeft = max(0, tags - 1)
            return tags > 0
        case 0xE0000...0xE001F: return false
        default: break
        }
        return true
    }
}
