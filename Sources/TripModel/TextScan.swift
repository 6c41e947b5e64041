/// Tells of one scalar of a text after the other whether another person may get it, newlines apart: none that steers a
/// terminal, turns the order of a line around, or is there and seen by nobody.
package struct TextScan: Sendable {
    /// Tags that may still come: they stand in flags only, such as England's.
    private var tagsLeft = 0
    private var isAfterSelector = false

    /// Tags of one flag, at most.
    private static let tags = 8

    /// A scan at the beginning of a text.
    package init() {}

    /// Whether the next scalar of the text may stand there.
    package mutating func allows(_ scalar: Unicode.Scalar) -> Bool {
        let (wasAfterSelector, tags) = (isAfterSelector, tagsLeft)
        isAfterSelector = false
        tagsLeft = 0
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x206F, 0xFFF9...0xFFFB:
            return false
        case 0xFE00...0xFE0F, 0xE0100...0xE01EF:
            // One says how a character looks; more of them say nothing, and can say anything.
            isAfterSelector = true
            return !wasAfterSelector
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
