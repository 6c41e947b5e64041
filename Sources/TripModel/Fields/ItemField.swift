/// A field of items. The cases are in the order in which they are shown.
///
/// Generic code uses the field's row here, the lists of `ItemKind`, and `ItemContent+Fields`.
@nonexhaustive
public enum ItemField: Sendable, CaseIterable {
    /// The title, the place and the time.
    case title, icon, fromCity, toCity, time, lateNight, startsAt, timeZone, city, venue, place, mode
    /// Other details.
    case durationMinutes, cost, paidBy, sharedBy, who, reference, url, note, coordinate, nights, endTime,
        attending, cancelled
    /// The games that bind travel (R-LEG), and the zone of its arrival.
    case afterGame, beforeGame, arrivalTimeZone
    /// The schedule's id for a game, and the source of an imported item.
    case gameID, source

    /// The properties of the field.
    package var row: FieldRow {
        switch self {
        case .title:
            FieldRow(
                "title", "Title", .text(.line(.textBytes)), "Tea house", .unlisted, writer: .anyone,
                isRequired: true)
        case .icon: FieldRow("icon", "Icon", .text(.line(.iconBytes)), "🍵")
        case .fromCity: FieldRow("fromCity", "From", .text(.line(.textBytes)), "Tokyo", isRequired: true)
        case .toCity: FieldRow("toCity", "To", .text(.line(.textBytes)), "Kyoto", isRequired: true)
        case .city: FieldRow("city", "City", .text(.line(.textBytes)), "Kyoto", isSearched: true)
        case .venue: FieldRow("venue", "Venue", .text(.line(.textBytes)), "Koshien", isSearched: true)
        case .time: FieldRow("time", "Time", .time, "19:30", .unlisted, writer: .anyone)
        case .lateNight: FieldRow("lateNight", "After midnight", .flag, "yes", .unlisted, isWritten: false)
        case .endTime: FieldRow("endTime", "End time", .time, "11:00")
        case .nights: FieldRow("nights", "Nights", .nights, "3")
        case .place:
            FieldRow("place", "Place", .text(.line(.placeBytes)), "1-13-11 Nishiazabu", isSearched: true)
        case .mode: FieldRow("mode", "Mode", .text(.line(.modeBytes)), "train", isSearched: true)
        case .durationMinutes: FieldRow("durationMinutes", "Duration", .minutes, "90")
        case .cost: FieldRow("cost", "Cost", .cost, "45 EUR", writer: .user)
        case .paidBy:
            FieldRow("paidBy", "Paid by", .text(.line(.textBytes)), "ann", writer: .user, isSearched: true)
        case .sharedBy:
            FieldRow("for", "Paid for", .text(.line(.textBytes)), "ann,ben", writer: .user, isSearched: true)
        case .who:
            FieldRow("who", "Who", .text(.line(.textBytes)), "ann,ben", writer: .user, isSearched: true)
        case .reference:
            FieldRow(
                "reference", "Reference", .text(.line(.referenceBytes)), "XK4J7P", writer: .user,
                isSearched: true)
        case .url: FieldRow("url", "URL", .text(.url), "https://example.org/booking", writer: .anyone)
        case .coordinate: FieldRow("coordinate", "Coordinate", .coordinate, "35.66,139.72")
        case .note:
            FieldRow("note", "Note", .text(.note), "bring cash", .paragraph, writer: .user, isSearched: true)
        case .afterGame: FieldRow("afterGame", "After event", .side, "Giants v Tigers")
        case .beforeGame: FieldRow("beforeGame", "Before event", .side, "Giants v Tigers")
        case .gameID:
            FieldRow("gameId", "Event ID", .text(.line(.textBytes)), "g4", .unlisted, isRequired: true)
        case .startsAt:
            FieldRow(
                "startsAt", "Starts at", .moment, "2027-04-03T18:00:00+09:00", .unlisted, isRequired: true)
        case .timeZone: FieldRow("timeZone", "Time zone", .text(.line(.textBytes)), "Asia/Tokyo", .unlisted)
        case .arrivalTimeZone:
            FieldRow(
                "arrivalTimeZone", "Arrival zone", .text(.line(.textBytes)), "America/Los_Angeles", .unlisted)
        case .attending: FieldRow("attending", "Attending", .flag, "no")
        case .cancelled: FieldRow("cancelled", "Cancelled", .flag, "yes")
        case .source: FieldRow("source", "Source", .source, "league/g4", isWritten: false)
        }
    }

    /// The name in the protocol.
    public var name: String { row.key.withUTF8Buffer { String(decoding: $0, as: UTF8.self) } }

    /// The label in a form.
    package var label: String { row.label }

    /// The name within a sentence.
    package var spokenName: String { self == .startsAt ? "start" : row.label.lowercased() }

