import JSONLine
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// Follows a trip until it is deleted, and reconnects if the connection breaks.
final class TripFollower {
    /// An event of the followed trip.
    enum Step: Sendable {
        /// The trip has this version. `answer` is that of the subscription, after each connect.
        case version(Int, answer: JSONNode?)
        /// The connection broke and is being restored.
        case lost(ClientError)
        case deleted
    }

    let trip: TripID
    private(set) var client: TripClient
    private let caller: Caller
    private let hear: @Sendable ([UInt8]) -> Void
    private var news: AsyncStream<Int>.Iterator?
    private var deletion = Deletion()
    private var mustConnect = false
    /// The epoch and version of the last subscription or notification.
    private var epoch: String?
    private var version: Int?

    private static let firstPause = Duration.milliseconds(50)
    /// Short enough to notice a restarted daemon within a second. A remote machine is asked less often.
    private static let longestPause = Duration.milliseconds(500)
    private static let longestRemotePause = Duration.seconds(10)

    /// Connects, and finds the trip.
    ///
    /// - Parameter hear: receives each notification as a line, on the client's loop.
    init(
        _ name: TripName, _ caller: Caller, hear: @escaping @Sendable ([UInt8]) -> Void = { _ in }
    ) async throws(CommandFailure) {
        self.caller = caller
        self.hear = hear
        client = try await asking(await caller.connect(role: .viewer).client)
        trip = try await name.trip(client)
    }

    /// Waits for the next event.
    ///
    /// - Throws: `CommandFailure` if the daemon refuses the subscription.
    func next() async throws(CommandFailure) -> Step {
        if mustConnect {
            guard try await reconnect() else { return .deleted }
            mustConnect = false
        }
        if news == nil { return try await subscribe() }
        if let newer = await news?.next() {
            version = newer
            return .version(newer, answer: nil)
        }
        if deletion.isReported { return .deleted }
        return await loss()
    }

    private func loss() async -> Step {
        news = nil
        mustConnect = true
        return .lost(await client.ending ?? .closed(nil))
    }

    private func subscribe() async throws(CommandFailure) -> Step {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Int.self, bufferingPolicy: .bufferingNewest(1))
        deletion = Deletion()
        let (deletion, hear) = (deletion, hear)
        await client.observeLines { line in
            guard let line else { return continuation.finish() }
            hear(line)
            guard let root = try? JSONDocument(parsing: line).root else { return }
            switch root["method"]?.string {
            case "trip.delta"?, "trip.snapshot"?:
                if let version = root["params"]?["version"]?.int { continuation.yield(version) }
            case "trip.deleted"?:
                deletion.set()
                continuation.finish()
            default: break
            }
        }
        var subscription = Subscribe(trip: .id(trip), mode: .delta)
        if let epoch, let version { subscription.since = Since(epoch: epoch, version: version) }
        let (client, request) = (client, Request.subscribe(subscription))
        let answer: JSONNode
        do throws(ClientError) { answer = try await client.perform(request) } catch {
            if case .refused(let refusal) = error {
                if refusal.known == .tripNotFound { return .deleted }
                if refusal.known != .shuttingDown { throw CommandFailure(error) }
            }
            return await loss()
        }
        let state = answer["snapshot"] ?? answer["delta"]
        if let isReported = state?["epoch"]?.string { epoch = isReported }
        if let isReported = state?["version"]?.int { version = isReported }
        news = stream.makeAsyncIterator()
        return .version(version ?? 0, answer: answer)
    }

    /// Reconnects, however long it takes.
    ///
    /// - Returns: false if the daemon now serves other trips.
    private func reconnect() async throws(CommandFailure) -> Bool {
        var pause = Self.firstPause
        while true {
            do throws(ClientError) {
                client = try await caller.withoutStarting.connect(role: .viewer).client
                return true
            } catch {
                // A daemon that is starting or shutting down is asked again later.
                if case .refused(let refusal) = error, refusal.known != .shuttingDown {
                    throw CommandFailure(error)
                }
                try? await Task.sleep(for: pause)
                let longest = caller.address.host == nil ? Self.longestPause : Self.longestRemotePause
                pause = min(pause * 2, longest)
            }
        }
    }
}

/// Whether a notification has reported the deletion of the trip.
private final class Deletion: Sendable {
    private let reported = Guarded(false)

    var isReported: Bool { reported.withLock { $0 } }

    func set() { reported.withLock { $0 = true } }
}
