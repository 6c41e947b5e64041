import TripModel

/// What a file says of one item; of fields without a value it says nothing.
package struct FileEntry: Equatable, Sendable {
    /// When it is, in one of the ways that files have.
    package enum When: Equatable, Sendable {
        /// At a moment, on the clocks of a zone; nil is the trip's.
        case moment(OffsetDateTime, zone: String?)
        /// At a minute of a day, counted from midnight, on the trip's own clock.
        case clock(CalendarDate, minute: Int)
        /// On a day.
        case date(CalendarDate)
        /// On a day of the trip, by its number.
        case day(Int)
    }

    /// The 1-based line it begins on.
    package let line: Int
    /// What the file calls it.
    @Verbatim package var id: String
    /// What one of a series on nobody's clock is called whatever the trip's is, as its `id` has the time in UTC; nil for
    /// all others.
    @Verbatim package var floatingID: String?
    /// What kind of item it is.
    package var kind: ItemKind
    /// When it is.
    package var when: When
    /// What a trip of ours knew of it; nil in the files of others.
    package var own: OwnMark?
    /// What it says, field by field; `startsAt` and `timeZone` follow from `when`.
    private var values: [FieldChange] = []

    /// Makes an entry that says when it is, and nothing more.
    package init(line: Int, id: String, kind: ItemKind, when: When) {
        self.line = line
        self.id = id
        self.kind = kind
        self.when = when
    }

    /// The value of a field; nil where the file says nothing of it.
    package subscript(field: ItemField) -> FieldValue? {
        get { values.first { $0.field == field }?.value }
        set {
            values.removeAll { $0.field == field }
            if let newValue { values.append(FieldChange(field, newValue)) }
        }
    }

    /// The text of a field; nil where the file says nothing of it.
    package func text(_ field: ItemField) -> String? {
        if case .text(let text)? = self[field] { text } else { nil }
    }
}

/// What a trip of ours wrote beside an item, so that reading gives the same item again.
package struct OwnMark: Equatable, Sendable {
    /// The item's id.
    package var item: ItemID?
    /// Its order within its day.
    package var sortOrder: Double?

    /// Makes a mark that says nothing yet.
    package init() {}
}

/// The days and the clock that a file's entries are worked out for.
package struct TripFrame: Equatable, Sendable {
    /// The zone of the trip's own clock.
    @Verbatim package var timeZone: String
    /// Day 1.
    package var firstDay: CalendarDate
    /// How many days there are.
    package var dayCount: Int
    /// Whether the trip's clock tells the days of everything, also of what has a zone of its own.
    package var countsByTripClock = false

    /// Makes a frame.
    package init(timeZone: String, firstDay: CalendarDate, dayCount: Int) {
        self.timeZone = timeZone
        self.firstDay = firstDay
        self.dayCount = dayCount
    }

    /// The frame that a trip gives.
    package init(_ trip: TripHeader) {
        self.init(timeZone: trip.timeZone, firstDay: trip.startDate, dayCount: trip.dayCount)
    }

    /// The number of a date's day.
    func dayNumber(of date: CalendarDate) -> Int { date.daysSince1970 - firstDay.daysSince1970 + 1 }
}

/// What a file comes to for one trip.
package struct FileEntries: Equatable, Sendable {
    /// The entries in the file's order.
    package var entries: [FileEntry] = []
    /// What is not imported, in the file's order.
    package var skipped: [SkippedEntry] = []
    /// What a person should know.
    package var notes: [FileNote] = []
    /// What the file still has, by its own ids, also where it is skipped: so it has not vanished.
    package var present: Set<TextKey> = []
    /// The UIDs of what comes again and again: only what falls on the trip's days is among the entries.
    package var series: Set<TextKey> = []
    /// The UIDs of series of which the file may have more times than could be worked out.
    package var unclear: Set<TextKey> = []
    /// Whether something could not be read so far that one would know what it is.
    package var hasUnknown = false
    /// Whether the file's end is missing.
    package var isCut = false

    /// Makes the entries of an empty file.
    package init() {}
}
