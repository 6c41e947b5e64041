import TripModel

/// The non-empty cells of one record, by column.
struct TableRow {
    /// The 1-based line on which it begins.
    let line: Int
    private var cells: [TableColumn: String] = [:]

    init(_ record: CSVRecord, _ columns: [TableColumn?]) throws(SkippedEntry) {
        line = record.line
        guard record.fields.count == columns.count else {
            throw SkippedEntry(
                line: line,
                reason: "it has \(record.fields.count) fields and the header row \(columns.count)")
        }
        for (index, column) in columns.enumerated() {
            guard let column else { continue }
            let text = CellGuard.removed(from: record.text(index))
            if text.contains(where: { !$0.isWhitespace }) { cells[column] = text }
        }
    }

    subscript(column: TableColumn) -> String? { cells[column] }

    func bad(_ column: TableColumn, _ reason: String) -> SkippedEntry {
        SkippedEntry(line: line, id: cells[.field(.gameID)] ?? cells[.id], field: column.name, reason: reason)
    }

    /// The column that identifies rows of a kind.
    func idColumn(_ kind: ItemKind) -> TableColumn { kind == .game ? .field(.gameID) : .id }

    /// The kinds of rows that are no items.
    enum TodoKind: String {
        case todo, idea
    }

    var todoKind: TodoKind? { cells[.kind].flatMap { TodoKind(rawValue: Self.kind($0)) } }

    private static func kind(_ text: String) -> String { text.lowercased().filter { !$0.isWhitespace } }

    func kind() throws(SkippedEntry) -> ItemKind {
        guard let text = cells[.kind] else { return .game }
        guard let kind = ItemKind(rawValue: Self.kind(text)) else {
            throw bad(
                .kind,
                "\(shown(text)) is not a kind of item; the kinds are game, travel, custom, todo and idea")
        }
        return kind
    }

    func timeZone() throws(SkippedEntry) -> String? {
        guard let zone = cells[.field(.timeZone)] else { return nil }
        guard TimeZoneName.isKnown(zone) else {
            let right = TimeZoneName.suggestion(for: zone) ?? "America/Mexico_City"
            throw bad(.field(.timeZone), "no IANA zone is called \(shown(zone)); did you mean \(right)?")
        }
        return zone
    }

    /// The cell `time` of a game.
    func start() throws(SkippedEntry) -> StartTime? {
        guard let text = cells[.field(.time)] else { return nil }
        do throws(FieldText.Fault) { return try FieldText.start(text) } catch {
            throw bad(.field(.time), error.reason)
        }
    }
}

/// Protects text cells against being run as formulas, by a leading apostrophe. Spreadsheets that separate
/// cells by semicolons split a text at them, so each part is protected.
enum CellGuard {
    /// Whether some spreadsheet runs a cell with this beginning. Some ignore leading blanks, and some accept
    /// the full-width signs of East Asian keyboards.
    private static func isRisky(_ text: String) -> Bool {
        switch text.unicodeScalars.first(where: { $0 != " " && $0 != "\u{3000}" && $0 != "\u{A0}" }) {
        case "=", "+", "-", "@", "\t", "\r", "\n", "'", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
        default: false
        }
    }

    /// The text with the necessary apostrophes.
    static func added(to text: String) -> String { inParts(text) { isRisky($0) ? "'" + $0 : $0 } }

    /// The text without added apostrophes.
    static func removed(from text: String) -> String {
        inParts(text) { part in
            guard part.utf8.first == UInt8(ascii: "'") else { return part }
            let rest = String(part.unicodeScalars.dropFirst())
            return isRisky(rest) ? rest : part
        }
    }

    private static func inParts(_ text: String, _ change: (String) -> String) -> String {
        text.unicodeScalars.split(separator: ";", omittingEmptySubsequences: false)
            .map { change(String($0)) }.joined(separator: ";")
    }
}
