import TripModel

/// How a file is to be imported.
package struct ImportOptions: Equatable, Sendable {
    /// What timed entries become.
    package enum Timed: String, Sendable {
        case games, custom
    }

    /// Whose entries these are.
    @Verbatim package private(set) var source: String
    /// Whether entries of this source that the file no longer has are removed.
    package var prunes = false
    /// The city of games and custom items for which nothing else tells one.
    @Verbatim package var city: String?
    /// The cities of venues.
    package var cities = CityTable()
    /// What timed entries become.
    package var timed = Timed.games
    /// Items that somebody removed from the trip: an entry that made one of them stays away.
    package var removedItems: Set<ItemID> = []
    /// The zone of a new trip for which the file tells none.
    @Verbatim package var zone = "UTC"
    /// The first day of a new trip for which the file tells none.
    package var today: CalendarDate?

    /// Makes options that leave everything as it is usual.
    ///
    /// - Parameter source: whose entries these are; made such that an item can name it.
    package init(source: String) {
        self.source = EntryText.line(source, most: TripLimits.sourceNameBytes).text ?? "file"
    }

    /// What a file is called whose name is a path: its last part, without its ending.
    package static func source(ofPath path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return file }
        return String(file[..<dot])
    }
}

/// The cities of venues, and their zones where they are known: a table `venue,city[,timeZone]`.
package struct CityTable: Equatable, Sendable {
    /// Where a venue is.
    package struct Entry: Equatable, Sendable {
        /// Its city.
        @Verbatim package var city: String
        /// Its zone.
        @Verbatim package var timeZone: String?
    }

    private var entries: [String: Entry] = [:]

    /// Makes a table that knows no venue.
    package init() {}

    /// Reads the table.
    ///
    /// - Throws: `FileError` for the table as a whole; `SkippedEntry` for the first row that is wrong.
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

    /// Where a venue is, by its name without regard to case.
    func entry(ofVenue venue: String) -> Entry? { entries[Self.folded(venue)] }

    private static func folded(_ name: String) -> String {
        name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
