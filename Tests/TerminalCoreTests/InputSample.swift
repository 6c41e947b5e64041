import TerminalCore
import Testing

/// Bytes from a terminal, and the expected events.
struct InputSample: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    let events: [InputEvent]

    init(_ text: String, _ events: InputEvent...) {
        bytes = Array(text.utf8)
        self.events = events
    }

    init(bytes: [UInt8], _ events: InputEvent...) {
        self.bytes = bytes
        self.events = events
    }

    var testDescription: String {
        bytes.map {
            $0 == 0x1B ? "ESC" : $0 < 0x21 || $0 > 0x7E ? String($0, radix: 16) : String(Unicode.Scalar($0))
        }
        .joined(separator: " ")
    }
}
