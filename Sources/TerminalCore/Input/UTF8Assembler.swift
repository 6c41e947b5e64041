/// Decodes one multi-byte UTF-8 sequence incrementally. It rejects overlong forms, surrogates and too large
/// values at the first byte that cannot be part of the sequence, as Unicode recommends for replacement.
struct UTF8Assembler: Sendable {
    enum Step {
        case incomplete
        case scalar(Unicode.Scalar)
        /// The byte does not continue the sequence: the previous bytes are invalid, and this byte is not consumed.
        case invalid
    }

    private var value: UInt32
    private var remaining: Int
    private var allowed: ClosedRange<UInt8>

    /// Nil if `lead` cannot begin a multi-byte sequence.
    init?(lead: UInt8) {
        allowed = 0x80...0xBF
        switch lead {
        case 0xC2...0xDF:
            remaining = 1
            value = UInt32(lead & 0x1F)
        case 0xE0...0xEF:
            remaining = 2
            value = UInt32(lead & 0x0F)
            if lead == 0xE0 { allowed = 0xA0...0xBF }
            if lead == 0xED { allowed = 0x80...0x9F }
        case 0xF0...0xF4:
            remaining = 3
            value = UInt32(lead & 0x07)
            if lead == 0xF0 { allowed = 0x90...0xBF }
            if lead == 0xF4 { allowed = 0x80...0x8F }
        default:
            return nil
        }
    }

    mutating func append(_ byte: UInt8) -> Step {
        guard allowed.contains(byte) else { return .invalid }
        allowed = 0x80...0xBF
        value = value << 6 | UInt32(byte & 0x3F)
        remaining -= 1
        guard remaining == 0 else { return .incomplete }
        return Unicode.Scalar(value).map(Step.scalar) ?? .invalid
    }
}
