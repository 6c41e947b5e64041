/// A field of items: the one list of them all, in the order in which people are shown them.
///
/// Whatever is done to items field by field follows from the row of the field here, from the lists of `ItemKind`, and
/// from how each kind keeps its fields (`ItemContent+Fields`).
public enum ItemField: Sendable, CaseIterable {
    /// What an item is called, where it is, and when.
    case title, icon, fromCity, toCity, time, startsAt, timeZone, city, venue, place, mode
    /// What else people say of it.
    case durationMinutes, cost, reference, url, note, coordinate
    /// The games that travel stands between (R-LEG).
    case afterGame, beforeGame
    /// What a schedule calls a game, and what brought an item.
    case gameID, source

    /// Everything there is to know of the field's values.
    package var row: FieldRow {
        switch self {
        case .title: FieldRow("title", "Title", .text(.line(.textBytes)), isRequired: true)
        case .icon: FieldRow("icon", "Icon", .text(.line(.iconBytes)))
        case .fromCity: FieldRow("fromCity", "From", .text(.line(.textBytes)), isRequired: true)
        case .toCity: FieldRow("toCity", "To", .text(.line(.textBytes)), isRequired: true)
        case .city: FieldRow("city", "City", .text(.line(.textBytes)))
        case .venue: FieldRow("venue", "Venue", .text(.line(.textBytes)))
        case .time: FieldRow("time", "Time", .time)
        case .place: FieldRow("place", "Place", .text(.line(.placeBytes)))
        case .mode: FieldRow("mode", "Mode", .text(.line(.modeBytes)))
        case .durationMinutes: FieldRow("durationMinutes", "Duration", .minutes)
        case .cost: FieldRow("cost", "Cost", .cost)
        case .reference: FieldRow("reference", "Reference", .text(.line(.referenceBytes)))
        case .url: FieldRow("url", "URL", .text(.url))
        case .coordinate: FieldRow("coordinate", "Coordinate", .coordinate)
        case .note: FieldRow("note", "Note", .text(.note))
        case .afterGame: FieldRow("afterGame", "After game", .side)
        case .beforeGame: FieldRow("beforeGame", "Before game", .side)
        case .gameID: FieldRow("gameId", "Game ID", .text(.line(.textBytes)), isRequired: true)
        case .startsAt: FieldRow("startsAt", "Starts at", .moment, isRequired: true)
        case .timeZone: FieldRow("timeZone", "Time zone", .text(.line(.textBytes)))
        case .source: FieldRow("source", "Source", .source)
        }
    }

    /// The name on the wire.
    public var name: String { row.key.withUTF8Buffer { String(decoding: $0, as: UTF8.self) } }

    /// What it is called in a form.
    package var label: String { row.label }

    /// What it is called in a sentence.
    package var spokenName: String { row.label.lowercased() }

    /// Whether every item that has the field gives it a value.
    public var isRequired: Bool { row.isRequired }

    /// The field of a name on the wire; nil where none is called so.
    public init?(name: String) {
        guard let field = Self.byName[name] else { return nil }
        self = field
    }

    /// The field of a name on the wire, by its bytes in UTF-8; nil where none is called so.
    package init?(utf8 name: UnsafeBufferPointer<UInt8>) {
        // So few are gone through faster than looked up, by their beginnings.
        let beginning = Self.beginning(of: name)
        guard
            let found = Self.keys.first(where: { $0.beginning == beginning && $0.count == name.count }),
            found.field.row.key.withUTF8Buffer({ $0.elementsEqual(name) })
        else { return nil }
        self = found.field
    }

