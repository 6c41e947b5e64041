import TripModel

/// A kind of new item in the list of kinds, each with its letter.
struct NewKind: Sendable {
    let kind: ItemKind
    /// The mode of travel that its form suggests.
    var mode: String?
    let choice: Chooser.Choice

    private init(
        _ key: Unicode.Scalar, _ text: String, _ detail: String, _ kind: ItemKind, mode: String? = nil
    ) {
        self.kind = kind
        self.mode = mode
        choice = Chooser.Choice(key: key, text: text, detail: detail)
    }

    static let all = [
        NewKind("t", "Travel", "from one city to another", .travel),
        NewKind("o", "Anything else", "a hotel, a dinner, a visit", .custom),
        NewKind("e", "Event", "a match or a concert, at its own time", .game),
        NewKind("r", "Train", "travel by train", .travel, mode: "train"),
        NewKind("f", "Flight", "travel by plane", .travel, mode: "flight"),
        NewKind("b", "Bus", "travel by bus", .travel, mode: "bus"),
    ]
}
