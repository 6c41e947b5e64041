import JSONLine
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// Follows trips for an assistant and reconnects after the daemon was away. It lives as long as the process.
actor AssistantListener {
    /// One connection, and a stream that ends with it.
    private struct Connection {
        let client: TripClient
        let end: AsyncStream<Void>
    }

    private let caller: Caller
    private let output: AssistantOutput
    /// The followed trips, each with the URIs that the assistant has subscribed to.
    private let watched = WatchedTrips()
    private var client: TripClient?
    /// Restores the connection after it breaks; nil until the first one.
    private var keeper: Task<Void, Never>?

    init(_ caller: Caller, _ output: AssistantOutput) {
        self.caller = caller
        self.output = output
    }

    /// Starts notifications about a trip's changes for this URI.
    func listen(to trip: TripID, as uri: String) async throws(CommandFailure) {
        if let client, await client.ending == nil {
            try await subscribe(to: "\(trip)", client)
        } else {
            let connection = try await connect(caller)
            keeper?.cancel()
            client = connection.client
            // Must outlive this request. It ends when its connection is replaced, or with the process.
            keeper = Task { await keep(connection) }
            for id in watched.ids { try? await subscribe(to: id, connection.client) }
            try await subscribe(to: "\(trip)", connection.client)
        }
        watched.add("\(trip)", uri)
    }

    /// Ends notifications for a URI.
    func forget(_ uri: String) async {
        for id in watched.remove(uri) {
            _ = try? await client?.perform(.unsubscribe(TripReference(id)))
        }
    }

    private func subscribe(to id: String, _ client: TripClient) async throws(CommandFailure) {
        _ = try await asking(
            await client.perform(.subscribe(Subscribe(trip: TripReference(id), mode: .delta))))
    }

    /// Reconnects whenever the connection ends. It then reports all trips as changed, because notifications
    /// may have been missed.
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
        let made = try await asking(await caller.connect(role: .viewer).client)
        let (end, continuation) = AsyncStream.makeStream(of: Void.self)
        let (output, watched) = (output, watched)
        await made.observeLines { line in
            guard let line else { return continuation.finish() }
            guard let id = Self.changedTrip(line) else { return }
            for uri in watched.uris(of: id) { output.send(AssistantMessage.update(of: uri)) }
        }
        return Connection(client: made, end: end)
    }

    /// The id of the trip in a change notification; nil for any other line.
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

/// The trips that an assistant follows, by id, each with its URIs.
private final class WatchedTrips: Sendable {
    private let all = Guarded<[String: Set<String>]>([:])

    var ids: [String] { all.withLock { Array($0.keys) } }

    var allURIs: Set<String> { all.withLock { $0.values.reduce(into: []) { $0.formUnion($1) } } }

    func add(_ id: String, _ uri: String) { all.withLock { _ = $0[id, default: []].insert(uri) } }

    func uris(of id: String) -> Set<String> { all.withLock { $0[id] ?? [] } }

    /// Removes a URI; returns the ids of trips that have no other.
    func remove(_ uri: String) -> [String] {
        all.withLock { all in
            let ids = all.filter { $0.value == [uri] }.map(\.key)
            for id in all.keys { all[id]?.remove(uri) }
            for id in ids { all[id] = nil }
            return ids
        }
    }
}