    /// The first eight bytes of a name; no two fields with names of one length share them.
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

/// Everything there is to know of a field's values.
package struct FieldRow: Sendable {
    /// The name on the wire, as a key that needs no escape.
    package let key: StaticString
    /// What a person calls it, as it stands in a form.
    let label: String
    /// What the values are, and what bounds them.
    package let type: FieldType
    /// Whether every item that has the field gives it a value.
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

/// The kinds of items, by their names on the wire.
public enum ItemKind: String, Sendable, CaseIterable {
    /// See `ItemContent`.
    case game, travel, custom

    /// The fields of a game that its schedule fills; the others are people's own.
    package static let scheduledFields: Set<ItemField> = [
        .gameID, .title, .city, .venue, .startsAt, .timeZone, .durationMinutes,
    ]

    /// The fields of such items, in the order of the wire.
    public var fields: [ItemField] {
        switch self {
        case .game: Self.gameFields
        case .travel: Self.travelFields
        case .custom: Self.customFields
        }
    }

    private static let gameFields: [ItemField] = [
        .gameID, .title, .city, .venue, .startsAt, .timeZone, .durationMinutes, .note, .cost, .url,
        .reference, .coordinate, .source,
    ]
    private static let travelFields: [ItemField] = [
        .fromCity, .toCity, .mode, .durationMinutes, .note, .cost, .afterGame, .beforeGame, .time, .url,
        .reference, .source,
    ]
    private static let customFields: [ItemField] = [
        .title, .icon, .city, .note, .durationMinutes, .cost, .time, .place, .coordinate, .url, .reference,
        .source,
    ]

    /// What a person calls one of them.
    package var noun: String {
        switch self {
        case .game: "a game"
        case .travel: "travel"
        case .custom: "a custom item"
        }
    }
}

/// A change of each field, with a value of its type.
extension FieldChange {
    /// Of a game or a custom item.
    public static func title(_ text: String) -> FieldChange { FieldChange(.title, .text(text)) }
    /// Of a game or a custom item.
    public static func city(_ text: String?) -> FieldChange { FieldChange(.city, text.map(FieldValue.text)) }
    /// Of every kind.
    public static func note(_ text: String?) -> FieldChange { FieldChange(.note, text.map(FieldValue.text)) }
    /// Of a custom item.
    public static func icon(_ text: String?) -> FieldChange { FieldChange(.icon, text.map(FieldValue.text)) }
    /// Of every kind.
    public static func durationMinutes(_ minutes: Int?) -> FieldChange {
        FieldChange(.durationMinutes, minutes.map(FieldValue.minutes))
    }
    /// Of every kind.
    public static func cost(_ cost: Cost?) -> FieldChange { FieldChange(.cost, cost.map(FieldValue.cost)) }
    /// Of a game.
    public static func gameID(_ text: String) -> FieldChange { FieldChange(.gameID, .text(text)) }
    /// Of a game.
    public static func venue(_ text: String?) -> FieldChange {
        FieldChange(.venue, text.map(FieldValue.text))
    }
    /// Of a game; its place follows.
    public static func startsAt(_ moment: OffsetDateTime) -> FieldChange {
        FieldChange(.startsAt, .moment(moment))
    }
    /// Of a game; its place follows.
    public static func timeZone(_ text: String?) -> FieldChange {
        FieldChange(.timeZone, text.map(FieldValue.text))
    }
    /// Of travel.
    public static func fromCity(_ text: String) -> FieldChange { FieldChange(.fromCity, .text(text)) }
    /// Of travel.
    public static func toCity(_ text: String) -> FieldChange { FieldChange(.toCity, .text(text)) }
    /// Of travel.
    public static func mode(_ text: String?) -> FieldChange { FieldChange(.mode, text.map(FieldValue.text)) }
    /// Of travel: the game that it follows.
    public static func afterGame(_ side: TravelSide?) -> FieldChange {
        FieldChange(.afterGame, side.map(FieldValue.side))
    }
    /// Of travel: the game that it precedes.
    public static func beforeGame(_ side: TravelSide?) -> FieldChange {
        FieldChange(.beforeGame, side.map(FieldValue.side))
    }
    /// Of travel or a custom item: when it begins, on the clocks of its day.
    public static func time(_ time: ClockTime?) -> FieldChange {
        FieldChange(.time, time.map(FieldValue.time))
    }
    /// Of every kind.
    public static func url(_ text: String?) -> FieldChange { FieldChange(.url, text.map(FieldValue.text)) }
    /// Of every kind: a booking or a seat.
    public static func reference(_ text: String?) -> FieldChange {
        FieldChange(.reference, text.map(FieldValue.text))
    }
    /// Of a custom item.
    public static func place(_ text: String?) -> FieldChange {
        FieldChange(.place, text.map(FieldValue.text))
    }
    /// Of a game or a custom item.
    public static func coordinate(_ coordinate: Coordinate?) -> FieldChange {
        FieldChange(.coordinate, coordinate.map(FieldValue.coordinate))
    }
    /// Of every kind.
    public static func source(_ source: ItemSource?) -> FieldChange {
        FieldChange(.source, source.map(FieldValue.source))
    }
}
