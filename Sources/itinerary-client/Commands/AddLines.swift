import ItineraryUI
import LocalSystem
import ScheduleFiles
import TripClient
import TripModel
import TripProtocol

/// `add [TRIP] - [PLACE]`: a custom item per line of standard input, one below the other.
enum AddLines {
    /// The maximum size of the input.
    private static let inputLimit = 1024 * 1024

    /// Reads to the end, then adds all items as one change.
    static func run(_ invocation: Invocation, _ name: TripName?, at place: PlaceWords)
        async throws(CommandFailure)
    {
        let bytes = try await CommandInput.read(nil, atMost: inputLimit, timeout: invocation.caller.timeout)
        let text: String
        do throws(FileError) { text = try FileText(bytes).text } catch {
            throw CommandFailure("standard input: \(error)", exitCode: .badData)
        }
        let read = PastedText.titles(in: text)
        let titles = read.titles
        guard !titles.isEmpty else {
            throw CommandFailure("there is no line with a title", exitCode: .badData)
        }
        let client = try await SteadyClient(invocation.caller)
        let snapshot: Snapshot
        if let name {
            snapshot = try await name.snapshot(client.client)
        } else {
            snapshot = try await client.snapshot(of: try await ConnectCommand.onlyTrip(invocation.caller))
        }
        var placement = try place.placement(in: snapshot.trip)
        var edits: [Edit] = []
        for title in titles {
            let id = ItemID.random()
            edits.append(.add(id, .custom(CustomItem(title: title)), to: placement))
            placement = placement.map { .after(id, day: $0.day) }
        }
        if let cut = read.cutSentence { StandardStream.error.print("itinerary-client: \(cut)") }
        let made = try await client.change(.id(snapshot.trip.header.id), edits)
        if invocation.isJSON { return Answer.print(made.answer) }
        let ids = edits.compactMap(\.item).map { "\($0)" }
        StandardStream.output.print(ids.joined(separator: "\n"))
    }
}
