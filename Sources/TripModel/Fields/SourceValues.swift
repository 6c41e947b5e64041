/// The values of an item in its source at the last import. A later import applies only differences from
/// these.
public struct SourceValues: Equatable, Sendable {
    /// The source's day for an item that is not a game. The day of a game follows from `startsAt`.
    package enum Day: Equatable, Sendable {
        /// A date.
        case date(CalendarDate)
        /// A day number of the trip.
        case number(Int)
    }

    /// The values, in the order of `ItemField`, without fields that the source does not set.
    package private(set) var values: [FieldChange] = []
    /// The day; nil for a game.
    package var day: Day?
    /// Fields that keep a user's value although the source has changed its own.
    package var keptFields: Set<ItemField> = []
    /// Whether the day keeps a user's value although the source has changed its own.
    package var keepsDay = false

    package init() {}

    /// The value of a field, shortened if it is long; nil if the source does not set it.
    package subscript(field: ItemField) -> FieldValue? {
        get { values.first { $0.field == field }?.value }
        set {
            values.removeAll { $0.field == field }
            guard let newValue, Self.canHold(field) else { return }
            values.append(FieldChange(field, Self.shortened(newValue)))
        }
    }

    /// Whether the field is a value of the source; fields that identify an item are not.
    package static func canHold(_ field: ItemField) -> Bool { field != .source && field != .gameID }

    /// Replaces a text of more than `TripLimits.textBytes` by its length and FNV-1a hash. Enough, because it
    /// is only compared.
    package static func shortened(_ value: FieldValue) -> FieldValue {
        guard case .text(let text) = value, text.utf8.count > TripLimits.textBytes else { return value }
        let hash = text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return .text("\(text.utf8.count) bytes, \(String(hash, radix: 16))")
    }

    /// An estimate of its size: UTF-8 bytes of its texts, plus a constant.
    var textBytes: Int { values.reduce(256) { $0 + ($1.value?.textBytes ?? 0) } }

    /// Rejects values that no import creates.
    func check(field: String) throws(Rejection) {
        for change in values {
            let name = "\(field).\(change.field.name)"
            switch change.value {
            case .text(let text):
                guard text.utf8.count <= TripLimits.textBytes else {
                    throw .limitExceeded(.textBytes, field: name)
                }
                try TextRule.note.check(text, field: name)
            case let value?: try change.field.check(value)
            case nil: break
            }
        }
    }

    /// Whether both have equal values, in any order.
    public static func == (left: SourceValues, right: SourceValues) -> Bool {
        left.day == right.day && left.keptFields == right.keptFields && left.keepsDay == right.keepsDay
            && left.values.count == right.values.count
            && left.values.allSatisfy { $0.value == right[$0.field] }
    }
}

extension Trip {
    /// The last imported values, by item.
    package var said: [ItemID: SourceValues] { itemsByID.compactMapValues(\.content.said) }

    /// Moves the last imported days, for a copy that begins some days later. Otherwise every day would count as a
    /// user's change there.
    package mutating func moveSaidDays(by days: Int) {
        for (id, item) in itemsByID {
            guard var source = item.content.source, case .date(let date)? = source.said?.day
            else { continue }
            source.said?.day = date.adding(days: days).map(SourceValues.Day.date)
            itemsByID[id]?.content.assign([.source(source)])
        }
    }

    /// Adds last imported values that a daemon stores, if the item still has its source.
    package mutating func learn(said: [ItemID: SourceValues]) {
        for (id, said) in said {
            guard let item = itemsByID[id], var source = item.content.source else {
                continue
            }
            source.said = said
            itemsByID[id]?.content.assign([.source(source)])
        }
    }
}

extension ItemContent {
    /// The source; nil if it was not imported.
    package var source: ItemSource? {
        if case .source(let source)? = self[.source] { source } else { nil }
    }

    /// The last imported values; nil if unknown.
    package var said: SourceValues? { source?.said }

    /// Copies the last imported values of the old content, if the new content has the same source without
    /// values.
    mutating func keepSaid(of old: ItemContent) {
        guard let before = old.source, let said = before.said, var source, source.said == nil,
            source.isSame(as: before)
        else { return }
        source.said = said
        assign([.source(source)])
    }
}

/// The calendar or table from which an item was imported.
public struct ItemSource: Equatable, Sendable {
    /// The name of the calendar or table.
    @Verbatim public var name: String
    /// The item's id there.
    @Verbatim public var id: String
    /// The values of the last import; sent to clients only by `trip.get` with `said`.
    public var said: SourceValues?

    /// Makes a source. When an item gets it, both texts are checked not to be empty.
    public init(name: String, id: String, said: SourceValues? = nil) {
        self.name = name
        self.id = id
        self.said = said
    }

    /// Whether both identify the same item of the same source.
    package func isSame(as other: ItemSource) -> Bool {
        String.isVerbatim(name, other.name) && String.isVerbatim(id, other.id)
    }
}
