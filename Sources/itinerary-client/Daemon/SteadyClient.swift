import JSONLine
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// A command's connection that applies each change once. Changes are numbered, and sent again on a new
/// connection until their answer comes.
final class SteadyClient {
    private let caller: Caller
    private let clientID: ClientID
    private(set) var client: TripClient
    private var lastSequence = 0

    /// Connects; starts the daemon if the caller may.
    init(_ caller: Caller) async throws(CommandFailure) {
        self.caller = caller
        let clientID = ClientID.random()
        self.clientID = clientID
        client = try await asking(await caller.connect(clientID: clientID).client)
    }

    /// The present state of a trip.
    ///
    /// - Parameter includingSourceValues: whether to include the last imported values.
    func snapshot(
        of trip: TripReference, includingSourceValues: Bool = false
    ) async throws(CommandFailure) -> Snapshot {
        let client = client
        return try await asking(await client.snapshot(of: trip, includingSourceValues: includingSourceValues))
    }

    /// Sends a request that changes nothing; repeats it once on a new connection if the connection breaks.
    func reading<Value>(
        _ body: (TripClient) async throws(CommandFailure) -> Value
    ) async throws(CommandFailure) -> Value {
        if let ending = await client.ending {
            try await reconnect(after: ending, until: ContinuousClock().now + caller.timeout)
        }
        return try await body(client)
    }

    /// Applies edits as one change, however many there are.
    ///
    /// - Returns: the added or changed items after the change, and the trip's version.
    /// - Throws: `CommandFailure`, whose sentence mentions an unknown outcome.
    @discardableResult
    func change(
        _ trip: TripReference, _ edits: [Edit], ifVersion: Int? = nil
    ) async throws(CommandFailure) -> Made {
        let answer = try await repeating { (client, sequence) async throws(ClientError) in
            try await client.applied(edits, in: trip, ChangeOptions(seq: sequence, ifVersion: ifVersion))
        }
        let result = try await asking(ChangeResult(answer: answer))
        guard result.isRepeated else {
            return Made(items: result.items, version: result.version, answer: answer)
        }
        // The change was applied, but its answer is no longer cached.
        let meant = Set(edits.compactMap(\.item))
        let items: [Item]
        do throws(CommandFailure) {
            items = try await snapshot(of: trip).trip.items.filter { meant.contains($0.id) }
        } catch {
            throw error.saying("\(error.message); the change was made").leftOpen
        }
        return Made(items: items, version: result.version, answer: answer)
    }

    /// The result of a change.
    struct Made {
        let items: [Item]
        let version: Int
        /// The daemon's unchanged answer.
        let answer: JSONNode
    }

    /// Sends a change that fits in one request.
    func once(_ request: (Int) -> Request) async throws(CommandFailure) -> JSONNode {
        try await repeating { (client, sequence) async throws(ClientError) in
            try await client.perform(request(sequence))
        }
    }

    /// Sends a change of any method, with params as JSON text.
    func once(_ method: String, _ params: (Int) -> [UInt8]) async throws(CommandFailure) -> JSONNode {
        try await repeating { (client, sequence) async throws(ClientError) in
            try await client.call(method, params: params(sequence))
        }
    }

    /// Sends a change, and repeats it on new connections while its outcome is unknown.
    private func repeating(
        _ send: (TripClient, Int) async throws(ClientError) -> JSONNode
    ) async throws(CommandFailure) -> JSONNode {
        lastSequence += 1
        Interruption.beginChange()
        var isMade = false
        defer { Interruption.endChange(isMade: isMade) }
        let clock = ContinuousClock()
        let deadline = clock.now + caller.timeout
        var isRepeat = false
        while true {
            do throws(ClientError) {
                let answer = try await send(client, lastSequence)
                isMade = true
                return answer
            } catch {
                if case .refused(let refusal) = error, isRepeat, refusal.leavesRepeatOpen {
                    throw unknown(error)
                }
                if case .notMade = error, let ending = await client.ending {
                    // The connection had ended, so it was not sent.
                    guard clock.now < deadline else { throw CommandFailure(ending) }
                    try await reconnect(after: ending, until: deadline)
                    continue
                }
                guard error.leavesRequestOpen else { throw CommandFailure(error) }
                isRepeat = true
                guard clock.now < deadline else { throw unknown(error) }
                try await reconnect(after: error, until: deadline)
            }
        }
    }

    private func reconnect(
        after loss: ClientError, until deadline: ContinuousClock.Instant
    ) async throws(CommandFailure) {
        let clock = ContinuousClock()
        var pause = Duration.milliseconds(20)
        while true {
            do throws(ClientError) {
                client = try await caller.afterLoss.connect(clientID: clientID).client
                return
            } catch {
                guard error.isLossOfConnection, clock.now < deadline else { throw unknown(loss) }
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .milliseconds(500))
            }
        }
    }

    private func unknown(_ error: ClientError) -> CommandFailure {
        CommandFailure(error).saying("\(error.reason); the last change may or may not have been applied")
            .leftOpen
    }
}

extension ChangeResult {
    /// Reads an answer of the daemon.
    init(answer: JSONNode) throws(ClientError) {
        do throws(WireError) { try self.init(result: answer) } catch { throw .garbled(error.message) }
    }
}
