import TripModel

/// The games of a schedule, read from a table: a header row that names the columns, then a row a game.
package struct ScheduleTable: Equatable, Sendable {
    /// A game and where it was read.
    package struct GameRow: Equatable, Sendable {
        /// The 1-based line its row begins on.
        package let line: Int
        /// The game.
        package let game: Game
    }

    /// The columns that the table has; about others it says nothing.
    package let columns: Set<ScheduleColumn>
    /// The rows that give a game, in the file's order; no gameId comes twice.
    package let games: [GameRow]
    /// The rows that do not, in the file's order.
    package let badRows: [BadRow]
}

/// Why a file holds no schedule at all.
package enum ScheduleFileError: Error, Hashable, Sendable {
    /// It does not even fall into records.
    case csv(CSVError)
    /// There is no header row.
    case empty
    /// The header row is not UTF-8.
    case headerNotUTF8(line: Int)
    /// The header row names a column twice.
    case repeatedColumn(ScheduleColumn)
    /// The header row lacks columns that are needed; `found` is what it has.
    case missingColumns([ScheduleColumn], found: [String])
}

extension ScheduleTable {
    /// Reads CSV, RFC 4180, UTF-8. Columns come in any order and case; unknown ones are ignored.
    ///
    /// - Throws: `ScheduleFileError` where no row could be understood; a bad row alone is listed, not thrown.
    package init(csv bytes: [UInt8]) throws(ScheduleFileError) {
        var reader = CSVReader(bytes)
        guard let header = try Self.next(&reader) else { throw .empty }
        let names = try Self.names(in: header)
        var rowReader = GameRowReader(columns: try Self.columns(named: names))
        var games: [GameRow] = []
        var badRows: [BadRow] = []
        while let record = try Self.next(&reader) {
            // Spreadsheets leave such rows at the end.
            if record.isBlank { continue }
            do throws(BadRow) {
                games.append(GameRow(line: record.line, game: try rowReader.game(in: record)))
            } catch {
                badRows.append(error)
            }
        }
        columns = Set(rowReader.columns.compactMap(\.self))
        self.games = games
        self.badRows = badRows
    }

    private static func next(_ reader: inout CSVReader) throws(ScheduleFileError) -> CSVRecord? {
        do throws(CSVError) { return try reader.next() } catch { throw .csv(error) }
    }

    private static func names(in header: CSVRecord) throws(ScheduleFileError) -> [String] {
        var names: [String] = []
        for field in header.fields {
            guard let name = String(validating: field, as: UTF8.self) else {
                throw .headerNotUTF8(line: header.line)
            }
            names.append(name)
        }
        return names
    }

    private static func columns(named names: [String]) throws(ScheduleFileError) -> [ScheduleColumn?] {
        let columns = names.map(ScheduleColumn.init(headerName:))
        for column in ScheduleColumn.allCases where columns.count(where: { $0 == column }) > 1 {
            throw .repeatedColumn(column)
        }
        let missing = ScheduleColumn.allCases.filter { $0.isRequired && !columns.contains($0) }
        guard missing.isEmpty else { throw .missingColumns(missing, found: names) }
        return columns
    }
}

extension ScheduleFileError: CustomStringConvertible {
    /// The fault, in words; text from the file is shown without control characters.
    package var description: String {
        switch self {
        case .csv(let error): error.description
        case .empty: "the file is empty; its first row names the columns, at least gameId, title and startsAt"
        case .headerNotUTF8(let line): "line \(line): the header row is not UTF-8"
        case .repeatedColumn(let column): "the header row names the column \(column.rawValue) twice"
        case .missingColumns(let missing, let found):
            "the header row lacks \(missing.map(\.rawValue).joined(separator: ", ")); it has "
                + found.prefix(20).map(shown).joined(separator: ", ")
        }
    }
}
