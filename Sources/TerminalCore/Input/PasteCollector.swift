/// The text of a bracketed paste while its bytes come in.
///
/// Control characters are dropped at once, so that only text counts against the limit.
struct PasteCollector: Sendable {
    /// The most bytes of one paste: more than a trip has room for. Of a longer one nothing is taken.
    static let maximumBytes = 8 << 20

    private static let endMarker = Array("\u{1B}[201~".utf8)

    private(set) var bytes: [UInt8] = []
    private var isTooLong = false
    private var matched = 0
    private var lastWasReturn = false

    /// Takes one byte; true when it completes the end marker.
    mutating func append(_ byte: UInt8) -> Bool {
        if byte == Self.endMarker[matched] {
            matched += 1
            return matched == Self.endMarker.count
        }
        flushMatched()
        // The marker's first byte occurs in it once, so that a failed match can only begin anew here.
        if byte == Self.endMarker[0] {
            matched = 1
        } else {
            keep(byte)
        }
        return false
    }

    /// Gives what was collected and begins anew.
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
