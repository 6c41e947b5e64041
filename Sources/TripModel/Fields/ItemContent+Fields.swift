/// Generic access to the fields of a kind of items: one switch reads them, one writes them.
package protocol FieldKeeper {
    /// The kind.
    static var kind: ItemKind { get }
    /// The value whose fields are set while an item is decoded; never shown.
    static var blank: Self { get }

    /// The value of a field; nil if it is absent or the kind does not have it. The setter traps for a field
    /// that the kind lacks, for nil in a required field and for a value of the wrong type.
    subscript(field: ItemField) -> FieldValue? { get set }
}

extension Game: FieldKeeper {
    package static var kind: ItemKind { .game }
    package static let blank = Game(gameID: "", title: "", startsAt: .epoch)

    package subscript(field: ItemField) -> FieldValue? {
        get {
            switch field {
            case .gameID: .text(gameID)
            case .title: .text(title)
            case .city: city.map(FieldValue.text)
            case .venue: venue.map(FieldValue.text)
            case .startsAt: .moment(startsAt)
            case .timeZone: timeZone.map(FieldValue.text)
            case .durationMinutes: durationMinutes.map(FieldValue.minutes)
            case .note: note.map(FieldValue.text)
            case .url: url.map(FieldValue.text)
            case .reference: reference.map(FieldValue.text)
            case .cost: cost.map(FieldValue.cost)
            case .paidBy: paidBy.map(FieldValue.text)
            case .sharedBy: sharedBy.map(FieldValue.text)
            case .who: who.map(FieldValue.text)
            case .coordinate: coordinate.map(FieldValue.coordinate)
            case .source: source.map(FieldValue.source)
            case .attending: isAttended ? nil : .flag(false)
            case .cancelled: isCancelled ? .flag(true) : nil
            case .icon, .fromCity, .toCity, .time, .lateNight, .endTime, .nights, .arrivalTimeZone, .place,
                .mode,
                .afterGame,
                .beforeGame:
                nil
            }
        }
        set {
            switch field {
            case .gameID: gameID = newValue.needed.text
            case .title: title = newValue.needed.text
            case .city: city = newValue?.text
            case .venue: venue = newValue?.text
            case .startsAt: startsAt = newValue.needed.moment
            case .timeZone: timeZone = newValue?.text
            case .durationMinutes: durationMinutes = newValue?.minutes
            case .note: note = newValue?.text
            case .url: url = newValue?.text
            case .reference: reference = newValue?.text
            case .cost: cost = newValue?.cost
            case .paidBy: paidBy = newValue?.text
            case .sharedBy: sharedBy = newValue?.text
            case .who: who = newValue?.text
            case .coordinate: coordinate = newValue?.coordinate
            case .source: source = newValue?.source
            case .attending: isAttended = newValue?.flag ?? true
            case .cancelled: isCancelled = newValue?.flag ?? false
            case .icon, .fromCity, .toCity, .time, .lateNight, .endTime, .nights, .arrivalTimeZone, .place,
                .mode,
                .afterGame,
                .beforeGame:
                preconditionFailure("a game has no \(field)")
            }
        }
    }
}

extension Travel: FieldKeeper {
    package static var kind: ItemKind { .travel }
    package static let blank = Travel(fromCity: "", toCity: "")

