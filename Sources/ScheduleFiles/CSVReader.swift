/// One record of a CSV text.
package struct CSVRecord: Equatable, Sendable {
    /// The 1-based line on which it begins; quoted line breaks make a record span several lines.
    package let line: Int
    /// The unquoted fields as bytes; their encoding was checked before.
    package let fields: [[UInt8]]

    /// A field as text.
    func text(_ index: Int) -> String { String(decoding: fields[index], as: UTF8.self) }

    /// Whether all fields are empty or white space.
    var isBlank: Bool {
        fields.allSatisfy { $0.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }
    }
}

/// The reason why a text cannot be split into records.
package enum CSVError: Error, Hashable, Sendable {
    /// A quoted field begins on this 1-based line and is not closed.
    case unterminatedQuote(line: Int)
    /// On this 1-based line a closing quote is followed by something other than a separator or a line end.
    case textAfterClosingQuote(line: Int)
}

/// Reads CSV (RFC 4180) record by record, in one pass over the bytes.
///
/// The separator is a comma, `;` or a tab, detected in the first record. Lines end with LF, CRLF or CR; the
/// last line end is optional. Blank lines and a byte-order mark at the start are skipped. A quote inside an
/// unquoted field is text.
package struct CSVReader {
    private let bytes: [UInt8]
    private var position: Int
    private var line = 1
    private let separator: UInt8

    /// Makes a reader before the first record.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        // Spreadsheets may declare the separator on a first line: sep=;
        let head = Array(bytes[position...].prefix(6))
        if head.count == 6, upperCased(head[..<4]) == "SEP=", head[5] == 0x0A || head[5] == 0x0D {
            separator = head[4]
            position += 5
            _ = skipLineEnd()
        } else {
            separator = Self.separator(of: bytes[position...])
        }
    }

    /// The most frequent of the three separators in the first record outside quotes; on a tie the comma.
    private static func separator(of bytes: ArraySlice<UInt8>) -> UInt8 {
        var isQuoted = false
        var counts: [UInt8: Int] = [:]
        var hasText = false
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case _ where isQuoted: break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if !hasText { continue }
                return choice(counts)
            case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"): counts[byte, default: 0] += 1
            default: break
            }
            hasText = true
        }
        return choice(counts)
    }

    private static func choice(_ counts: [UInt8: Int]) -> UInt8 {
        let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        let most = candidates.map { counts[$0] ?? 0 }.max() ?? 0
        return candidates.first { counts[$0] ?? 0 == most } ?? candidates[0]
    }

    /// The next record; nil at the end.
    ///
    /// - Throws: `CSVError`; reading cannot continue after it.
    package mutating func next() throws(CSVError) -> CSVRecord? {
        while skipLineEnd() {}
        guard position < bytes.count else { return nil }
        let start = line
        var fields = [try field()]
        while position < bytes.count, bytes[position] == separator {
            position += 1
            fields.append(try field())
        }
        _ = skipLineEnd()
        return CSVRecord(line: start, fields: fields)
    }

    private mutating func field() throws(CSVError) -> [UInt8] {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return plainField() }
        position += 1
        return try quotedField()
    }

    private mutating func plainField() -> [UInt8] {
        let start = position
        while !isAtFieldEnd { position += 1 }
        return Array(bytes[start..<position])
    }

    private mutating func quotedField() throws(CSVError) -> [UInt8] {
        let opening = line
        var field: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
                    position += 1
                    field.append(byte)
                    continue
                }
                guard isAtFieldEnd else { throw .textAfterClosingQuote(line: line) }
                return field
            case UInt8(ascii: "\n"):
                line += 1
                field.append(byte)
            case UInt8(ascii: "\r"):
                if position == bytes.count || bytes[position] != UInt8(ascii: "\n") { line += 1 }
                field.append(byte)
            default:
                field.append(byte)
            }
        }
        throw .unterminatedQuote(line: opening)
    }

    private var isAtFieldEnd: Bool {
        position == bytes.count || bytes[position] == separator || lineEndLength > 0
    }

    /// The length of the line end at the position, 0 if there is none.
    private var lineEndLength: Int {
        guard position < bytes.count else { return 0 }
        if bytes[position] == UInt8(ascii: "\n") { return 1 }
        guard bytes[position] == UInt8(ascii: "\r") else { return 0 }
        return position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "\n") ? 2 : 1
    }

    private mutating func skipLineEnd() -> Bool {
        let length = lineEndLength
        guard length > 0 else { return false }
        position += length
        line += 1
        return true
    }
}

extension CSVError: CustomStringConvertible {
    /// The error and its line.
    package var description: String {
        switch self {
        case .unterminatedQuote(let line): "line \(line): a quote is not closed"
        case .textAfterClosingQuote(let line):
            "line \(line): a separator or the end of the line must follow a closing quote; double a quote inside a field"
        }
    }
}
