/// A field of one kind of items: how its value is read and written.
package struct FieldSlot<Content>: Sendable {
    /// The field.
    package let field: ItemField
    /// Its value; nil if it is absent.
    package let get: @Sendable (Content) -> FieldValue?
    /// Sets its value. Traps for nil in a required field and for a value of the wrong type.
    package let set: @Sendable (inout Content, FieldValue?) -> Void

    fileprivate init(
        _ field: ItemField, _ get: @escaping @Sendable (Content) -> FieldValue?,
        _ set: @escaping @Sendable (inout Content, FieldValue?) -> Void
    ) {
        (self.field, self.get, self.set) = (field, get, set)
    }
}

/// Generic access to the fields of a kind of items.
package protocol FieldKeeper {
    /// The kind.
    static var kind: ItemKind { get }
    /// The value whose fields are set while an item is decoded; never shown.
    static var blank: Self { get }
    /// The kind's fields, in protocol order.
    static var slots: [FieldSlot<Self>] { get }
}

extension FieldKeeper {
    /// The value of a field; nil if it is absent or the kind does not have it. The setter traps for a field
    /// that the kind lacks, for nil in a required field and for a value of the wrong type.
    package subscript(field: ItemField) -> FieldValue? {
        get { Self.slot(field)?.get(self) }
        set {
            guard let slot = Self.slot(field) else {
                preconditionFailure("\(Self.kind.noun) has no \(field)")
            }
            slot.set(&self, newValue)
        }
    }

    /// For so few fields a linear search is faster than a dictionary.
    private static func slot(_ field: ItemField) -> FieldSlot<Self>? { slots.first { $0.field == field } }
}

extension Game: FieldKeeper {
    package static var kind: ItemKind { .game }
    package static let blank = Game(gameID: "", title: "", startsAt: .epoch)
    package static let slots: [FieldSlot<Game>] = [
        FieldSlot(.gameID, { .text($0.gameID) }, { $0.gameID = $1.needed.text }),
        FieldSlot(.title, { .text($0.title) }, { $0.title = $1.needed.text }),
        FieldSlot(.city, { $0.city.map(FieldValue.text) }, { $0.city = $1?.text }),
        FieldSlot(.venue, { $0.venue.map(FieldValue.text) }, { $0.venue = $1?.text }),
        FieldSlot(.startsAt, { .moment($0.startsAt) }, { $0.startsAt = $1.needed.moment }),
        FieldSlot(.timeZone, { $0.timeZone.map(FieldValue.text) }, { $0.timeZone = $1?.text }),
        FieldSlot(
            .durationMinutes, { $0.durationMinutes.map(FieldValue.minutes) },
            { $0.durationMinutes = $1?.minutes }),
        FieldSlot(.note, { $0.note.map(FieldValue.text) }, { $0.note = $1?.text }),
        FieldSlot(.cost, { $0.cost.map(FieldValue.cost) }, { $0.cost = $1?.cost }),
        FieldSlot(.paidBy, { $0.paidBy.map(FieldValue.text) }, { $0.paidBy = $1?.text }),
        FieldSlot(.sharedBy, { $0.sharedBy.map(FieldValue.text) }, { $0.sharedBy = $1?.text }),
        FieldSlot(.who, { $0.who.map(FieldValue.text) }, { $0.who = $1?.text }),
        FieldSlot(.url, { $0.url.map(FieldValue.text) }, { $0.url = $1?.text }),
        FieldSlot(.reference, { $0.reference.map(FieldValue.text) }, { $0.reference = $1?.text }),
        FieldSlot(
            .coordinate, { $0.coordinate.map(FieldValue.coordinate) }, { $0.coordinate = $1?.coordinate }),
        FieldSlot(.attending, { $0.isAttended ? nil : .flag(false) }, { $0.isAttended = $1?.flag ?? true }),
        FieldSlot(.cancelled, { $0.isCancelled ? .flag(true) : nil }, { $0.isCancelled = $1?.flag ?? false }),
        FieldSlot(.source, { $0.source.map(FieldValue.source) }, { $0.source = $1?.source }),
    ]
}

