import CommandLineKit
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// `list`: lists the trips.
enum ListCommand {
    static let command = Command(
        name: "list", summary: "list the trips", forms: ["[--format LINE]"], options: [LineFormat.option],
        examples: [
            .init("list", "slug, first day, size and name of each"),
            .init("list --format '{slug}'", "only the slugs"),
            .init("list --json", "for a program"),
        ],
        details: [
            "The fields of LINE are \(LineFormat.tripFields.dropLast(5).joined(separator: ", ")),",
            "\(LineFormat.tripFields.suffix(5).joined(separator: ", ")).",
        ], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let format = try invocation.lineFormat(LineFormat.tripFields)
        let answer = try await asking(
            await invocation.caller.connect(role: .viewer).client.perform(.listTrips))
        if invocation.isJSON { return Answer.print(answer) }
        let trips: [TripSummary]
        do throws(WireError) { trips = try TripSummary.list(result: answer) } catch {
            throw CommandFailure(ClientError.garbled(error.message))
        }
        if let format {
            for trip in trips { StandardStream.output.print(format.line(of: trip)) }
            return
        }
        if trips.isEmpty { return invocation.note("there are no trips; try: itinerary-client create NAME") }
        let width = trips.map { $0.header.slug.count }.max() ?? 0
        for trip in trips {
            let header = trip.header
            let slug =
                PlainText.visible(header.slug) + String(repeating: " ", count: width - header.slug.count)
            let state = trip.state == .usable ? "" : " [\(trip.state.rawValue)]"
            StandardStream.output.print(
                "\(slug)  \(header.startDate)  \(counted(header.dayCount, "day")), "
                    + "\(counted(trip.itemCount, "item"))  \(PlainText.visible(header.name))\(state)"
            )
        }
    }
}
