import TripModel

/// Reads entries from the records under one header row, and knows which ids came before.
struct TableRowReader {
    /// What each field of a record is; nil where its column is not known.
    private let columns: [TableColumn?]
    private var firstLines: [TextKey: Int] = [:]
    private var namesWithoutID: [String: Int] = [:]
    private var clocks: [String: WallClock] = [:]

    init(_ columns: [TableColumn?]) { self.columns = columns }

    /// The entry of a record.
    ///
    /// - Throws: `SkippedEntry` where it gives none.
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
        for field in kind.fields where Self.isPlain(field, of: kind) {
            guard let text = row[.field(field)] else { continue }
            do throws(FieldText.Fault) {
                // A bad address is left out; no entry is skipped for it.
                if field == .url { builder.set(field, text) } else { try builder.setStrictly(field, text) }
            } catch {
                throw row.bad(.field(field), error.reason)
            }
        }
        for field in kind.fields where field.isRequired && Self.isPlain(field, of: kind) {
            if builder.entry[field] == nil { throw row.bad(.field(field), "it must not be empty") }
        }
        // A bad row does not take its id with it.
        firstLines[TextKey(id)] = row.line
        notes += builder.notes
        return builder.entry
    }

    /// What a record that gives no entry may be known by; nothing where it cannot be told.
    func ids(in record: CSVRecord) -> [String] {
        guard let row = try? TableRow(record, columns) else { return [] }
        return [row[.field(.gameID)], row[.id]].compactMap { $0 }.compactMap {
            EntryText.id($0, most: TripLimits.sourceIDBytes).text
        }
    }

    /// Whether a field is one that a row gives as it is; when a game is played takes more than one.
    private static func isPlain(_ field: ItemField, of kind: ItemKind) -> Bool {
        field != .startsAt && field != .timeZone && field != .source
    }

    private mutating func id(of row: TableRow, _ kind: ItemKind) throws(SkippedEntry) -> String {
        if kind == .game {
            guard let id = row[.field(.gameID)].flatMap({ EntryText.id($0, most: TripLimits.textBytes).text })
            else { throw row.bad(.field(.gameID), "it must not be empty") }
            return id
        }
        if let id = row[.id].flatMap({ EntryText.id($0, most: TripLimits.sourceIDBytes).text }) { return id }
        // Rows without an id are told apart by what they say, and by how many said it before.
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
                throw row.bad(.sortOrder, "\(shown(text)) is no order within ±1e15; right is 100")
            }
            return order
        }
        guard let item = row[.id].flatMap(ItemID.init) else { return }
        var own = OwnMark()
        own.item = item
        own.sortOrder = order
        builder.entry.own = own
    }

    // MARK: When

    private mutating func when(_ row: TableRow, _ kind: ItemKind) throws(SkippedEntry) -> FileEntry.When {
        if kind == .game { return try start(row) }
        if let date = try row.date() { return .date(date) }
        guard let text = row[.day] else {
            throw row.bad(.day, "it says neither its day nor its date")
        }
        guard let day = Int(text), day.magnitude <= 1_000_000 else {
            throw row.bad(.day, "\(shown(text)) is no number of a day; right is 1")
        }
        return .day(day)
    }

    /// When a game starts: `startsAt`, else `date` and `time` on the clock of `timeZone` or, without that, the trip's.
    private mutating func start(_ row: TableRow) throws(SkippedEntry) -> FileEntry.When {
        let zone = try row.timeZone()
        if let text = row[.field(.startsAt)] {
            guard let start = OffsetDateTime(text), text.utf8.count <= TripLimits.startsAtBytes else {
                throw row.bad(
                    .field(.startsAt),
                    "\(shown(text)) is no date and time with an offset; right is 2026-06-11T13:00:00-06:00")
            }
            guard let clock = clock(zone ?? "UTC"),
                clock.time(atSecondsSince1970: start.secondsSince1970) != nil
            else { throw row.bad(.field(.startsAt), Self.outsideYears) }
            return .moment(start, zone: zone)
        }
        guard let date = try row.date() else { throw row.bad(.field(.startsAt), "it must not be empty") }
        guard let minute = try row.minute() else { throw row.bad(.field(.time), "it must not be empty") }
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

    private static let outsideYears = "a game is played in the years 1583 to 9999, by the clocks of its zone"

    private mutating func clock(_ zone: String) -> WallClock? {
        if let known = clocks[zone] { return known }
        let clock = WallClock(zone: zone)
        clocks[zone] = clock
        return clock
    }
}
