import TripModel

/// Writes iCalendar lines: folded at 75 octets between characters, and ended by CRLF.
struct FoldedLines {
    private(set) var bytes: [UInt8] = []

    private static let most = 75

    /// Writes a property whose value needs no escapes.
    mutating func write(_ name: String, _ value: String) { writeLine("\(name):\(value)") }

    /// Writes a property whose value is text.
    mutating func writeText(_ name: String, _ text: String) {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",":
                escaped.unicodeScalars.append("\\")
                escaped.unicodeScalars.append(scalar)
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        write(name, escaped)
    }

    /// Writes one line. Line breaks in the value are removed, because they would begin a new property.
    private mutating func writeLine(_ line: String) {
        let line = Array(TextRule.visible(line).utf8)
        var start = 0
        var room = Self.most
        while line.count - start > room {
            var end = start + room
            // Back to the start of a character.
            while end > start, line[end] & 0xC0 == 0x80 { end -= 1 }
            bytes += line[start..<end]
            bytes += [0x0D, 0x0A, 0x20]
            start = end
            room = Self.most - 1
        }
        bytes += line[start...]
        bytes += [0x0D, 0x0A]
    }
}
