import TripModel

/// A table of items, read: a header row that names the columns, then a row an item.
package struct TableFile: Equatable, Sendable {
    /// Its rows as entries.
    package private(set) var entries = FileEntries()
    /// The columns that it has and that mean something, in its order.
    package let columns: [TableColumn]

    /// Reads CSV, RFC 4180, also with `;` or tabs. Columns come in any order and case; unknown ones are ignored.
    ///
    /// - Throws: `FileError` where no row could be understood; a bad row alone is skipped.
    package init(_ text: FileText) throws(FileError) {
        var reader = CSVReader(text.bytes)
        guard let header = try Self.next(&reader) else { throw .empty }
        let names = header.fields.indices.map(header.text)
        let columns = names.map(TableColumn.init(headerName:))
        try Self.check(columns, names)
        self.columns = columns.compactMap(\.self)
        var rows = TableRowReader(columns)
        while let record = try Self.next(&reader) {
            // Spreadsheets leave such rows at the end.
            if record.isBlank { continue }
            guard entries.entries.count + entries.skipped.count < FileText.maximumEntries else {
                throw .tooManyEntries
            }
            do throws(SkippedEntry) {
                let entry = try rows.entry(in: record, notes: &entries.notes)
                entries.entries.append(entry)
                entries.present.insert(TextKey(entry.id))
            } catch {
                let ids = rows.ids(in: record)
                if ids.isEmpty { entries.hasUnknown = true }
                for id in ids { entries.present.insert(TextKey(id)) }
                entries.skipped.append(error)
            }
        }
    }

    private static func next(_ reader: inout CSVReader) throws(FileError) -> CSVRecord? {
        do throws(CSVError) { return try reader.next() } catch { throw .csv(error) }
    }

    private static func check(_ columns: [TableColumn?], _ names: [String]) throws(FileError) {
        var seen: Set<TableColumn> = []
        for column in columns.compactMap(\.self) where !seen.insert(column).inserted {
            throw .repeatedColumn(column.name)
        }
        if seen.contains(.kind) { return }
        var missing = [ItemField.gameID, .title].filter { !seen.contains(.field($0)) }.map(\.name)
        let hasStart = seen.contains(.field(.startsAt)) || seen.contains(.date)
        if !hasStart { missing.append(ItemField.startsAt.name) }
        guard missing.isEmpty else { throw .missingColumns(missing, found: names) }
    }
}