    /// Whether the field always has a value.
    public var isRequired: Bool { row.isRequired }

    /// The field with a protocol name; nil if there is none.
    public init?(name: String) {
        guard let field = Self.byName[name] else { return nil }
        self = field
    }

    /// The field with a protocol name, given as UTF-8; nil if there is none.
    package init?(utf8 name: UnsafeBufferPointer<UInt8>) {
        // For so few fields a linear search by the first bytes is faster than a dictionary.
        let beginning = Self.beginning(of: name)
        guard
            let found = Self.keys.first(where: { $0.beginning == beginning && $0.count == name.count }),
            found.field.row.key.withUTF8Buffer({ $0.elementsEqual(name) })
        else { return nil }
        self = found.field
    }

    /// The first eight bytes of a name. Among names of one length they are unique.
    private static func beginning(of name: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var beginning: UInt64 = 0
        for index in 0..<min(name.count, 8) { beginning = beginning << 8 | UInt64(name[index]) }
        return beginning
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
    private static let keys = allCases.map { field in
        let key = field.row.key
        return (beginning: key.withUTF8Buffer(beginning), count: key.utf8CodeUnitCount, field: field)
    }
}

extension ItemField {
    /// The fields of forms in groups, those that are written most often first.
    private static let groups: [[ItemField]] = [
        [.title, .fromCity, .toCity, .startsAt, .time, .nights, .endTime],
        [.city, .venue, .place, .mode, .durationMinutes],
        [.cost, .reference, .url, .note],
        [.paidBy, .sharedBy, .who],
        [.timeZone, .arrivalTimeZone, .attending, .cancelled, .afterGame, .beforeGame, .coordinate, .icon],
    ]

    /// The number of its group.
    package var group: Int? { Self.groups.firstIndex { $0.contains(self) } }

    /// The fields that users can change, in the order of a form; for a game those that its schedule does not
    /// set.
    package static func editable(in content: ItemContent) -> [ItemField] {
        groups.joined().filter {
            content.kind.fields.contains($0) && $0.row.isWritten
                && !(content.followsSchedule && ItemKind.scheduledFields.contains($0))
        }
    }
}

/// The properties of a field.
package struct FieldRow: Sendable {
    /// The name in the protocol, which needs no escapes.
    package let key: StaticString
    /// The label in a form.
    let label: String
    /// The type and the bounds of its values.
    package let type: FieldType
    /// An example value, as a command accepts it.
    let example: String
    /// The place among the details.
    package let place: Place
    /// Who usually writes it in an imported item.
    package let writer: Writer
    /// Whether the search includes it; a title is always included.
    let isSearched: Bool
    /// Whether users write it; otherwise a program does.
    package let isWritten: Bool
    /// Whether the field always has a value.
    package let isRequired: Bool

    /// The place among the details of an item.
    package enum Place: Sendable {
        /// Not listed: shown as the heading or as the time of the row.
        case unlisted
        /// After its label.
        case line
        /// At the end, on several lines.
        case paragraph
    }

    /// Who usually writes a field of an imported item.
    package enum Writer: Sendable {
        /// The source.
        case source
        /// A user: a value counts as the user's unless the source is known to have it.
        case user
        /// Both: a value counts as the user's if the source is known to have another one.
        case anyone
    }

    fileprivate init(
        _ key: StaticString, _ label: String, _ type: FieldType, _ example: String, _ place: Place = .line,
        writer: Writer = .source, isSearched: Bool = false, isWritten: Bool = true, isRequired: Bool = false
    ) {
        self.key = key
        self.label = label
        self.type = type
        self.example = example
        self.place = place
        self.writer = writer
        self.isSearched = isSearched
        self.isWritten = isWritten
        self.isRequired = isRequired
    }
}

/// The kinds of items, by their names in the protocol.
public enum ItemKind: String, Sendable, CaseIterable {
    /// See `ItemContent`.
    case game, travel, custom

    /// The fields of a game that its schedule sets; all others are set by users.
    package static let scheduledFields: Set<ItemField> = [
        .gameID, .title, .city, .venue, .startsAt, .timeZone, .durationMinutes,
    ]

    /// The kind's fields, in protocol order.
    public var fields: [ItemField] {
        switch self {
        case .game: Self.gameFields
        case .travel: Self.travelFields
        case .custom: Self.customFields
        }
    }

    private static let gameFields = Game.slots.map(\.field)
    private static let travelFields = Travel.slots.map(\.field)
    private static let customFields = CustomItem.slots.map(\.field)