extension Travel: FieldKeeper {
    package static var kind: ItemKind { .travel }
    package static let blank = Travel(fromCity: "", toCity: "")
    package static let slots: [FieldSlot<Travel>] = [
        FieldSlot(.fromCity, { .text($0.fromCity) }, { $0.fromCity = $1.needed.text }),
        FieldSlot(.toCity, { .text($0.toCity) }, { $0.toCity = $1.needed.text }),
        FieldSlot(.mode, { $0.mode.map(FieldValue.text) }, { $0.mode = $1?.text }),
        FieldSlot(
            .durationMinutes, { $0.durationMinutes.map(FieldValue.minutes) },
            { $0.durationMinutes = $1?.minutes }),
        FieldSlot(.note, { $0.note.map(FieldValue.text) }, { $0.note = $1?.text }),
        FieldSlot(.cost, { $0.cost.map(FieldValue.cost) }, { $0.cost = $1?.cost }),
        FieldSlot(.paidBy, { $0.paidBy.map(FieldValue.text) }, { $0.paidBy = $1?.text }),
        FieldSlot(.sharedBy, { $0.sharedBy.map(FieldValue.text) }, { $0.sharedBy = $1?.text }),
        FieldSlot(.who, { $0.who.map(FieldValue.text) }, { $0.who = $1?.text }),
        FieldSlot(.afterGame, { $0.afterGame.map(FieldValue.side) }, { $0.afterGame = $1?.side }),
        FieldSlot(.beforeGame, { $0.beforeGame.map(FieldValue.side) }, { $0.beforeGame = $1?.side }),
        FieldSlot(.time, { $0.time.map(FieldValue.time) }, { $0.time = $1?.time }),
        FieldSlot(.lateNight, { $0.isLateNight ? .flag(true) : nil }, { $0.isLateNight = $1?.flag ?? false }),
        FieldSlot(.timeZone, { $0.timeZone.map(FieldValue.text) }, { $0.timeZone = $1?.text }),
        FieldSlot(
            .arrivalTimeZone, { $0.arrivalTimeZone.map(FieldValue.text) }, { $0.arrivalTimeZone = $1?.text }),
        FieldSlot(.url, { $0.url.map(FieldValue.text) }, { $0.url = $1?.text }),
        FieldSlot(.reference, { $0.reference.map(FieldValue.text) }, { $0.reference = $1?.text }),
        FieldSlot(.source, { $0.source.map(FieldValue.source) }, { $0.source = $1?.source }),
    ]
}

extension CustomItem: FieldKeeper {
    package static var kind: ItemKind { .custom }
    package static let blank = CustomItem(title: "")
    package static let slots: [FieldSlot<CustomItem>] = [
        FieldSlot(.title, { .text($0.title) }, { $0.title = $1.needed.text }),
        FieldSlot(.icon, { $0.icon.map(FieldValue.text) }, { $0.icon = $1?.text }),
        FieldSlot(.city, { $0.city.map(FieldValue.text) }, { $0.city = $1?.text }),
        FieldSlot(.note, { $0.note.map(FieldValue.text) }, { $0.note = $1?.text }),
        FieldSlot(
            .durationMinutes, { $0.durationMinutes.map(FieldValue.minutes) },
            { $0.durationMinutes = $1?.minutes }),
        FieldSlot(.cost, { $0.cost.map(FieldValue.cost) }, { $0.cost = $1?.cost }),
        FieldSlot(.paidBy, { $0.paidBy.map(FieldValue.text) }, { $0.paidBy = $1?.text }),
        FieldSlot(.sharedBy, { $0.sharedBy.map(FieldValue.text) }, { $0.sharedBy = $1?.text }),
        FieldSlot(.who, { $0.who.map(FieldValue.text) }, { $0.who = $1?.text }),
        FieldSlot(.time, { $0.time.map(FieldValue.time) }, { $0.time = $1?.time }),
        FieldSlot(.lateNight, { $0.isLateNight ? .flag(true) : nil }, { $0.isLateNight = $1?.flag ?? false }),
        FieldSlot(.endTime, { $0.endTime.map(FieldValue.time) }, { $0.endTime = $1?.time }),
        FieldSlot(.nights, { $0.nights.map(FieldValue.nights) }, { $0.nights = $1?.nights }),
        FieldSlot(.place, { $0.place.map(FieldValue.text) }, { $0.place = $1?.text }),
        FieldSlot(
            .coordinate, { $0.coordinate.map(FieldValue.coordinate) }, { $0.coordinate = $1?.coordinate }),
        FieldSlot(.url, { $0.url.map(FieldValue.text) }, { $0.url = $1?.text }),
        FieldSlot(.reference, { $0.reference.map(FieldValue.text) }, { $0.reference = $1?.text }),
        FieldSlot(.source, { $0.source.map(FieldValue.source) }, { $0.source = $1?.source }),
    ]
}

