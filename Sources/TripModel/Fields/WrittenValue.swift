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
