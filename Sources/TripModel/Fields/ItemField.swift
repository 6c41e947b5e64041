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
        case .title: FieldRow("title", "Title", .text(.line(.textBytes)), isRequired: true)
        case .icon: FieldRow("icon", "Icon", .text(.line(.iconBytes)))
        case .fromCity: FieldRow("fromCity", "From", .text(.line(.textBytes)), isRequired: true)
        case .toCity: FieldRow("toCity", "To", .text(.line(.textBytes)), isRequired: true)
        case .city: FieldRow("city", "City", .text(.line(.textBytes)))
        case .venue: FieldRow("venue", "Venue", .text(.line(.textBytes)))
        case .time: FieldRow("time", "Time", .time)
        case .lateNight: FieldRow("lateNight", "After midnight", .flag)
        case .endTime: FieldRow("endTime", "End time", .time)
        case .nights: FieldRow("nights", "Nights", .nights)
        case .place: FieldRow("place", "Place", .text(.line(.placeBytes)))
        case .mode: FieldRow("mode", "Mode", .text(.line(.modeBytes)))
        case .durationMinutes: FieldRow("durationMinutes", "Duration", .minutes)
        case .cost: FieldRow("cost", "Cost", .cost)
        case .paidBy: FieldRow("paidBy", "Paid by", .text(.line(.textBytes)))
        case .sharedBy: FieldRow("for", "Paid for", .text(.line(.textBytes)))
        case .who: FieldRow("who", "Who", .text(.line(.textBytes)))
        case .reference: FieldRow("reference", "Reference", .text(.line(.referenceBytes)))
        case .url: FieldRow("url", "URL", .text(.url))
        case .coordinate: FieldRow("coordinate", "Coordinate", .coordinate)
        case .note: FieldRow("note", "Note", .text(.note))
        case .afterGame: FieldRow("afterGame", "After event", .side)
        case .beforeGame: FieldRow("beforeGame", "Before event", .side)
        case .gameID: FieldRow("gameId", "Event ID", .text(.line(.textBytes)), isRequired: true)
        case .startsAt: FieldRow("startsAt", "Starts at", .moment, isRequired: true)
        case .timeZone: FieldRow("timeZone", "Time zone", .text(.line(.textBytes)))
        case .arrivalTimeZone: FieldRow("arrivalTimeZone", "Arrival zone", .text(.line(.textBytes)))
        case .attending: FieldRow("attending", "Attending", .flag)
        case .cancelled: FieldRow("cancelled", "Cancelled", .flag)
        case .source: FieldRow("source", "Source", .source)
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

/// The properties of a field.
package struct FieldRow: Sendable {
    /// The name in the protocol, which needs no escapes.
    package let key: StaticString
    /// The label in a form.
    let label: String
    /// The type and the bounds of its values.
    package let type: FieldType
    /// Whether the field always has a value.
    package let isRequired: Bool

    fileprivate init(
        _ key: StaticString, _ label: String, _ type: FieldType, isRequired: Bool = false
    ) {
        self.key = key
        self.label = label
        self.type = type
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

    private static let gameFields: [ItemField] = [
        .gameID, .title, .city, .venue, .startsAt, .timeZone, .durationMinutes, .note, .cost, .paidBy,
        .sharedBy, .who, .url, .reference, .coordinate, .attending, .cancelled, .source,
    ]
    private static let travelFields: [ItemField] = [
        .fromCity, .toCity, .mode, .durationMinutes, .note, .cost, .paidBy, .sharedBy, .who, .afterGame,
        .beforeGame, .time, .lateNight, .timeZone, .arrivalTimeZone, .url, .reference, .source,
    ]
    private static let customFields: [ItemField] = [
        .title, .icon, .city, .note, .durationMinutes, .cost, .paidBy, .sharedBy, .who, .time, .lateNight,
        .endTime,
        .nights, .place, .coordinate, .url, .reference, .source,
    ]

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
    package var example: String {
        switch self {
        case .title: "Tea house"
        case .icon: "🍵"
        case .fromCity: "Tokyo"
        case .toCity: "Kyoto"
        case .time: "19:30"
        case .endTime: "11:00"
        case .nights: "3"
        case .arrivalTimeZone: "America/Los_Angeles"
        case .attending: "no"
        case .cancelled, .lateNight: "yes"
        case .startsAt: "2027-04-03T18:00:00+09:00"
        case .timeZone: "Asia/Tokyo"
        case .city: "Kyoto"
        case .venue: "Koshien"
        case .place: "1-13-11 Nishiazabu"
        case .mode: "train"
        case .durationMinutes: "90"
        case .cost: "45 EUR"
        case .paidBy: "ann"
        case .sharedBy: "ann,ben"
        case .who: "ann,ben"
        case .reference: "XK4J7P"
        case .url: "https://example.org/booking"
        case .note: "bring cash"
        case .coordinate: "35.66,139.72"
        case .afterGame, .beforeGame: "Giants v Tigers"
        case .gameID: "g4"
        case .source: "league/g4"
        }
    }
}
