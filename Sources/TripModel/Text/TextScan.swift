/// Checks a text scalar by scalar for characters that another user must not get: terminal controls,
/// bidirectional overrides and invisible characters. Newlines are checked elsewhere.
package struct TextScan: Sendable {
    /// The number of tag characters that may follow; they occur only in flags, such as England's.
    private var tagsLeft = 0

    /// The maximum number of tag characters in one flag.
    private static let tags = 8

    /// False for stored text, to which the weaker rules of protocol 1.0 apply.
    private let isNew: Bool

    /// Starts a scan.
    ///
    /// - Parameter isNew: false for stored text, to which the weaker rules of protocol 1.0 apply.
    package init(isNew: Bool = true) { self.isNew = isNew }

    /// Whether the next scalar is allowed. A forbidden one does not change the state: text without it is
    /// allowed.
    package mutating func allows(_ scalar: Unicode.Scalar) -> Bool {
        var next = self
        guard next.accepts(scalar) else { return false }
        self = next
        return true
    }

    /// Resets the state after a forbidden scalar was replaced by other text.
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
