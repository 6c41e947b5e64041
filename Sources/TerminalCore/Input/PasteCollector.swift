/// Collects the text of a bracketed paste.
///
/// Control characters are dropped at once, so that only text counts towards the limit.
struct PasteCollector: Sendable {
    /// Maximum bytes of one paste, more than a trip can hold. A longer one is dropped completely.
    static let maximumBytes = 8 << 20

    private static let endMarker = Array("\u{1B}[201~".utf8)

    private(set) var bytes: [UInt8] = []
    private var isTooLong = false
    private var matched = 0
    private var lastWasReturn = false

    /// Adds one byte; true if it completes the end marker.
    mutating func append(_ byte: UInt8) -> Bool {
        if byte == Self.endMarker[matched] {
            matched += 1
            return matched == Self.endMarker.count
        }
        flushMatched()
        // The marker's first byte occurs only once in it, so a failed match can only restart here.
        if byte == Self.endMarker[0] {
            matched = 1
        } else {
            keep(byte)
        }
        return false
    }

    /// Returns the collected text, and resets the collector.
    mutating func take() -> InputEvent {
        if matched < Self.endMarker.count { flushMatched() }
        let (bytes, isTooLong) = (bytes, isTooLong)
        self = PasteCollector()
        if isTooLong { return .longPaste }
        let text = String(decoding: bytes, as: UTF8.self)
        let isC1 = { (scalar: Unicode.Scalar) in (0x80...0x9F).contains(scalar.value) }
        guard text.unicodeScalars.contains(where: isC1) else { return .paste(text) }
        var clean = String.UnicodeScalarView()
        clean.append(contentsOf: text.unicodeScalars.lazy.filter { !isC1($0) })
        return .paste(String(clean))
    }

    private mutating func flushMatched() {
        for byte in Self.endMarker[..<matched] { keep(byte) }
        matched = 0
    }

    private mutating func keep(_ byte: UInt8) {
        defer { lastWasReturn = byte == 0x0D }
        if isTooLong { return }
        guard bytes.count < Self.maximumBytes else {
            (isTooLong, bytes) = (true, [])
            return
        }
        switch byte {
        case 0x0D: bytes.append(0x0A)
        case 0x0A: if !lastWasReturn { bytes.append(0x0A) }
        case 0x09, 0x20...0x7E, 0x80...0xFF: bytes.append(byte)
        default: break
        }
    }
}
