import CommandLineKit
import TripModel

/// A place on the command line: `--day DAY` with `--after`, `--before`, `--at` or none of them.
struct PlaceWords {
    static let day = OptionRow.value("--day", "DAY", "the day: 3, a date, today, tomorrow, +2 or fri", .day)
    static let after = OptionRow.value("--after", "ITEM", "directly after this item", .item)
    static let before = OptionRow.value("--before", "ITEM", "directly before this item", .item)
    static let end = OptionRow.value(
        "--at", "start|end", "the start or the end of the day (end)", .oneOf(["start", "end"]))
    static let options = [day, after, before, end]

    private enum Side {
        case after(ItemName)
        case before(ItemName)
        case start
        case end
    }

    private let day: DayWord?
    private let side: Side?

    init(_ invocation: Invocation) throws(CommandFailure) {
        day = invocation.value(Self.day).map { DayWord(text: $0) }
        var sides: [Side] = []
        if let name = invocation.value(Self.after) { sides.append(.after(ItemName(name))) }
        if let name = invocation.value(Self.before) { sides.append(.before(ItemName(name))) }
        switch invocation.value(Self.end) {
        case "start"?: sides.append(.start)
        case "end"?: sides.append(.end)
        case let other?: throw .usage("--at is start or end, not \(PlainText.visible(other))")
        case nil: break
        }
        guard sides.count <= 1 else {
            throw .usage("use only one of --after, --before and --at")
        }
        side = sides.first
    }

    /// The placement; nil if no option is given. With an anchor the day is optional.
    func placement(in trip: Trip) throws(CommandFailure) -> Placement? {
        let day = try day?.day(of: trip)
        switch side {
        case .after(let name):
            let anchor = try name.item(in: trip)
            return .after(anchor.id, day: day ?? anchor.position.day)
        case .before(let name):
            let anchor = try name.item(in: trip)
            return .before(anchor.id, day: day ?? anchor.position.day)
        case .start: return .start(day: try Self.needed(day))
        case .end: return .end(day: try Self.needed(day))
        case nil: return day.map { .end(day: $0) }
        }
    }

    /// Whether at most the day is given.
    var leavesPlaceOpen: Bool { side == nil }

    private static func needed(_ day: Int?) throws(CommandFailure) -> Int {
        guard let day else { throw .usage("--at needs --day DAY") }
        return day
    }
}
