import TripModel

/// One item according to a file; a field without a value is not set by the file.
package struct FileEntry: Equatable, Sendable {
    /// The time of an entry, in one of the forms that files use.
    package enum When: Equatable, Sendable {
        /// A moment, and a zone; nil is the trip's zone.
        case moment(OffsetDateTime, zone: String?)
        /// A minute of a day, counted from midnight, in the trip's zone.
        case clock(CalendarDate, minute: Int)
        /// The start of an event as people write it, in a zone; nil is the own clock of its city, if it has one.
        case written(String, zone: String?)
        /// A date.
        case date(CalendarDate)
        /// A day number of the trip.
        case day(Int)

        /// The source's day; nil if it follows from a moment.
        var sourceDay: SourceValues.Day? {
            switch self {
            case .date(let date), .clock(let date, _): .date(date)
            case .day(let number): .number(number)
            case .moment, .written: nil
            }
        }
    }

    /// The 1-based line on which it begins.
    package let line: Int
    /// The entry's id in the file.
    @Verbatim package var id: String
    /// The instance of a calendar's event; nil for entries of other files.
    package var occurrence: Occurrence?
    /// The kind of the item.
    package var kind: ItemKind
    /// The time of the entry.
    package var when: When
    /// Data that only our exports contain; nil for other files.
    package var own: OwnMark?
    /// The fields whose zone is only an offset in the file.
    var offsetZones: Set<ItemField> = []
    /// The fields whose cells are empty.
    package var emptyFields: Set<ItemField> = []
    /// The values of the fields, except a game's `startsAt` and `timeZone`, which follow from `when`.
    private var values: [ItemField: FieldValue] = [:]

    package init(line: Int, id: String, kind: ItemKind, when: When) {
        self.line = line
        self.id = id
        self.kind = kind
        self.when = when
    }

    /// The value of a field; nil if the file does not set it.
    package subscript(field: ItemField) -> FieldValue? {
        get { values[field] }
        set { values[field] = newValue }
    }

    /// The time at which an item begins; nil if the file does not set it.
    var startTime: StartTime? {
        guard case .time(let clock)? = self[.time] else { return nil }
        return StartTime(clock, isLateNight: self[.lateNight] == .flag(true))
    }

    /// The nights of a stay; 0 for anything else.
    var nights: Int { if case .nights(let nights)? = self[.nights] { nights } else { 0 } }

    /// The content without a day, of travel or a custom item. Events in other trips have other ids, so it names none.
    var content: ItemContent {
        ItemContent(kind, values.filter { $0.key != .afterGame && $0.key != .beforeGame })
    }

    /// A note about the entry.
    func note(_ text: String) -> FileNote { FileNote(line: line, id: id, text: text) }

    /// The entry in the list of skipped entries, with the reason.
    func skipped(field: String? = nil, reason: String) -> SkippedEntry {
        SkippedEntry(line: line, id: id, field: field, reason: reason)
    }

    /// The text of a field; nil if the file does not set it.
    package func text(_ field: ItemField) -> String? {
        if case .text(let text)? = self[field] { text } else { nil }
    }
}

/// One instance of an event, by its original time if it was moved.
package struct Occurrence: Hashable, Sendable {
    /// The event's UID.
    package let uid: TextKey
    /// The date, in the event's zone.
    package let date: CalendarDate
    /// Whether it is one of a series.
    package let isOneOfSeries: Bool
    /// Whether it is one of a series in floating time: its id contains UTC, so it depends on the trip's zone.
    package let isFloating: Bool
}

/// A thing to do according to a file.
package struct FileTodo: Equatable, Sendable {
    /// The id in the trip that the file was written from; nil for other files.
    var own: TodoID?
    /// The id in the file, by which a later import recognizes it.
    var id: String
    /// The text.
    package var text: String
    /// Whether it is done.
    var isDone: Bool
    /// The fields of an idea.
    var item: ItemContent?
}

/// Data that our exports add to an item, so that importing gives the same item again.
package struct OwnMark: Equatable, Sendable {
    /// The item's id.
    package var item: ItemID?
    /// Its order within its day.
    package var sortOrder: Double?
    /// Whether the entry is a row of a table. People edit tables, so every changed cell is intentional.
    package var isRow = false
    /// Whether its zone is the trip's, which is written but not stored.
    package var isOnTripClock = false

    package init() {}
}

/// The days and the zone of the trip for which a file's entries are resolved.
package struct TripFrame: Equatable, Sendable {
    /// The trip's zone.
    @Verbatim package var timeZone: String
    /// Day 1.
    package var firstDay: CalendarDate
    /// The number of days.
    package var dayCount: Int
    /// Whether days are counted in the trip's zone even for entries with a zone of their own.
    package var countsByTripClock = false

    package init(timeZone: String, firstDay: CalendarDate, dayCount: Int) {
        self.timeZone = timeZone
        self.firstDay = firstDay
        self.dayCount = dayCount
    }

    /// The frame of a trip.
    package init(_ trip: TripHeader) {
        self.init(timeZone: trip.timeZone, firstDay: trip.startDate, dayCount: trip.dayCount)
    }

    /// The day number of a date.
    func dayNumber(of date: CalendarDate) -> Int { date.daysSince1970 - firstDay.daysSince1970 + 1 }
}

/// The entries of a file, resolved for one trip.
package struct FileEntries: Equatable, Sendable {
    /// The entries in the file's order.
    package var entries: [FileEntry] = []
    /// Entries that cannot be imported, in the file's order.
    package var skipped: [SkippedEntry] = []
    /// Notes for the user.
    package var notes: [FileNote] = []
    /// The ids in the file, including those of skipped entries, which therefore have not vanished.
    package var present: Set<TextKey> = []
    /// The UIDs of series. Only their instances on the trip's days are entries.
    package var series: Set<TextKey> = []
    /// The UIDs of series that may have more instances than could be computed.
    package var unclear: Set<TextKey> = []
    /// The ids and UIDs that the file cancels.
    package var cancelled: Set<TextKey> = []
    /// Whether the file only cancels entries; then others have not vanished.
    package var isCancellation = false
    /// Whether some entry could not be identified.
    package var hasUnknown = false
    /// Whether the end of the file is missing.
    package var isCut = false

    /// The keys of the problems that were accepted in the trip that the file was written from.
    package var acceptedProblems: [String] = []

    /// The exchange rates of the costs; empty without any.
    package var rates = ""

    /// The things to do.
    package var todo: [FileTodo] = []

    /// Makes the entries of an empty file.
    package init() {}

    /// If several entries have the id of one of our items, the first is matched by it and the others by their
    /// ids in the file.
    func withEachItemOnce() -> FileEntries {
        var result = self
        var lines: [ItemID: Int] = [:]
        for (index, entry) in entries.enumerated() {
            guard let own = entry.own?.item else { continue }
            guard let first = lines.updateValue(entry.line, forKey: own) else { continue }
            lines[own] = first
            result.entries[index].own?.item = nil
            let text =
                "the entry of line \(first) has its item's id \(own) already; this entry becomes a new item"
            result.notes.append(FileNote(line: entry.line, id: entry.id, text: text))
        }
        return result
    }
}
