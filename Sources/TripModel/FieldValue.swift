/// What the values of a field are, and what bounds them.
package enum FieldType: Sendable {
    /// Text.
    case text(TextRule)
    /// How long something takes.
    case minutes
    /// A moment of the schedule.
    case moment
    /// An amount of money.
    case cost
    /// A game of the same trip, or none.
    case side
    /// A time of day.
    case time
    /// A point on the Earth.
    case coordinate
    /// What brought an item.
    case source
}

/// The value of some field of an item; nil stands for a field that is left out.
package enum FieldValue: Sendable {
    /// Of `FieldType.text`.
    case text(String)
    /// Of `FieldType.minutes`.
    case minutes(Int)
    /// Of `FieldType.moment`.
    case moment(OffsetDateTime)
    /// Of `FieldType.cost`.
    case cost(Cost)
    /// Of `FieldType.side`.
    case side(TravelSide)
    /// Of `FieldType.time`.
    case time(ClockTime)
    /// Of `FieldType.coordinate`.
    case coordinate(Coordinate)
    /// Of `FieldType.source`.
    case source(ItemSource)

    /// Bytes of its text, in UTF-8. In constant time.
    package var textBytes: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .moment(let moment): moment.text.utf8.count
        case .cost(let cost): cost.currency.utf8.count
        case .source(let source): source.name.utf8.count + source.id.utf8.count
        case .minutes, .side, .time, .coordinate: 0
        }
    }
}

extension FieldValue: Equatable {
    /// Whether both are the same, text by its bytes.
    package static func == (left: FieldValue, right: FieldValue) -> Bool {
        switch (left, right) {
        case (.text(let left), .text(let right)): String.isVerbatim(left, right)
        case (.minutes(let left), .minutes(let right)): left == right
        case (.moment(let left), .moment(let right)): left == right
        case (.cost(let left), .cost(let right)): left == right
        case (.side(let left), .side(let right)): left == right
        case (.time(let left), .time(let right)): left == right
        case (.coordinate(let left), .coordinate(let right)): left == right
        case (.source(let left), .source(let right)): left == right
        case (.text, _), (.minutes, _), (.moment, _), (.cost, _), (.side, _), (.time, _), (.coordinate, _),
            (.source, _):
            false
        }
    }
}

extension ItemField {
    /// Refuses a value that breaks a limit, or holds text that must not be shown or is blank where text is needed.
    ///
    /// Whether a zone or a game is there, the trip looks up.
    package func check(_ value: FieldValue) throws(Rejection) {
        switch value {
        case .text(let text):
            guard case .text(let rule) = row.type else { preconditionFailure("\(self) is no text") }
            if isRequired {
                try rule.checkFilled(text, field: name)
            } else {
                try rule.check(text, field: name)
            }
        case .minutes(let minutes):
            guard (0...TripLimits.durationMinutes).contains(minutes) else {
                throw .invalid(field: name, "a duration is 0 to \(TripLimits.durationMinutes) minutes")
            }
        case .moment(let moment):
            guard moment.text.utf8.count <= TripLimits.startsAtBytes else {
                throw .limitExceeded(.startsAtBytes, field: name)
            }
        case .cost(let cost):
            try TextRule.line(.iconBytes).checkFilled(cost.currency, field: "\(name).currency")
            guard cost.amount.magnitude <= Position.maximumOrder else {
                throw .invalid(field: "\(name).amount", "an amount lies within ±1e15")
            }
        case .coordinate(let coordinate):
            guard coordinate.latitude.magnitude <= 90 else {
                throw .invalid(field: "\(name).lat", "a latitude lies within ±90 degrees")
            }
            guard coordinate.longitude.magnitude <= 180 else {
                throw .invalid(field: "\(name).lon", "a longitude lies within ±180 degrees")
            }
        case .source(let source):
            try TextRule.line(.sourceNameBytes).checkFilled(source.name, field: "\(name).name")
            try TextRule.line(.sourceIDBytes).checkFilled(source.id, field: "\(name).id")
        case .side, .time: break
        }
    }
}

extension TextRule {
    fileprivate func checkFilled(_ text: String, field: String) throws(Rejection) {
        try check(text, field: field)
        // One byte tells it of nearly every text; what Unicode knows of a character costs far more.
        if text.utf8.contains(where: { (0x21...0x7E).contains($0) }) { return }
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw .invalid(field: field, "it must not be empty")
        }
    }
}
