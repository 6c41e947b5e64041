import TripModel

/// The options of an import.
package struct ImportOptions: Equatable, Sendable {
    /// The kind of entries with a time.
    package enum Timed: String, Sendable {
        case games, custom
    }

    /// The treatment of items that this source no longer has.
    package enum Pruning: Sendable {
        /// Keep them.
        case none
        /// Remove them, except items with users' values. An import that would remove too many is refused.
        case some
        /// Remove all of them.
        case all
    }

    /// The name of the source.
    @Verbatim package private(set) var source: String
    /// Whether the user has named the source. By default it is the calendar's name, or the file's name if the
    /// trip has items from that source and none from the other.
    package var isSourceNamed = false
    /// The treatment of items that this source no longer has.
    package var pruning = Pruning.none
    /// Users' values of items that an import has removed; they are restored with the items.
    package var prunedContents: [ItemID: ItemContent] = [:]
    /// Whether the source's value is used if both the source and a user have changed a field.
    package var takesSource = false
    /// Whether days are added to the trip for entries outside it.
    package var extends = false
    /// Whether new games are attended.
    package var attends = true
    /// The city of games and custom items without one.
    @Verbatim package var city: String?
    /// The cities of venues.
    package var cities = CityTable()
    /// The kind of entries with a time.
    package var timed = Timed.games
    /// Items that users have removed; their entries are not imported again.
    package var removedItems = RemovedItems()
    /// The zone of a new trip if the file has none.
    @Verbatim package var zone = "UTC"
    /// The first day of a new trip if the file has none.
    package var today: CalendarDate?

    mutating func name(source: String) { self.source = source }

    /// Makes default options.
    ///
    /// - Parameter source: the name of the source, which is cleaned to be valid.
    package init(source: String) {
        self.source = EntryText.line(source, most: TripLimits.sourceNameBytes).text ?? "file"
    }

    /// The source for a file and a trip: the calendar's own name unless the user has named another.
    ///
    /// - Parameter present: the ids of the file's entries.
    func source(of file: ScheduleFile, in trip: Trip, present: Set<TextKey>) -> String {
        guard !isSourceNamed, case .calendar(let calendar) = file, calendar.ownFrame == nil,
            let name = calendar.name.flatMap({ EntryText.line($0, most: TripLimits.sourceNameBytes).text })
        else { return source }
        var counts: [TextKey: (shared: Int, total: Int)] = [:]
        for item in trip.items {
            guard let source = item.content.source else { continue }
            counts[TextKey(source.name), default: (0, 0)].total += 1
            if present.contains(TextKey(source.id)) {
                counts[TextKey(source.name), default: (0, 0)].shared += 1
            }
        }
        if counts[TextKey(name)] != nil { return name }
        // An earlier version used the file's name.
        if let byFile = counts[TextKey(source)], byFile.shared > 0 { return source }
        // A renamed calendar still has most of its events, while a league's calendar has more events than a team's.
        let renamed = counts.filter { $0.value.shared * 2 > max($0.value.total, present.count) }
            .max { ($0.value.shared, $1.key.text) < ($1.value.shared, $0.key.text) }
        return renamed?.key.text ?? name
    }

    /// The source name for a path: its last component without extension.
    package static func source(ofPath path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return file }
        return String(file[..<dot])
    }
}

/// The items that users have removed from a trip.
package struct RemovedItems: Equatable, Sendable {
    /// The ids of all.
    package let ids: Set<ItemID>
    /// Those that are known, by which entries with new ids are recognized.
    package let items: [Item]

    /// Makes a list of removed items.
    package init(_ ids: Set<ItemID> = [], _ items: [Item] = []) {
        self.ids = ids
        self.items = items.filter { ids.contains($0.id) }
    }
}

/// A table `venue,city[,timeZone]` of the cities and zones of venues.
package struct CityTable: Equatable, Sendable {
    /// The city and zone of a venue.
    package struct Entry: Equatable, Sendable {
        /// The city.
        @Verbatim package var city: String
        /// The zone, if known.
        @Verbatim package var timeZone: String?
    }

    private var entries: [String: Entry] = [:]

    package init() {}

    /// Reads the table.
    ///
    /// - Throws: `FileError` for the table as a whole; `SkippedEntry` for the first invalid row.
    package init(_ text: FileText) throws {
        var reader = CSVReader(text.bytes)
        guard let header = try reader.next() else { throw FileError.empty }
        let names = header.fields.indices.map {
            header.text($0).lowercased().filter { !$0.isWhitespace }
        }
        guard let venue = names.firstIndex(of: "venue"), let city = names.firstIndex(of: "city") else {
            let missing = ["venue", "city"].filter { !names.contains($0) }
            throw FileError.missingColumns(missing, found: names)
        }
        let zone = names.firstIndex(of: "timezone")
        while let record = try reader.next() {
            if record.isBlank { continue }
            guard record.fields.count == names.count else {
                throw SkippedEntry(
                    line: record.line,
                    reason: "it has \(record.fields.count) fields and the header row \(names.count)")
            }
            guard let key = EntryText.line(record.text(venue)).text,
                let name = EntryText.line(record.text(city)).text
            else { throw SkippedEntry(line: record.line, reason: "a venue and its city are needed") }
            let timeZone = zone.flatMap { EntryText.line(record.text($0)).text }
            if let timeZone, !TimeZoneName.isKnown(timeZone) {
                throw SkippedEntry(
                    line: record.line, field: "timeZone", reason: "no IANA zone is called \(shown(timeZone))")
            }
            entries[Self.folded(key)] = Entry(city: name, timeZone: timeZone)
        }
    }

    /// The entry of a venue, by its name in any case.
    func entry(ofVenue venue: String) -> Entry? { entries[Self.folded(venue)] }

    private static func folded(_ name: String) -> String {
        name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
