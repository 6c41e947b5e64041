import TripModel

/// Reads the rows of a calendar that Outlook or Google wrote as a table: an event a row, with its end.
struct CalendarTable {
    private enum Column: CaseIterable {
        case title, startDate, startTime, endDate, endTime, wholeDay, note, location

        /// The names in the header row, in lower case.
        var names: Set<String> {
            switch self {
            case .title: ["subject", "betreff", "objet", "asunto", "oggetto"]
            case .startDate: ["start date", "beginnt am", "début", "fecha de comienzo", "data inizio"]
            case .startTime: ["start time", "beginnt um", "heure de début", "comienzo", "ora inizio"]
            case .endDate: ["end date", "endet am", "fin", "fecha de finalización", "data fine"]
            case .endTime: ["end time", "endet um", "heure de fin", "finalización", "ora fine"]
            case .wholeDay:
                [
                    "all day event", "ganztägiges ereignis", "journée entière", "todo el día",
                    "giornata intera",
                ]
            case .note: ["description", "beschreibung", "descripción", "descrizione"]
            case .location: ["location", "ort", "emplacement", "ubicación", "luogo"]
            }
        }
    }

    private let columns: [Column: Int]
    private var dates = TableDates([])
    private var counts: [String: Int] = [:]

    /// Nil if the header row is not that of a calendar.
    init?(_ header: [String]) {
        var columns: [Column: Int] = [:]
        for (index, name) in header.enumerated() {
            let name = EntryText.trimmed(name)?.lowercased().filter { $0 != "\u{FEFF}" } ?? ""
            guard let column = Column.allCases.first(where: { $0.names.contains(name) }) else { continue }
            if columns[column] == nil { columns[column] = index }
        }
        guard columns[.title] != nil, columns[.startDate] != nil else { return nil }
        self.columns = columns
    }

    /// Finds out in which order the records write the parts of a date.
    mutating func readDates(of records: [CSVRecord]) {
        let texts = records.flatMap { [text(.startDate, in: $0), text(.endDate, in: $0)].compactMap(\.self) }
        // Clocks of twelve hours are used where the month comes first.
        let hasHalves = records.contains { record in
            let time = text(.startTime, in: record)?.lowercased() ?? ""
            return time.hasSuffix("am") || time.hasSuffix("pm")
        }
        dates = TableDates(texts, hasMonthFirst: hasHalves)
    }

    private func text(_ column: Column, in record: CSVRecord) -> String? {
        guard let index = columns[column], record.fields.indices.contains(index) else { return nil }
        return EntryText.trimmed(record.text(index))
    }

    /// The entry of a record. Its first date and its title identify it.
    ///
    /// - Throws: `SkippedEntry` if the record is invalid.
    mutating func entry(in record: CSVRecord, notes: inout [FileNote]) throws(SkippedEntry) -> FileEntry {
        guard let title = text(.title, in: record) else { throw bad(record, .title, "it must not be empty") }
        guard let first = try date(.startDate, in: record) else {
            throw bad(record, .startDate, "it must not be empty")
        }
        let last = try date(.endDate, in: record) ?? first
        let isWholeDay = ["true", "wahr", "vrai", "verdadero", "vero", "1", "yes", "ein"].contains(
            text(.wholeDay, in: record)?.lowercased() ?? "")
        let start = isWholeDay ? nil : try time(.startTime, in: record)
        let name = "\(first)/\(title)"
        let count = counts[name, default: 0] + 1
        counts[name] = count
        let id =
            EntryText.id(count == 1 ? name : "\(name)/\(count)", most: TripLimits.sourceIDBytes).text ?? "/"
        let when: FileEntry.When = start.map { .clock(first, minute: $0.minute) } ?? .date(first)
        var builder = EntryBuilder(
            FileEntry(line: record.line, id: id, kind: start == nil ? .custom : .game, when: when))
        builder.set(.title, title)
        if start != nil { builder.set(.gameID, id) }
        builder.set(.note, text(.note, in: record).map(HTMLText.plain))
        if let location = text(.location, in: record) { builder.setAddress(location) }
        let days = last.daysSince1970 - first.daysSince1970
        if let start, let end = try time(.endTime, in: record) {
            let minutes = days * 1440 + end.minute - start.minute
            if (0...TripLimits.durationMinutes).contains(minutes) {
                builder.entry[.durationMinutes] = .minutes(minutes)
            } else {
                builder.note("it ends before it begins, or too late; its duration is left out")
            }
        } else if start == nil, (1...TripLimits.nights).contains(days) {
            builder.entry[.nights] = .nights(days)
        }
        notes += builder.notes
        return builder.entry
    }

    private func date(_ column: Column, in record: CSVRecord) throws(SkippedEntry) -> CalendarDate? {
        guard let text = text(column, in: record) else { return nil }
        do throws(FieldText.Fault) { return try dates.date(text) } catch {
            throw bad(record, column, error.reason)
        }
    }

    private func time(_ column: Column, in record: CSVRecord) throws(SkippedEntry) -> ClockTime? {
        guard let text = text(column, in: record) else { return nil }
        do throws(FieldText.Fault) { return try FieldText.start(text).clock } catch {
            throw bad(record, column, error.reason)
        }
    }

    private func bad(_ record: CSVRecord, _ column: Column, _ reason: String) -> SkippedEntry {
        SkippedEntry(line: record.line, field: column.names.sorted().first, reason: reason)
    }
}
