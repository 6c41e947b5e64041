import JSONLine
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// Listens to trips for an assistant, also after the daemon was away. It goes with the process.
actor AssistantListener {
    /// One connection, with a stream that ends when it does.
    private struct Connection {
        let client: TripClient
        let end: AsyncStream<Void>
    }

    private let caller: Caller
    private let output: AssistantOutput
    /// The trips that are listened to, each with the addresses that the assistant has given.
    private let watched = WatchedTrips()
    private var client: TripClient?
    /// Comes back where the connection breaks; nil until there is one.
    private var keeper: Task<Void, Never>?

    init(_ caller: Caller, _ output: AssistantOutput) {
        self.caller = caller
        self.output = output
    }

    /// Tells of a trip's changes from now on, by this address too.
    func listen(to trip: TripID, as uri: String) async throws(CommandFailure) {
        if let client, await client.ending == nil {
            try await subscribe(to: "\(trip)", client)
        } else {
            let connection = try await connect(caller)
            keeper?.cancel()
            client = connection.client
            keeper = Task { await keep(connection) }
            for id in watched.ids { try? await subscribe(to: id, connection.client) }
            try await subscribe(to: "\(trip)", connection.client)
        }
        watched.add("\(trip)", uri)
    }

    /// Tells of an address no more.
    func forget(_ uri: String) async {
        for id in watched.remove(uri) {
            _ = try? await client?.perform(.unsubscribe(TripReference(id)))
        }
    }

    private func subscribe(to id: String, _ client: TripClient) async throws(CommandFailure) {
        _ = try await asking { () async throws(ClientError) in
            try await client.perform(.subscribe(Subscribe(trip: TripReference(id), mode: .delta)))
        }
    }

    /// Connects again whenever the connection ends, and tells of all trips then: nobody knows what was missed.
    private func keep(_ first: Connection) async {
        var connection = first
        while true {
            for await _ in connection.end {}
            var pause = Duration.milliseconds(100)
            while true {
                try? await Task.sleep(for: pause)
                if Task.isCancelled { return }
                pause = min(pause * 2, .seconds(5))
                guard let again = try? await connect(caller.withoutStarting) else { continue }
                if Task.isCancelled { return await again.client.close() }
                connection = again
                break
            }
            client = connection.client
            for id in watched.ids { try? await subscribe(to: id, connection.client) }
            for uri in watched.allURIs { output.send(AssistantMessage.update(of: uri)) }
        }
    }

    private func connect(_ caller: Caller) async throws(CommandFailure) -> Connection {
        let made = try await asking { () async throws(ClientError) in
            try await caller.connect(role: .viewer).client
        }
        let (end, continuation) = AsyncStream.makeStream(of: Void.self)
        let (output, watched) = (output, watched)
        await made.hearLines { line in
            guard let line else { return continuation.finish() }
            guard let id = Self.changedTrip(line) else { return }
            for uri in watched.uris(of: id) { output.send(AssistantMessage.update(of: uri)) }
        }
        return Connection(client: made, end: end)
    }

    /// The id of the trip that a notification tells of; nil for any other line.
    private static func changedTrip(_ line: [UInt8]) -> String? {
        guard let root = try? JSONDocument(parsing: line).root, let params = root["params"] else {
            return nil
        }
        switch root["method"]?.string {
        case "trip.delta"?, "trip.deleted"?: return params["trip"]?.string
        case "trip.snapshot"?: return params["trip"]?["id"]?.string
        default: return nil
        }
    }
}

/// The trips that an assistant wants to be told of, by their ids; each with the addresses that it gave.
private final class WatchedTrips: Sendable {
    private let all = Guarded<[String: Set<String>]>([:])

    var ids: [String] { all.withLock { Array($0.keys) } }

    var allURIs: Set<String> { all.withLock { $0.values.reduce(into: []) { $0.formUnion($1) } } }

    func add(_ id: String, _ uri: String) { all.withLock { _ = $0[id, default: []].insert(uri) } }

    func uris(of id: String) -> Set<String> { all.withLock { $0[id] ?? [] } }

    /// Forgets an address; returns the ids of trips of which no other is left.
    func remove(_ uri: String) -> [String] {
        all.withLock { all in
            let ids = all.filter { $0.value == [uri] }.map(\.key)
            for id in all.keys { all[id]?.remove(uri) }
            for id in ids { all[id] = nil }
            return ids
        }
    }
}