    /// The kind in a sentence.
    package var noun: String {
        switch self {
        case .game: "an event"
        case .travel: "travel"
        case .custom: "a custom item"
        }
    }
}

/// Changes by field, with typed values.
extension FieldChange {
    /// Clears an optional field. Traps for a required one, such as the title.
    public static func clear(_ field: ItemField) -> FieldChange { FieldChange(field, nil) }
    /// A game or a custom item.
    public static func title(_ text: String) -> FieldChange { FieldChange(.title, .text(text)) }
    /// A game or a custom item.
    public static func city(_ text: String) -> FieldChange { FieldChange(.city, .text(text)) }
    /// Any kind.
    public static func note(_ text: String) -> FieldChange { FieldChange(.note, .text(text)) }
    /// A custom item.
    public static func icon(_ text: String) -> FieldChange { FieldChange(.icon, .text(text)) }
    /// Any kind.
    public static func durationMinutes(_ minutes: Int) -> FieldChange {
        FieldChange(.durationMinutes, .minutes(minutes))
    }
    /// Any kind.
    public static func cost(_ cost: Cost) -> FieldChange { FieldChange(.cost, .cost(cost)) }
    /// A game.
    public static func gameID(_ text: String) -> FieldChange { FieldChange(.gameID, .text(text)) }
    /// A game.
    public static func venue(_ text: String) -> FieldChange { FieldChange(.venue, .text(text)) }
    /// A game; moves it to its new time.
    public static func startsAt(_ moment: OffsetDateTime) -> FieldChange {
        FieldChange(.startsAt, .moment(moment))
    }
    /// A game, which it may move, or travel: the zone of the departure.
    public static func timeZone(_ text: String) -> FieldChange { FieldChange(.timeZone, .text(text)) }
    /// Travel.
    public static func fromCity(_ text: String) -> FieldChange { FieldChange(.fromCity, .text(text)) }
    /// Travel.
    public static func toCity(_ text: String) -> FieldChange { FieldChange(.toCity, .text(text)) }
    /// Travel.
    public static func mode(_ text: String) -> FieldChange { FieldChange(.mode, .text(text)) }
    /// Travel: the game that it must follow.
    public static func afterGame(_ side: TravelSide) -> FieldChange { FieldChange(.afterGame, .side(side)) }
    /// Travel: the game that it must precede.
    public static func beforeGame(_ side: TravelSide) -> FieldChange { FieldChange(.beforeGame, .side(side)) }
    /// Travel or a custom item: the local time at which it begins.
    public static func time(_ time: ClockTime) -> FieldChange { FieldChange(.time, .time(time)) }
    /// Travel: the zone of its arrival.
    public static func arrivalTimeZone(_ text: String) -> FieldChange {
        FieldChange(.arrivalTimeZone, .text(text))
    }
    /// A custom item: the end or the check-out.
    public static func endTime(_ time: ClockTime) -> FieldChange { FieldChange(.endTime, .time(time)) }
    /// A custom item: the nights of a stay, 0…365.
    public static func nights(_ count: Int) -> FieldChange { FieldChange(.nights, .nights(count)) }
    /// Travel or a custom item: whether its time is after the midnight that ends its day.
    public static func lateNight(_ isLateNight: Bool) -> FieldChange {
        FieldChange(.lateNight, isLateNight ? .flag(true) : nil)
    }
    /// A game: whether the users attend it.
    public static func attending(_ isAttended: Bool) -> FieldChange {
        FieldChange(.attending, .flag(isAttended))
    }
    /// A game: whether it is cancelled.
    public static func cancelled(_ isCancelled: Bool) -> FieldChange {
        FieldChange(.cancelled, .flag(isCancelled))
    }
    /// Any kind.
    public static func url(_ text: String) -> FieldChange { FieldChange(.url, .text(text)) }
    /// Any kind: a booking or a seat.
    public static func reference(_ text: String) -> FieldChange { FieldChange(.reference, .text(text)) }
    /// Any kind: the name of the person who paid the cost.
    public static func paidBy(_ text: String) -> FieldChange { FieldChange(.paidBy, .text(text)) }
    /// Any kind: the names of the people who share the cost, separated by commas.
    public static func sharedBy(_ text: String) -> FieldChange { FieldChange(.sharedBy, .text(text)) }
    /// Any kind: the names of the people who take part, separated by commas.
    public static func who(_ text: String) -> FieldChange { FieldChange(.who, .text(text)) }
    /// A custom item.
    public static func place(_ text: String) -> FieldChange { FieldChange(.place, .text(text)) }
    /// A game or a custom item.
    public static func coordinate(_ coordinate: Coordinate) -> FieldChange {
        FieldChange(.coordinate, .coordinate(coordinate))
    }
    /// Any kind.
    public static func source(_ source: ItemSource) -> FieldChange { FieldChange(.source, .source(source)) }
}

extension ItemField {
    /// An example value, as a command accepts it.
    package var example: String { row.example }
}
