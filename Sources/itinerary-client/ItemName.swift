import LocalSystem
import TripModel

/// How the command line names an item: by its id, by the beginning of one, or by a title.
struct ItemName {
    let text: String

    /// Characters that an id's beginning needs at least.
    static let shortestPrefix = 4

    init(_ text: String) { self.text = text }

    /// The one item that is meant.
    func item(in trip: Trip) throws(CommandFailure) -> Item {
        if let id = ItemID(text) {
            guard let item = trip[id] else { throw missing }
            return item
        }
        var found = trip.items.filter { $0.content.title == text }
        if found.isEmpty, text.count >= Self.shortestPrefix {
            found = trip.items.filter { $0.id.description.hasPrefix(text) }
        }
        guard let first = found.first else { throw missing }
        guard found.count == 1 else {
            let ids = found.map { "\($0.id) (day \($0.position.day))" }.joined(separator: ", ")
            throw CommandFailure("\(text) could be any of \(ids)", exitCode: CommandFailure.usage)
        }
        return first
    }

    private var missing: CommandFailure {
        CommandFailure(
            "the trip has no item \(text); `show` lists them with their ids",
            exitCode: CommandFailure.noInput)
    }
}

/// How the command line says a place: `--day N` with `--after`, `--before`, `--at` or none of them.
struct PlaceWords {
    private enum Side {
        case after(ItemName)
        case before(ItemName)
        case start
        case end
    }

    private let day: Int?
    private let side: Side?

    /// Takes the words that say a place.
    init(_ arguments: inout Arguments) throws(CommandFailure) {
        func option(_ name: String) throws(CommandFailure) -> String? {
            try parsing { () throws(Arguments.UsageError) in try arguments.option(name) }
        }
        if let text = try option("--day") {
            guard let number = Int(text) else {
                throw CommandFailure("--day is a number, not \(text)", exitCode: CommandFailure.usage)
            }
            day = number
        } else {
            day = nil
        }
        var sides: [Side] = []
        if let name = try option("--after") { sides.append(.after(ItemName(name))) }
        if let name = try option("--before") { sides.append(.before(ItemName(name))) }
        switch try option("--at") {
        case "start"?: sides.append(.start)
        case "end"?: sides.append(.end)
        case let other?:
            throw CommandFailure("--at is start or end, not \(other)", exitCode: CommandFailure.usage)
        case nil: break
        }
        guard sides.count <= 1 else {
            throw CommandFailure(
                "only one of --after, --before and --at makes sense", exitCode: CommandFailure.usage)
        }
        side = sides.first
    }

    /// The placement that is meant; nil where the words say none. An anchor's day need not be said.
    func placement(in trip: Trip) throws(CommandFailure) -> Placement? {
        switch side {
        case .after(let name):
            let anchor = try name.item(in: trip)
            return .after(anchor.id, day: day ?? anchor.position.day)
        case .before(let name):
            let anchor = try name.item(in: trip)
            return .before(anchor.id, day: day ?? anchor.position.day)
        case .start: return .start(day: try neededDay())
        case .end: return .end(day: try neededDay())
        case nil: return day.map { .end(day: $0) }
        }
    }

    private func neededDay() throws(CommandFailure) -> Int {
        guard let day else {
            throw CommandFailure("--at needs --day N", exitCode: CommandFailure.usage)
        }
        return day
    }
}
