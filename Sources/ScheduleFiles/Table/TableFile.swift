import TripModel

/// A parsed table of items: a header row with column names, then a row per item.
package struct TableFile: Equatable, Sendable {
    /// Its rows as entries.
    package private(set) var entries = FileEntries()
    /// The known columns, in the table's order.
    package let columns: [TableColumn]
    /// The days and the zone of the exported trip, if the table has them.
    package private(set) var frame: TripFrame?
    /// The date of day 1, if a row has both a day and a date.
    package private(set) var firstDay: CalendarDate?
    /// The name of the exported trip.
    package private(set) var tripName: String?

    /// Parses CSV (RFC 4180), also with `;` or tabs. Columns may be in any order and case; unknown ones are
    /// ignored.
    ///
    /// - Throws: `FileError` if no row can be read; a single invalid row is skipped.
    package init(_ text: FileText) throws(FileError) {
        entries.notes = text.notes
        var reader = CSVReader(text.bytes)
        guard let header = try Self.next(&reader) else { throw .empty }
        let names = header.fields.indices.map(header.text)
        if let calendar = CalendarTable(names) {
            columns = []
            try read(calendar, &reader)
            return
        }
        let columns = names.map(TableColumn.init(headerName:))
        try Self.check(columns, names)
        self.columns = columns.compactMap(\.self)
        var records: [CSVRecord] = []
        while let record = try Self.next(&reader) {
            // Spreadsheets leave blank rows at the end.
            if !record.isBlank { records.append(record) }
        }
        let dateColumn = columns.firstIndex(of: .date)
        let dates = TableDates(
            records.lazy.compactMap { record in
                dateColumn.flatMap { record.fields.indices.contains($0) ? record.text($0) : nil }
            })
        var rows = TableRowReader(columns, dates)
        for record in records {
            if let row = try? TableRow(record, columns) { readTrip(row, dates) }
            guard entries.entries.count + entries.skipped.count < FileText.maximumEntries else {
                throw .tooManyEntries
            }
            do throws(SkippedEntry) {
                if let todo = try rows.todo(in: record, notes: &entries.notes) {
                    entries.todo.append(todo)
                    continue
                }
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
        // A download that was interrupted ends within a row.
        let endsWithLine = text.bytes.last.map { $0 == 0x0A || $0 == 0x0D } ?? true
        if let last = records.last, last.line == entries.skipped.last?.line { entries.isCut = !endsWithLine }
    }

    private mutating func read(_ table: CalendarTable, _ reader: inout CSVReader) throws(FileError) {
        var table = table
        var records: [CSVRecord] = []
        while let record = try Self.next(&reader) {
            if !record.isBlank { records.append(record) }
        }
        guard records.count <= FileText.maximumEntries else { throw .tooManyEntries }
        table.readDates(of: records)
        for record in records {
            do throws(SkippedEntry) {
                let entry = try table.entry(in: record, notes: &entries.notes)
                entries.entries.append(entry)
                entries.present.insert(TextKey(entry.id))
            } catch {
                entries.hasUnknown = true
                entries.skipped.append(error)
            }
        }
    }

    /// Reads the trip's columns, which the first row fills, or a day with its date.
    private mutating func readTrip(_ row: TableRow, _ dates: TableDates) {
        tripName = tripName ?? row[.tripName].flatMap { EntryText.line($0).text }
        entries.acceptedProblems += row[.acceptedProblems]?.split(separator: " ").map(String.init) ?? []
        if let rates = row[.rates] { entries.rates = rates }
        guard frame == nil else { return }
        if firstDay == nil, let day = row[.day].flatMap({ Int($0) }), day.magnitude <= 1_000_000 {
            firstDay = row[.date].flatMap { try? dates.date($0) }?.adding(days: 1 - day)
        }
        if let start = row[.startDate].flatMap({ try? dates.date($0) }),
            let count = row[.dayCount].flatMap({ Int($0) }), (1...TripLimits.days).contains(count),
            let zone = row[.tripZone], TimeZoneName.isKnown(zone), start.adding(days: count - 1) != nil
        {
            frame = TripFrame(timeZone: zone, firstDay: start, dayCount: count)
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
