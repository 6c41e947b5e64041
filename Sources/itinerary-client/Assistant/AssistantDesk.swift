import JSONLine
import LocalSystem
import ScheduleFiles
import TripClient
import TripModel
import TripProtocol

/// The assistant's connections: one for requests, and one that follows trips.
final class AssistantDesk {
    private static let scheme = "itinerary://trips/"

    let client: SteadyClient
    /// Follows trips, by the URIs that the assistant has subscribed to.
    private let listener: AssistantListener

    init(_ client: SteadyClient, _ caller: Caller, _ output: AssistantOutput) {
        self.client = client
        listener = AssistantListener(caller, output)
    }

    /// The present state of a trip; reconnects if the connection has broken.
    func snapshot(_ name: String, includingSourceValues: Bool = false) async throws(CommandFailure)
        -> Snapshot
    {
        try await client.reading { client throws(CommandFailure) in
            try await TripName(name).snapshot(client, includingSourceValues: includingSourceValues)
        }
    }

    /// The answer to a request that changes nothing.
    func ask(_ method: String, _ params: [UInt8]) async throws(CommandFailure) -> JSONNode {
        try await client.reading { (client) async throws(CommandFailure) in
            try await asking(await client.call(method, params: params))
        }
    }

    /// The items that users removed from a trip.
    func removedItems(from trip: Trip) async throws(CommandFailure) -> RemovedItems {
        try await client.reading { client throws(CommandFailure) in
            try await asking(await RemovedItems.of(trip.header.id, client))
        }
    }

    // MARK: Resources

    static let templates = Array(
        (#"{"resourceTemplates":[{"uriTemplate":"itinerary://trips/{trip}","name":"trip","#
            + #""description":"A trip with all its items and problems","mimeType":"application/json"}]}"#)
            .utf8)

    /// The trips, as resources.
    func resources() async throws(CommandFailure) -> [UInt8] {
        let trips = try await ask("trip.list", Array("{}".utf8))
        return Answer.params { json in
            json.objects("resources", trips["trips"]?.elements.map({ $0 }) ?? []) { trip, json in
                json.member("uri", Self.scheme + (trip["slug"]?.string ?? ""))
                json.member("name", trip["slug"]?.string ?? "")
                json.member("title", trip["name"]?.string ?? "")
                json.member(
                    "description",
                    "\(trip["dayCount"]?.int ?? 0) days from \(trip["startDate"]?.string ?? ""), "
                        + "\(trip["itemCount"]?.int ?? 0) items")
                json.member("mimeType", "application/json")
            }
        }
    }

    /// One trip.
    func read(_ uri: String) async throws(CommandFailure) -> [UInt8] {
        let id = try await snapshot(try Self.trip(uri)).trip.header.id
        let answer = try await ask("trip.get", Answer.params { $0.member("trip", id) })
        return Answer.params { json in
            json.objects("contents", [answer]) { answer, json in
                json.member("uri", uri)
                json.member("mimeType", "application/json")
                json.member("text", String(decoding: answer.rawBytes, as: UTF8.self))
            }
        }
    }

    /// Starts notifications about a trip's changes.
    func subscribe(to uri: String) async throws(CommandFailure) -> [UInt8] {
        let id = try await snapshot(try Self.trip(uri)).trip.header.id
        try await listener.listen(to: id, as: uri)
        return Array("{}".utf8)
    }

    /// Ends these notifications.
    func unsubscribe(from uri: String) async -> [UInt8] {
        await listener.forget(uri)
        return Array("{}".utf8)
    }

    private static func trip(_ uri: String) throws(CommandFailure) -> String {
        guard uri.hasPrefix(scheme) else {
            throw CommandFailure(
                "there is no resource \(PlainText.visible(uri)); trips are \(scheme)SLUG",
                exitCode: .noInput)
        }
        return String(uri.dropFirst(scheme.count))
    }
}
