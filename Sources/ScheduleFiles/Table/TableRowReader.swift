import TripModel

/// Converts records below one header row to entries, and detects repeated ids.
struct TableRowReader {
    /// The column of each field; nil if unknown.
    private let columns: [TableColumn?]
    private var firstLines: [TextKey: Int] = [:]
    private var namesWithoutID: [String: Int] = [:]
    private var clocks: [String: WallClock] = [:]
    private let dates: TableDates

    init(_ columns: [TableColumn?], _ dates: TableDates) {
        self.columns = columns
        self.dates = dates
    }

    /// The entry of a record.
    ///
    /// - Throws: `SkippedEntry` if the record is invalid.
    mutating func entry(
        in record: CSVRecord, notes: inout [FileNote]
    ) throws(SkippedEntry) -> FileEntry {
        let row = try TableRow(record, columns)
        let kind = try row.kind()
        let id = try id(of: row, kind)
        if let first = firstLines[TextKey(id)] {
            throw row.bad(row.idColumn(kind), "\(shown(id)) is on line \(first) already")
        }
        var builder = EntryBuilder(
            FileEntry(line: row.line, id: id, kind: kind, when: try when(row, kind)))
        try setOwn(row, &builder)
        if kind == .game, builder.entry.own == nil, case .moment(_, nil) = builder.entry.when {
            builder.entry.offsetZones = [.timeZone]
        }
        try readFields(of: row, &builder)
        // Only a valid row claims its id.
        firstLines[TextKey(id)] = row.line
        notes += builder.notes
        return builder.entry
    }

    /// The thing to do or the idea of a record; nil if the record is an item.
    ///
    /// - Throws: `SkippedEntry` if it is invalid.
    func todo(in record: CSVRecord, notes: inout [FileNote]) throws(SkippedEntry) -> FileTodo? {
        let row = try TableRow(record, columns)
        guard let kind = row.todoKind else { return nil }
        let id = row[.id].flatMap { EntryText.id($0, most: TripLimits.sourceIDBytes).text }
        var idea: ItemContent?
        if kind == .idea {
            let kind: ItemKind = row[.field(.fromCity)] == nil ? .custom : .travel
            var builder = EntryBuilder(
                FileEntry(line: row.line, id: id ?? "line \(row.line)", kind: kind, when: .day(1)))
            builder.entry.own = OwnMark()
            try readFields(of: row, &builder)
            notes += builder.notes
            idea = builder.entry.content
        }
        let text = idea?.title ?? row[.field(.title)]
        guard let text = text.flatMap({ EntryText.line($0, most: TripLimits.textBytes).text }) else {
            throw row.bad(.field(.title), "it must not be empty")
        }
        return FileTodo(
            own: row[.id].flatMap(TodoID.init), id: id ?? text, text: text, isDone: row[.doneBy] != nil,
            item: idea)
    }

    private func readFields(of row: TableRow, _ builder: inout EntryBuilder) throws(SkippedEntry) {
        let kind = builder.entry.kind
        for field in kind.fields where Self.isPlain(field, of: kind) {
            guard let text = row[.field(field)] else {
                let isThere = columns.contains(.field(field))
                if isThere, !field.isRequired { builder.entry.emptyFields.insert(field) }
                continue
            }
            do throws(FieldText.Fault) {
                // An invalid address is left out; the entry is still imported.
                if field == .url { builder.set(field, text) } else { try builder.setStrictly(field, text) }
            } catch {
                throw row.bad(.field(field), error.reason)
            }
        }
        for field in kind.fields where field.isRequired && Self.isPlain(field, of: kind) {
            if builder.entry[field] == nil { throw row.bad(.field(field), "it must not be empty") }
        }
    }

    /// The ids by which an invalid record might be known; empty if none can be determined.
    func ids(in record: CSVRecord) -> [String] {
        guard let row = try? TableRow(record, columns) else { return [] }
        return [row[.field(.gameID)], row[.id]].compactMap { $0 }.compactMap {
            EntryText.id($0, most: TripLimits.sourceIDBytes).text
        }
    }

    /// Whether a field is read from its own cell; a game's start needs several.
    private static func isPlain(_ field: ItemField, of kind: ItemKind) -> Bool {
        field != .startsAt && (field != .timeZone || kind != .game) && field != .source
    }

