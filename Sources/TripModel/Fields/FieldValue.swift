/// The type and the bounds of a field's values.
package enum FieldType: Sendable {
    /// Text.
    case text(TextRule)
    /// A duration.
    case minutes
    /// The length of a stay, in nights.
    case nights
    /// Yes or no.
    case flag
    /// A moment of the schedule.
    case moment
    /// An amount of money.
    case cost
    /// A game of the same trip, or `none`.
    case side
    /// A time of day.
    case time
    /// A point on the Earth.
    case coordinate
    /// The source of an imported item.
    case source
}

/// The value of a field; nil stands for an absent one.
package enum FieldValue: Sendable {
    /// Of `FieldType.text`.
    case text(String)
    /// Of `FieldType.minutes`.
    case minutes(Int)
    /// Of `FieldType.nights`.
    case nights(Int)
    /// Of `FieldType.flag`.
    case flag(Bool)
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

    /// The UTF-8 length of its text. O(1).
    package var textBytes: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .moment(let moment): moment.text.utf8.count
        case .cost(let cost): cost.currency.utf8.count
        case .source(let source):
            source.name.utf8.count + source.id.utf8.count + (source.said?.textBytes ?? 0)
        case .minutes, .nights, .flag, .side, .time, .coordinate: 0
        }
    }
}

extension FieldValue: Equatable {
    /// Whether both are equal, with text compared by its bytes.
    package static func == (left: FieldValue, right: FieldValue) -> Bool {
        switch (left, right) {
        case (.text(let left), .text(let right)): String.isVerbatim(left, right)
        case (.minutes(let left), .minutes(let right)): left == right
        case (.nights(let left), .nights(let right)): left == right
        case (.flag(let left), .flag(let right)): left == right
        case (.moment(let left), .moment(let right)): left == right
        case (.cost(let left), .cost(let right)): left == right
        case (.side(let left), .side(let right)): left == right
        case (.time(let left), .time(let right)): left == right
        case (.coordinate(let left), .coordinate(let right)): left == right
        case (.source(let left), .source(let right)): left == right
        case (.text, _), (.minutes, _), (.nights, _), (.flag, _), (.moment, _), (.cost, _), (.side, _),
            (.time, _),
            (.coordinate, _), (.source, _):
            false
        }
    }
}

extension ItemField {
    /// Rejects a value that exceeds a limit, holds forbidden characters, or is blank although text is
    /// required.
    ///
    /// The trip checks that a zone or a game exists.
    package func check(_ value: FieldValue) throws(Rejection) {
        switch value {
        case .text(let text):
            guard case .text(let rule) = row.type else { preconditionFailure("\(self) is not a text") }
            if isRequired {
                try rule.checkFilled(text, field: name)
            } else {
                try rule.check(text, field: name)
            }
        case .minutes(let minutes):
            guard (0...TripLimits.durationMinutes).contains(minutes) else {
                throw .invalid(field: name, "a duration is 0 to \(TripLimits.durationMinutes) minutes")
            }
        case .nights(let nights):
            guard (0...TripLimits.nights).contains(nights) else {
                throw .invalid(field: name, "a stay lasts 0 to \(TripLimits.nights) nights")
            }
        case .moment(let moment):
            guard moment.text.utf8.count <= TripLimits.startsAtBytes else {
                throw .limitExceeded(.startsAtBytes, field: name)
            }
        case .cost(let cost):
            try TextRule.line(.iconBytes).checkFilled(cost.currency, field: "\(name).currency")
            guard cost.amount.magnitude <= Position.maximumOrder else {
                throw .invalid(field: "\(name).amount", "an amount is within ±1e15")
            }
        case .coordinate(let coordinate):
            guard coordinate.latitude.magnitude <= 90 else {
                throw .invalid(field: "\(name).lat", "a latitude is within ±90 degrees")
            }
            guard coordinate.longitude.magnitude <= 180 else {
                throw .invalid(field: "\(name).lon", "a longitude is within ±180 degrees")
            }
        case .source(let source):
            try TextRule.line(.sourceNameBytes).checkFilled(source.name, field: "\(name).name")
            try TextRule.line(.sourceIDBytes).checkFilled(source.id, field: "\(name).id")
            try source.said?.check(field: "said")
        case .side, .time, .flag: break
        }
    }
}

extension TextRule {
    func checkFilled(_ text: String, field: String) throws(Rejection) {
        try check(text, field: field)
        // One ASCII byte proves nearly every text not blank; Unicode properties are much slower.
        if text.utf8.contains(where: { (0x21...0x7E).contains($0) }) { return }
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw .invalid(field: field, "it must not be empty")
        }
    }
}

extension FieldType {
    /// The value that people mean by a text in a form, a command or a file; nil if it is not one.
    ///
    /// The limits of the field are not checked. The words for an invalid text are those of the caller. Costs have errors of
    /// their own (`CostText`), the time at which an item begins may be after midnight (`StartTime`), and a side of travel is
    /// found in a trip.
    package func value(written text: String) -> FieldValue? {
        switch self {
        case .text: .text(text)
        case .minutes: TimeText.minutes(of: text).map(FieldValue.minutes)
        case .nights: TimeText.number(text[...]).map(FieldValue.nights)
        case .flag:
            switch text.lowercased() {
            case "yes", "y", "true": .flag(true)
            case "no", "n", "false": .flag(false)
            default: nil
            }
        case .moment: OffsetDateTime(text).map(FieldValue.moment)
        case .time: TimeText.time(of: text).map(FieldValue.time)
        case .coordinate: CoordinateText.coordinate(of: text).map(FieldValue.coordinate)
        case .cost, .side, .source: nil
        }
    }
}
