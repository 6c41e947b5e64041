/// The reason why a whole file cannot be read.
package enum FileError: Error, Hashable, Sendable {
    /// It has more than `FileText.maximumBytes`.
    case tooLarge
    /// It has more entries than `FileText.maximumEntries`.
    case tooManyEntries
    /// It is UTF-16.
    case utf16
    /// It is not text.
    case binary
    /// This 1-based line is not UTF-8, and no other encoding is likely.
    case notUTF8(line: Int)
    /// This 1-based line is not UTF-8; several encodings are possible and give a word different letters.
    case ambiguousEncoding(line: Int, [EncodedWord])
    /// It is not text in the encoding that was named.
    case notEncoded(TextEncoding)
    /// It does not begin with a VCALENDAR.
    case noCalendar
    /// Components are nested too deeply at this 1-based line.
    case nestedTooDeep(line: Int, most: Int)
    /// It cannot be split into records.
    case csv(CSVError)
    /// It has no header row.
    case empty
    /// The header row names a column twice.
    case repeatedColumn(String)
    /// The header row lacks required columns; `found` are its columns.
    case missingColumns([String], found: [String])
    /// It is not a trip in JSON, for this reason.
    case json(String)
}

extension FileError: CustomStringConvertible {
    /// A description without control characters.
    package var description: String {
        switch self {
        case .tooLarge: "it has more than \(FileText.maximumBytes >> 20) MiB"
        case .tooManyEntries: "it has more than \(FileText.maximumEntries) entries"
        case .utf16: "it is UTF-16; save it as UTF-8"
        case .binary: "it is binary; a file to import is text in UTF-8"
        case .notUTF8(let line):
            "line \(line) is not UTF-8; save it as UTF-8, or name its --encoding, such as iso-8859-1 (Latin-1)"
        case .ambiguousEncoding(let line, let words):
            "line \(line) is not UTF-8; it has "
                + words.map { "\(shown($0.word)) in \($0.encoding.rawValue)" }.joined(separator: ", ")
                + "; name the right --encoding"
        case .notEncoded(let encoding): "it is not text in \(encoding.rawValue)"
        case .noCalendar: "it is not a calendar: its first line is not BEGIN:VCALENDAR"
        case .nestedTooDeep(let line, let most):
            "line \(line): components are nested more than \(most) levels deep"
        case .csv(let error): error.description
        case .empty: "the file is empty; its first row names the columns, at least gameId, title and startsAt"
        case .repeatedColumn(let name): "the header row names the column \(name) twice"
        case .missingColumns(let missing, let found):
            "the header row lacks \(missing.joined(separator: ", ")); it has "
                + found.prefix(20).map(shown).joined(separator: ", ")
        case .json(let reason): reason
        }
    }
}
