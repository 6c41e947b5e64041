import JSONLine
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// What an assistant has at hand: a connection of its own, and the trips that it wants to be told of.
final class AssistantDesk {
    private static let scheme = "itinerary://trips/"

    let client: SteadyClient
    private let caller: Caller
    private let output: AssistantOutput
    /// Listens to trips, by the addresses that the assistant has given; nil until it asks for that.
    private var listener: TripClient?
    private let watched = WatchedTrips()

    init(_ client: SteadyClient, _ caller: Caller, _ output: AssistantOutput) {
        self.client = client
        self.caller = caller
        self.output = output
    }

    /// The trip of a name as it is now, over a new connection where the old one has broken.
    func snapshot(_ name: String) async throws(CommandFailure) -> Snapshot {
        try await client.reading { client throws(CommandFailure) in try await TripName(name).snapshot(client)
        }
    }

    /// The answer to a request that changes nothing.
    func ask(_ method: String, _ params: [UInt8]) async throws(CommandFailure) -> JSONNode {
        try await client.reading { (client) async throws(CommandFailure) in
            try await asking { () async throws(ClientError) in try await client.call(method, params: params) }
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
            json.key("resources")
            json.beginArray()
            for trip in trips["trips"]?.elements.map({ $0 }) ?? [] {
                json.beginObject()
                json.member("uri", Self.scheme + (trip["slug"]?.string ?? ""))
                json.member("name", trip["slug"]?.string ?? "")
                json.member("title", trip["name"]?.string ?? "")
                json.member(
                    "description",
                    "\(trip["dayCount"]?.int ?? 0) days from \(trip["startDate"]?.string ?? ""), "
                        + "\(trip["itemCount"]?.int ?? 0) items")
                json.member("mimeType", "application/json")
                json.endObject()
            }
            json.endArray()
        }
    }

    /// One trip.
    func read(_ uri: String) async throws(CommandFailure) -> [UInt8] {
        let id = try await snapshot(try Self.trip(uri)).trip.header.id
        let answer = try await ask("trip.get", Answer.params { $0.member("trip", id) })
        return Answer.params { json in
            json.key("contents")
            json.beginArray()
            json.beginObject()
            json.member("uri", uri)
            json.member("mimeType", "application/json")
            json.member("text", String(decoding: answer.rawBytes, as: UTF8.self))
            json.endObject()
            json.endArray()
        }
    }

    /// Tells of a trip's changes from now on.
    func subscribe(to uri: String) async throws(CommandFailure) -> [UInt8] {
        let id = try await snapshot(try Self.trip(uri)).trip.header.id
        let listener = try await listening()
        watched.set("\(id)", uri)
        let params = Answer.params { json in
            json.member("trip", id)
            json.member("mode", "delta")
        }
        _ = try await asking { () async throws(ClientError) in
            try await listener.call("trip.subscribe", params: params)
        }
        return Array("{}".utf8)
    }

    /// Tells of them no more.
    func unsubscribe(from uri: String) async -> [UInt8] {
        let ids = watched.remove(uri)
        for id in ids {
            let params = Answer.params { $0.member("trip", id) }
            _ = try? await listener?.call("trip.unsubscribe", params: params)
        }
        return Array("{}".utf8)
    }

    private static func trip(_ uri: String) throws(CommandFailure) -> String {
        guard uri.hasPrefix(scheme) else {
            throw CommandFailure(
                "there is no resource \(PlainText.visible(uri)); trips are \(scheme)SLUG",
                exitCode: CommandFailure.noInput)
        }
        return String(uri.dropFirst(scheme.count))
    }

    private func listening() async throws(CommandFailure) -> TripClient {
        if let listener, await listener.ending == nil { return listener }
        let made = try await asking { () async throws(ClientError) in
            try await caller.connect(role: .viewer).client
        }
        let (output, watched) = (output, watched)
        await made.hearLines { line in
            guard let line, let root = try? JSONDocument(parsing: line).root, let params = root["params"]
            else {
                return
            }
            let id: String?
            switch root["method"]?.string {
            case "trip.delta"?, "trip.deleted"?: id = params["trip"]?.string
            case "trip.snapshot"?: id = params["trip"]?["id"]?.string
            default: return
            }
            if let uri = id.flatMap(watched.uri(of:)) { output.tellUpdate(of: uri) }
        }
        listener = made
        return made
    }
}

/// The trips that an assistant wants to be told of, by their ids; each with the address that it gave.
private final class WatchedTrips: Sendable {
    private let uris = Guarded<[String: String]>([:])

    func set(_ id: String, _ uri: String) { uris.withLock { $0[id] = uri } }

    func uri(of id: String) -> String? { uris.withLock { $0[id] } }

    /// Forgets an address; returns the ids of its trips.
    func remove(_ uri: String) -> [String] {
        uris.withLock { uris in
            let ids = uris.filter { $0.value == uri }.map(\.key)
            for id in ids { uris[id] = nil }
            return ids
        }
    }
}