// MARK: - Items of any kind

extension ItemContent {
    /// The kind of the item.
    public var kind: ItemKind {
        switch self {
        case .game: .game
        case .travel: .travel
        case .custom: .custom
        }
    }

    /// The value of a field; nil if it is absent or this kind does not have it.
    package subscript(field: ItemField) -> FieldValue? {
        switch self {
        case .game(let game): game[field]
        case .travel(let travel): travel[field]
        case .custom(let custom): custom[field]
        }
    }

    /// Applies changes. A field that this kind does not have is left out.
    package mutating func assign(_ changes: [FieldChange]) { self = with(changes) }

    /// The content after changes. A field that this kind does not have is left out.
    package func with(_ changes: [FieldChange]) -> ItemContent {
        func changed<Content: FieldKeeper>(_ content: Content) -> Content {
            var content = content
            for change in changes where Content.kind.fields.contains(change.field) {
                content[change.field] = change.value
            }
            return content
        }
        return switch self {
        case .game(let game): .game(changed(game))
        case .travel(let travel): .travel(changed(travel))
        case .custom(let custom): .custom(changed(custom))
        }
    }

    /// The content after changes.
    ///
    /// - Throws: `Rejection.invalid` for a field that this kind does not have.
    func changed(by changes: [FieldChange]) throws(Rejection) -> ItemContent {
        for change in changes where !kind.fields.contains(change.field) {
            throw .invalid(field: change.field.name, "\(kind.noun) has no such field")
        }
        return with(changes)
    }

    /// The UTF-8 length of its texts.
    package var textBytes: Int {
        switch self {
        case .game(let game): game.textBytes
        case .travel(let travel): travel.textBytes
        case .custom(let custom): custom.textBytes
        }
    }
}

extension FieldKeeper {
    fileprivate var textBytes: Int {
        Self.slots.reduce(0) { $0 + ($1.get(self)?.textBytes ?? 0) }
    }
}

extension Item {
    /// An upper bound of its size as JSON without its place: every character of its texts escaped, plus a
    /// constant for the rest.
    package var encodedBytes: Int { 1024 + 2 * textBytes }
}

// MARK: - Values of a known type

extension FieldValue? {
    fileprivate var needed: FieldValue {
        guard let self else { preconditionFailure("a field that is required is not cleared") }
        return self
    }
}

extension FieldValue {
    fileprivate var text: String {
        guard case .text(let text) = self else { preconditionFailure("\(self) is not a text") }
        return text
    }

    fileprivate var minutes: Int {
        guard case .minutes(let minutes) = self else {
            preconditionFailure("\(self) is not a number of minutes")
        }
        return minutes
    }

    fileprivate var nights: Int {
        guard case .nights(let nights) = self else {
            preconditionFailure("\(self) is not a number of nights")
        }
        return nights
    }

    fileprivate var flag: Bool {
        guard case .flag(let flag) = self else { preconditionFailure("\(self) is not a flag") }
        return flag
    }

    fileprivate var moment: OffsetDateTime {
        guard case .moment(let moment) = self else { preconditionFailure("\(self) is not a moment") }
        return moment
    }

    fileprivate var cost: Cost {
        guard case .cost(let cost) = self else { preconditionFailure("\(self) is not a cost") }
        return cost
    }

    fileprivate var side: TravelSide {
        guard case .side(let side) = self else { preconditionFailure("\(self) is not a side of travel") }
        return side
    }

    fileprivate var time: ClockTime {
        guard case .time(let time) = self else { preconditionFailure("\(self) is not a time") }
        return time
    }

    fileprivate var coordinate: Coordinate {
        guard case .coordinate(let point) = self else { preconditionFailure("\(self) is not a coordinate") }
        return point
    }

    fileprivate var source: ItemSource {
        guard case .source(let source) = self else { preconditionFailure("\(self) is not a source") }
        return source
    }
}
