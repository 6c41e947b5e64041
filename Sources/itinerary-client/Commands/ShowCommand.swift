import CommandLineKit
import JSONLine
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// `show TRIP`: prints a trip, or some of its days.
enum ShowCommand {
    private static let day = OptionRow.value("--day", "DAY", "only this day", .day)
    private static let from = OptionRow.value("--from", "DAY", "only this day and later days", .day)
    private static let to = OptionRow.value("--to", "DAY", "only this day and earlier days", .day)

    static let command = Command(
        name: "show", summary: "show a trip's days, items and problems",
        forms: ["TRIP [--day DAY | --from DAY --to DAY] [--format LINE]"], words: [.trip],
        options: [day, from, to, PersonFilter.option, LineFormat.option],
        examples: [
            .init("show japan", "all days with their items"),
            .init("show japan --from today --to +2", "three days"),
            .init("show japan --format '{day} {time} {title}'", "one line per item"),
            .init("show japan --json | jq '.items[].title'", "the titles of all items"),
        ],
        details: [
            "DAY is \(DayWord.forms).",
            "The fields of LINE are those of items, and id, kind, day, date, weekday and trip.",
        ],
        exits: [.refused: "the trip does not have this day"], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let format = try invocation.lineFormat(LineFormat.itemFields)
        if invocation.value(day) != nil, invocation.value(from) ?? invocation.value(to) != nil {
            throw .usage("use --day, or --from and --to")
        }
        let client = try await invocation.reader()
        let snapshot = try PersonFilter.snapshot(await invocation.trip.snapshot(client), invocation)
        let trip = snapshot.trip
        let days = try days(invocation, trip)
        if let format {
            for item in trip.items where days?.contains(item.position.day) ?? true {
                StandardStream.output.print(format.line(of: item, in: trip))
            }
            return
        }
        guard invocation.isJSON else {
            return StandardStream.output.print(PlainText.listing(of: snapshot, days: days))
        }
        let answer = try await asking(await client.perform(.getTrip(.id(trip.header.id))))
        let isPersonal = invocation.value(PersonFilter.option) != nil
        guard days != nil || isPersonal else { return Answer.print(answer) }
        Answer.print { encode(answer, days: days, of: isPersonal ? trip : nil, to: &$0) }
    }

    /// Writes a trip's answer with some of its items and problems only.
    ///
    /// - Parameters:
    ///   - days: the days to write; nil for all.
    ///   - trip: the items to write; nil for all.
    static func encode(
        _ answer: JSONNode, days: ClosedRange<Int>?, of trip: Trip? = nil, to json: inout JSONWriter
    ) {
        func isShown(_ id: JSONNode) -> Bool {
            guard let trip else { return true }
            return id.string.flatMap(ItemID.init).map { trip[$0] != nil } ?? false
        }
        for (key, value) in answer.members {
            json.key(escaping: key)
            guard key == "items" || key == "problems" else {
                json.raw(value.rawBytes)
                continue
            }
            json.beginArray()
            for element in value.elements {
                if let days, !(element["day"]?.int.map(days.contains) ?? false) { continue }
                let ids =
                    key == "items"
                    ? [element["id"]].compactMap(\.self) : element["items"]?.elements.map { $0 } ?? []
                if ids.allSatisfy(isShown) { json.raw(element.rawBytes) }
            }
            json.endArray()
        }
    }

    /// The requested days; nil for all.
    private static func days(
        _ invocation: Invocation, _ trip: Trip
    ) throws(CommandFailure) -> ClosedRange<Int>? {
        if let word = invocation.value(day) {
            let day = try DayWord(text: word).ownDay(in: trip)
            return day...day
        }
        return try days(from: invocation.value(from), to: invocation.value(to), trip)
    }

    /// The range between two day words; nil if there is neither.
    static func days(
        from: String?, to: String?, _ trip: Trip
    ) throws(CommandFailure) -> ClosedRange<Int>? {
        guard from ?? to != nil else { return nil }
        let header = trip.header
        let first = try from.map { word throws(CommandFailure) in try DayWord(text: word).day(in: trip) }
        let last = try to.map { word throws(CommandFailure) in
            try DayWord(text: word).day(in: trip)
        }
        if let first, let last, first > last {
            throw .usage("--from is day \(first), which is after --to, day \(last)")
        }
        let (low, high) = (max(first ?? 1, 1), min(last ?? header.dayCount, header.dayCount))
        guard low <= high else {
            let end = header.date(ofDay: header.dayCount).map { " to \($0)" } ?? ""
            throw CommandFailure(
                "\(PlainText.visible(header.name)) has none of these days; it is from \(header.startDate)\(end)",
                exitCode: .refused)
        }
        return low...high
    }
}
