/// How much of everything a trip may hold; each limit is named once, here or beside the wire's own limits.
public enum TripLimits {
    /// UTF-8 bytes of a title, city, venue, name, gameId or zone.
    public static let textBytes = 512
    /// UTF-8 bytes of a user's name.
    public static let userBytes = 64
    /// UTF-8 bytes of an icon, a mode of travel or a currency.
    public static let iconBytes = 32
    /// UTF-8 bytes of a note.
    public static let noteBytes = 16 * 1024
    /// UTF-8 bytes of an address of the web.
    public static let urlBytes = 2048
    /// UTF-8 bytes of what a place is called, or of its address.
    public static let placeBytes = 500
    /// UTF-8 bytes of what a calendar or table is called that brought an item.
    public static let sourceNameBytes = 200
    /// UTF-8 bytes of what it calls the item.
    public static let sourceIDBytes = 300
    /// UTF-8 bytes of the text of a moment; older trips may hold longer ones.
    public static let startsAtBytes = 40
    /// Bytes of an item as it is sent: above what the limits of its fields allow together.
    public static let itemBytes = 64 * 1024
    /// Combining marks on one character, variation selectors apart.
    public static let combiningMarks = 8
    /// Items of a trip.
    public static let items = 10_000
    /// Days of a trip.
    public static let days = 366
    /// Operations of one batch.
    public static let operations = 128
    /// Minutes that a duration may count: the days of a trip.
    public static let durationMinutes = days * 24 * 60
}

/// A limit that was passed, by its name on the wire.
public enum Limit: String, Sendable, CaseIterable {
    /// See `TripLimits` for what each counts.
    case textBytes, userBytes, iconBytes, modeBytes, noteBytes, combiningMarks, items, days, ops,
        startsAtBytes,
        urlBytes, placeBytes, sourceNameBytes
    /// See `TripLimits`.
    case sourceIDBytes = "sourceIdBytes"

    /// The most that is allowed.
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
        case .urlBytes: TripLimits.urlBytes
        case .placeBytes: TripLimits.placeBytes
        case .sourceNameBytes: TripLimits.sourceNameBytes
        case .sourceIDBytes: TripLimits.sourceIDBytes
        }
    }

    /// What it counts, in a sentence.
    package var unit: String {
        switch self {
        case .combiningMarks: "combining marks on one character"
        case .items: "items in a trip"
        case .days: "days in a trip"
        case .ops: "operations in a batch"
        case .textBytes, .userBytes, .iconBytes, .noteBytes, .modeBytes, .startsAtBytes, .urlBytes,
            .placeBytes,
            .sourceNameBytes, .sourceIDBytes:
            "bytes of UTF-8"
        }
    }
}
