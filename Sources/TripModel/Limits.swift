/// The limits of a trip. Those of the protocol are in `TripProtocol`.
public enum TripLimits {
    /// UTF-8 bytes of a title, city, venue, name, gameId or zone.
    public static let textBytes = 512
    /// UTF-8 bytes of a user's name.
    public static let userBytes = 64
    /// UTF-8 bytes of an icon, a mode of travel or a currency.
    public static let iconBytes = 32
    /// UTF-8 bytes of a note.
    public static let noteBytes = 16 * 1024
    /// UTF-8 bytes of a URL.
    public static let urlBytes = 2048
    /// UTF-8 bytes of a booking or a seat.
    public static let referenceBytes = 200
    /// UTF-8 bytes of the name or address of a place.
    public static let placeBytes = 500
    /// UTF-8 bytes of the name of an imported item's source.
    public static let sourceNameBytes = 200
    /// UTF-8 bytes of an item's id in its source.
    public static let sourceIDBytes = 300
    /// UTF-8 bytes of a date with time and offset; stored ones may be longer.
    public static let startsAtBytes = 40
    /// Bytes of an encoded item; more than all limits of its fields together.
    public static let itemBytes = 64 * 1024
    /// Combining marks on one character, without variation selectors.
    public static let combiningMarks = 8
    /// Items of a trip.
    public static let items = 10_000
    /// Days of a trip.
    public static let days = 366
    /// Operations of one batch.
    public static let operations = 128
    /// Items that one change may visit to re-space days, separate games of one minute, or apply a new zone. A
    /// small multiple of the largest trip bounds the cost of a change.
    public static let rearrangements = 5 * items
    /// The longest duration, in minutes: that of the longest trip.
    public static let durationMinutes = days * 24 * 60
    /// Accepted problems of a trip.
    public static let acceptedProblems = 200
    /// Things to do of a trip.
    public static let todoEntries = 200
    /// UTF-8 bytes of all texts of an idea. The header, which each change of it sends whole, contains all ideas.
    public static let ideaBytes = 2048
    /// Nights of one stay.
    public static let nights = 365
}

/// An exceeded limit, by its name in the protocol.
@nonexhaustive
public enum Limit: String, Sendable, CaseIterable {
    /// See `TripLimits`.
    case textBytes, userBytes, iconBytes, modeBytes, noteBytes, combiningMarks, items, days, ops,
        rearrangements, startsAtBytes, urlBytes, referenceBytes, placeBytes, sourceNameBytes
    /// See `TripLimits`.
    case sourceIDBytes = "sourceIdBytes"
    /// See `TripLimits`.
    case acceptedProblems, todoEntries

    /// The largest allowed value.
    public var maximum: Int {
        switch self {
        case .textBytes: TripLimits.textBytes
        case .userBytes: TripLimits.userBytes
        case .iconBytes, .modeBytes: TripLimits.iconBytes
        case .noteBytes: TripLimits.noteBytes
        case .startsAtBytes: TripLimits.startsAtBytes
        case .combiningMarks: TripLimits.combiningMarks
        case .items: TripLimits.items
        case .days: TripLimits.days
        case .ops: TripLimits.operations
        case .rearrangements: TripLimits.rearrangements
        case .urlBytes: TripLimits.urlBytes
        case .referenceBytes: TripLimits.referenceBytes
        case .placeBytes: TripLimits.placeBytes
        case .sourceNameBytes: TripLimits.sourceNameBytes
        case .sourceIDBytes: TripLimits.sourceIDBytes
        case .acceptedProblems: TripLimits.acceptedProblems
        case .todoEntries: TripLimits.todoEntries
        }
    }

    /// The counted unit, within a sentence.
    package var unit: String {
        switch self {
        case .combiningMarks: "combining marks on one character"
        case .items: "items in a trip"
        case .days: "days in a trip"
        case .ops: "operations in a batch"
        case .acceptedProblems: "accepted problems in a trip"
        case .todoEntries: "things to do in a trip"
        case .rearrangements: "items re-spaced or rescheduled"
        case .textBytes, .userBytes, .iconBytes, .noteBytes, .modeBytes, .startsAtBytes, .urlBytes,
            .referenceBytes, .placeBytes, .sourceNameBytes, .sourceIDBytes:
            "bytes of UTF-8"
        }
    }
}
