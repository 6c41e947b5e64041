/// Writes CSV as RFC 4180 has it: lines end with CRLF, and a field is quoted where it must be.
package struct CSVWriter {
    /// What has been written so far, UTF-8.
    package private(set) var bytes: [UInt8] = []

    /// Makes a writer with nothing written.
    package init() {}

    /// Writes one record.
    ///
    /// - Parameter fields: its fields, at least one.
    package mutating func write(_ fields: [String]) {
        precondition(!fields.isEmpty, "a record has at least one field")
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            // One empty field alone would be a blank line, which is no record.
            if field.utf8.contains(where: Self.needsQuotes) || (fields.count == 1 && field.isEmpty) {
                writeQuoted(field)
            } else {
                bytes.append(contentsOf: field.utf8)
            }
        }
        bytes.append(UInt8(ascii: "\r"))
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func writeQuoted(_ field: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in field.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsQuotes(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
        default: false
        }
    }
}
