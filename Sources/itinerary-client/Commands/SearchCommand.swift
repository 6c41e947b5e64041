import CommandLineKit
import ItineraryUI
import JSONLine
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// `search TEXT [TRIP]`: the items that contain a text.
enum SearchCommand {
    static let command = Command(
        name: "search", summary: "find items by their text", forms: ["TEXT [TRIP] [--format LINE]"],
        words: [WordRow("TEXT", .text), WordRow("TRIP", .trip, isRequired: false)],
        options: [LineFormat.option],
        examples: [
            .init("search dinner", "in all trips"),
            .init("search XK4J7P japan --format '{day} {title}'", "a booking of one trip"),
        ],
        details: [
            "Case and accents do not matter. Titles, cities, venues, places, modes, references",
            "and notes are searched.",
        ], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let format = try invocation.lineFormat(LineFormat.itemFields)
        let client = try await invocation.reader()
        let name = invocation.words.count > 1 ? TripName(invocation.words[1]) : nil
        let (found, isNamed) = try await found(invocation.words[0], in: name, client)
        if invocation.isJSON { return Answer.print { encode(found, to: &$0) } }
        for (trip, item) in found {
            if let format {
                StandardStream.output.print(format.line(of: item, in: trip))
                continue
            }
            let slug = isNamed ? PlainText.visible(trip.header.slug) + "  " : ""
            let time = item.clockTime.map { " \($0)" } ?? ""
            StandardStream.output.print(
                "\(slug)day \(item.position.day)\(time)  \(PlainText.visible(item.content.title))")
        }
        if found.isEmpty { invocation.note("nothing contains \(PlainText.visible(invocation.words[0]))") }
    }

    /// The items of a trip, or of all, that contain a text.
    ///
    /// - Returns: the items, and whether they may be of several trips.
    static func found(
        _ text: String, in name: TripName?, _ client: TripClient
    ) async throws(CommandFailure) -> (items: [(trip: Trip, item: Item)], isNamed: Bool) {
        guard let search = ItemSearch(text) else { throw .usage("the text is empty") }
        let trips = try await TripName.summaries(name, client)
        var found: [(trip: Trip, item: Item)] = []
        for summary in trips {
            let trip = try await asking(await client.snapshot(of: .id(summary.header.id)).trip)
            found += trip.items.filter { search.matches($0.content) }.map { (trip, $0) }
        }
        return (found, trips.count > 1)
    }

    /// Writes `items`: each with the trip's slug and the item.
    static func encode(_ found: [(trip: Trip, item: Item)], to json: inout JSONWriter) {
        json.objects("items", found) { found, json in
            json.member("trip", found.trip.header.slug)
            json.key("item")
            json.encode(found.item)
        }
    }
}
