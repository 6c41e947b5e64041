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
    /// Items that one change may look at to re-space a day, to tell games of one minute apart, or to follow a new zone:
    /// a few times the most items of a trip, so that no change costs much more than walking it.
    public static let rearrangements = 5 * items
    /// Minutes that a duration may count: the days of a trip.
    public static let durationMinutes = days * 24 * 60
}

/// A limit that was passed, by its name on the wire.
public enum Limit: String, Sendable {
    /// See `TripLimits` for what each counts.
    case textBytes, userBytes, iconBytes, noteBytes, modeBytes, startsAtBytes, combiningMarks, items, days,
        ops, rearrangements

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
        case .rearrangements: TripLimits.rearrangements
        }
    }
}