    private mutating func id(of row: TableRow, _ kind: ItemKind) throws(SkippedEntry) -> String {
        if kind == .game {
            guard let id = row[.field(.gameID)].flatMap({ EntryText.id($0, most: TripLimits.textBytes).text })
            else { throw row.bad(.field(.gameID), "it must not be empty") }
            return id
        }
        if let id = row[.id].flatMap({ EntryText.id($0, most: TripLimits.sourceIDBytes).text }) { return id }
        // Rows without an id are identified by their content, and by the number of equal rows before them.
        let title = row[.field(.title)] ?? "\(row[.field(.fromCity)] ?? "")-\(row[.field(.toCity)] ?? "")"
        let name = "\(row[.date] ?? row[.day] ?? "")/\(title)"
        let count = namesWithoutID[name, default: 0] + 1
        namesWithoutID[name] = count
        return EntryText.id(count == 1 ? name : "\(name)/\(count)", most: TripLimits.sourceIDBytes).text
            ?? "/"
    }

    private func setOwn(_ row: TableRow, _ builder: inout EntryBuilder) throws(SkippedEntry) {
        if let name = row[.sourceName], let id = row[.sourceID] {
            builder.entry[.source] = ItemSource.value(name: name, id: id)
        }
        let order: Double? = try row[.sortOrder].map { (text) throws(SkippedEntry) in
            guard let order = Double(text), order.magnitude <= Position.maximumOrder else {
                throw row.bad(.sortOrder, "\(shown(text)) is not a number within ±1e15; an example is 100")
            }
            return order
        }
        guard let item = row[.id].flatMap(ItemID.init) else { return }
        var own = OwnMark()
        own.item = item
        own.sortOrder = order
        own.isRow = true
        own.isOnTripClock = row[.clock]?.lowercased() == "trip"
        builder.entry.own = own
    }

    // MARK: Times

    private mutating func when(_ row: TableRow, _ kind: ItemKind) throws(SkippedEntry) -> FileEntry.When {
        if kind == .game { return try start(row) }
        guard let text = row[.day] else {
            if let date = try date(row) { return .date(date) }
            throw row.bad(.day, "it has neither a day nor a date")
        }
        guard let day = Int(text), day.magnitude <= 1_000_000 else {
            throw row.bad(.day, "\(shown(text)) is not the number of a day; an example is 1")
        }
        return .day(day)
    }

    private func date(_ row: TableRow) throws(SkippedEntry) -> CalendarDate? {
        guard let text = row[.date] else { return nil }
        do throws(FieldText.Fault) { return try dates.date(text) } catch {
            throw row.bad(.date, error.reason)
        }
    }

    /// The start of a game: `startsAt`, else `date` and `time` in `timeZone` or the trip's zone.
    private mutating func start(_ row: TableRow) throws(SkippedEntry) -> FileEntry.When {
        let zone = try row.timeZone()
        if let text = row[.field(.startsAt)] {
            guard let start = OffsetDateTime(text), text.utf8.count <= TripLimits.startsAtBytes else {
                guard MomentText.local(text, today: .leapYear) != nil else {
                    throw row.bad(
                        .field(.startsAt),
                        "\(shown(text)) is not a date and time; an example is \(MomentText.examples)")
                }
                return .written(text, zone: zone)
            }
            guard let clock = clock(zone ?? "UTC"),
                clock.time(atSecondsSince1970: start.secondsSince1970) != nil
            else { throw row.bad(.field(.startsAt), Self.outsideYears) }
            return .moment(start, zone: zone)
        }
        guard let day = try date(row) else { throw row.bad(.field(.startsAt), "it must not be empty") }
        guard let time = try row.start() else { throw row.bad(.field(.time), "it must not be empty") }
        // 24:30 is on the next date.
        guard let date = day.adding(days: time.isLateNight ? 1 : 0) else {
            throw row.bad(.date, Self.outsideYears)
        }
        let minute = time.clock.minute
        guard let zone else { return .clock(date, minute: minute) }
        let local = Int64(date.daysSince1970) * 86_400 + Int64(minute) * 60
        guard let clock = clock(zone) else { throw row.bad(.field(.timeZone), "its zone is not known") }
        let seconds = clock.seconds(ofWallClock: local)
        guard
            let start = OffsetDateTime(
                secondsSince1970: seconds, offset: clock.offset(atSecondsSince1970: seconds), isUTC: false)
        else { throw row.bad(.date, Self.outsideYears) }
        return .moment(start, zone: zone)
    }

    private static let outsideYears = "an event must be in the years 1583 to 9999, in the time of its zone"

    private mutating func clock(_ zone: String) -> WallClock? {
        if let known = clocks[zone] { return known }
        let clock = WallClock(zone: zone)
        clocks[zone] = clock
        return clock
    }
}

extension CalendarDate {
    /// The beginning of a year with a 29 February, to check dates without a year.
    fileprivate static let leapYear = CalendarDate(year: 2024, month: 1, day: 1)
}