    package subscript(field: ItemField) -> FieldValue? {
        get {
            switch field {
            case .fromCity: .text(fromCity)
            case .toCity: .text(toCity)
            case .mode: mode.map(FieldValue.text)
            case .durationMinutes: durationMinutes.map(FieldValue.minutes)
            case .note: note.map(FieldValue.text)
            case .cost: cost.map(FieldValue.cost)
            case .paidBy: paidBy.map(FieldValue.text)
            case .sharedBy: sharedBy.map(FieldValue.text)
            case .who: who.map(FieldValue.text)
            case .afterGame: afterGame.map(FieldValue.side)
            case .beforeGame: beforeGame.map(FieldValue.side)
            case .time: time.map(FieldValue.time)
            case .lateNight: isLateNight ? .flag(true) : nil
            case .url: url.map(FieldValue.text)
            case .reference: reference.map(FieldValue.text)
            case .source: source.map(FieldValue.source)
            case .timeZone: timeZone.map(FieldValue.text)
            case .arrivalTimeZone: arrivalTimeZone.map(FieldValue.text)
            case .title, .icon, .city, .venue, .endTime, .nights, .place, .coordinate, .gameID, .startsAt,
                .attending, .cancelled:
                nil
            }
        }
        set {
            switch field {
            case .fromCity: fromCity = newValue.needed.text
            case .toCity: toCity = newValue.needed.text
            case .mode: mode = newValue?.text
            case .durationMinutes: durationMinutes = newValue?.minutes
            case .note: note = newValue?.text
            case .cost: cost = newValue?.cost
            case .paidBy: paidBy = newValue?.text
            case .sharedBy: sharedBy = newValue?.text
            case .who: who = newValue?.text
            case .afterGame: afterGame = newValue?.side
            case .beforeGame: beforeGame = newValue?.side
            case .time: time = newValue?.time
            case .lateNight: isLateNight = newValue?.flag ?? false
            case .url: url = newValue?.text
            case .reference: reference = newValue?.text
            case .source: source = newValue?.source
            case .timeZone: timeZone = newValue?.text
            case .arrivalTimeZone: arrivalTimeZone = newValue?.text
            case .title, .icon, .city, .venue, .endTime, .nights, .place, .coordinate, .gameID, .startsAt,
                .attending, .cancelled:
                preconditionFailure("travel has no \(field)")
            }
        }
    }
}

extension CustomItem: FieldKeeper {
    package static var kind: ItemKind { .custom }
    package static let blank = CustomItem(title: "")

    package subscript(field: ItemField) -> FieldValue? {
        get {
            switch field {
            case .title: .text(title)
            case .icon: icon.map(FieldValue.text)
            case .city: city.map(FieldValue.text)
            case .note: note.map(FieldValue.text)
            case .durationMinutes: durationMinutes.map(FieldValue.minutes)
            case .cost: cost.map(FieldValue.cost)
            case .paidBy: paidBy.map(FieldValue.text)
            case .sharedBy: sharedBy.map(FieldValue.text)
            case .who: who.map(FieldValue.text)
            case .time: time.map(FieldValue.time)
            case .lateNight: isLateNight ? .flag(true) : nil
            case .place: place.map(FieldValue.text)
            case .coordinate: coordinate.map(FieldValue.coordinate)
            case .url: url.map(FieldValue.text)
            case .reference: reference.map(FieldValue.text)
            case .source: source.map(FieldValue.source)
            case .endTime: endTime.map(FieldValue.time)
            case .nights: nights.map(FieldValue.nights)
            case .fromCity, .toCity, .venue, .mode, .afterGame, .beforeGame, .gameID, .startsAt, .timeZone,
                .arrivalTimeZone, .attending, .cancelled:
                nil
            }
        }
        set {
            switch field {
            case .title: title = newValue.needed.text
            case .icon: icon = newValue?.text
            case .city: city = newValue?.text
            case .note: note = newValue?.text
            case .durationMinutes: durationMinutes = newValue?.minutes
            case .cost: cost = newValue?.cost
            case .paidBy: paidBy = newValue?.text
            case .sharedBy: sharedBy = newValue?.text
            case .who: who = newValue?.text
            case .time: time = newValue?.time
            case .lateNight: isLateNight = newValue?.flag ?? false
            case .place: place = newValue?.text
            case .coordinate: coordinate = newValue?.coordinate
            case .url: url = newValue?.text
            case .reference: reference = newValue?.text
            case .source: source = newValue?.source
            case .endTime: endTime = newValue?.time
            case .nights: nights = newValue?.nights
            case .fromCity, .toCity, .venue, .mode, .afterGame, .beforeGame, .gameID, .startsAt, .timeZone,
                .arrivalTimeZone, .attending, .cancelled:
                preconditionFailure("a custom item has no \(field)")
            }
        }
    }
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
        Self.kind.fields.reduce(0) { $0 + (self[$1]?.textBytes ?? 0) }
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
