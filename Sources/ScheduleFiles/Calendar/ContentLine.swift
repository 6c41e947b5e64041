/// A property in its text form `NAME;PARAMETER=VALUE:VALUE` (RFC 5545, 3.1).
struct ContentLine {
    /// The 1-based line on which it begins.
    let line: Int
    /// Its value as written, with escapes.
    let value: ArraySlice<UInt8>
    private let parameters: ArraySlice<UInt8>

    /// Nil if there is no colon outside quotes.
    ///
    /// - Parameter isTime: whether the value begins with a year. The name of a zone before it may contain colons without
    ///   quotes.
    init?(_ content: ArraySlice<UInt8>, line: Int, isTime: Bool = false) {
        var isQuoted = false
        var colon: Int?
        search: for index in content.indices {
            switch content[index] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ":") where !isQuoted:
                let startsWithYear =
                    trimmedSpace(content[(index + 1)...]).prefix(4).count { (0x30...0x39).contains($0) } == 4
                if colon == nil || startsWithYear { colon = index }
                if !isTime || startsWithYear { break search }
            default: continue
            }
        }
        guard let colon else { return nil }
        self.line = line
        value = content[(colon + 1)...]
        parameters = content[..<colon].drop { $0 != UInt8(ascii: ";") }
    }

    /// The value of a parameter, without quotes; nil if it is absent or empty.
    ///
    /// - Parameter name: the parameter's name in upper case.
    func parameter(_ name: String) -> String? {
        var rest = parameters
        while rest.first == UInt8(ascii: ";") {
            rest = rest.dropFirst()
            let key = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
            rest = rest[key.endIndex...]
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst()
            let end = Self.endOfValue(rest)
            if upperCased(key) == name { return Self.unquoted(rest[..<end]) }
            rest = rest[end...]
        }
        return nil
    }

    private static func endOfValue(_ bytes: ArraySlice<UInt8>) -> Int {
        var isQuoted = false
        for index in bytes.indices {
            if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if bytes[index] == UInt8(ascii: ";"), !isQuoted { return index }
        }
        return bytes.endIndex
    }

    private static func unquoted(_ bytes: ArraySlice<UInt8>) -> String? {
        // Zones of Windows are called “(UTC+01:00) Amsterdam, Berlin”, not always in quotes.
        let isQuoted = bytes.first == UInt8(ascii: "\"")
        let value = isQuoted ? bytes.dropFirst().prefix { $0 != UInt8(ascii: "\"") } : bytes
        return value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
    }
}

extension ContentLine {
    /// The value as text without escapes (RFC 5545, 3.3.11): `\n` is a line break, and a backslash before any
    /// other character is dropped.
    var text: String {
        guard value.contains(UInt8(ascii: "\\")) else { return String(decoding: value, as: UTF8.self) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(value.count)
        var isEscaped = false
        for byte in value {
            if isEscaped {
                let isLineBreak = byte == UInt8(ascii: "n") || byte == UInt8(ascii: "N")
                bytes.append(isLineBreak ? UInt8(ascii: "\n") : byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                bytes.append(byte)
            }
        }
        if isEscaped { bytes.append(UInt8(ascii: "\\")) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The value in upper case without surrounding white space.
    var word: String { upperCased(trimmed) }

    /// The value without surrounding white space.
    var trimmed: ArraySlice<UInt8> { trimmedSpace(value) }

    /// The comma-separated parts of the value.
    var list: [ArraySlice<UInt8>] { value.split(separator: UInt8(ascii: ",")).map { trimmedSpace($0) } }
}

/// Bytes without surrounding spaces and tabs.
func trimmedSpace(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var rest = bytes.drop(while: isSpace)
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return rest
}
