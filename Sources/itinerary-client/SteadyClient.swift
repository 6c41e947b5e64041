import JSONLine
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// A command's connection whose changes are made once, though the connection is cut: each has a number, and is sent
/// again on a new connection until its answer comes.
final class SteadyClient {
    private let caller: Caller
    private let clientID: ClientID
    private(set) var client: TripClient
    private var lastSequence = 0

    /// Connects, starting the daemon where that is wanted.
    init(_ caller: Caller) async throws(CommandFailure) {
        self.caller = caller
        let clientID = ClientID.random()
        self.clientID = clientID
        client = try await asking { () async throws(ClientError) in
            try await caller.connect(clientID: clientID).client
        }
    }

    /// A trip as it is now.
    func snapshot(of trip: TripReference) async throws(CommandFailure) -> Snapshot {
        let client = client
        return try await asking { () async throws(ClientError) in try await client.snapshot(of: trip) }
    }

    /// Asks for something that changes nothing; where the connection has broken, once more over a new one.
    func reading<Value>(
        _ body: (TripClient) async throws(CommandFailure) -> Value
    ) async throws(CommandFailure) -> Value {
        if let ending = await client.ending {
            try await reconnect(after: ending, until: ContinuousClock().now + caller.timeout)
        }
        return try await body(client)
    }

    /// Makes edits as one change, however many there are.
    ///
    /// - Returns: the items that were added or changed, as they are then, and the trip's version.
    /// - Throws: `CommandFailure`; its sentence says where nobody knows whether the change was made.
    @discardableResult
    func change(
        _ trip: TripReference, _ edits: [Edit], ifVersion: Int? = nil
    ) async throws(CommandFailure) -> Made {
        let answer = try await repeating { (client, sequence) async throws(ClientError) in
            try await client.applied(edits, in: trip, ChangeOptions(seq: sequence, ifVersion: ifVersion))
        }
        let result = try await asking { () async throws(ClientError) in try ChangeResult(answer: answer) }
        guard result.isRepeated else {
            return Made(items: result.items, version: result.version, answer: answer)
        }
        // It was made, and its answer is not kept.
        let meant = Set(edits.compactMap(\.item))
        let items = try await snapshot(of: trip).trip.items.filter { meant.contains($0.id) }
        return Made(items: items, version: result.version, answer: answer)
    }

    /// What a change came to.
    struct Made {
        let items: [Item]
        let version: Int
        /// The daemon's own answer.
        let answer: JSONNode
    }

    /// Makes a change that one request says.
    func once(_ request: (Int) -> Request) async throws(CommandFailure) -> JSONNode {
        try await repeating { (client, sequence) async throws(ClientError) in
            try await client.perform(request(sequence))
        }
    }

    /// Makes a change of any method, whose params are JSON text.
    func once(_ method: String, _ params: (Int) -> [UInt8]) async throws(CommandFailure) -> JSONNode {
        try await repeating { (client, sequence) async throws(ClientError) in
            try await client.call(method, params: params(sequence))
        }
    }

    /// Sends a change, and on a new connection again as long as nobody knows whether it was made.
    private func repeating(
        _ send: (TripClient, Int) async throws(ClientError) -> JSONNode
    ) async throws(CommandFailure) -> JSONNode {
        lastSequence += 1
        let clock = ContinuousClock()
        let deadline = clock.now + caller.timeout
        var isRepeat = false
        while true {
            do throws(ClientError) {
                return try await send(client, lastSequence)
            } catch {
                if case .refused(let refusal) = error, isRepeat, refusal.leavesRepeatOpen {
                    throw unknown(error)
                }
                if case .notMade = error, let ending = await client.ending {
                    // It was not sent, as the connection had ended.
                    guard clock.now < deadline else { throw CommandFailure(ending) }
                    try await reconnect(after: ending, until: deadline)
                    continue
                }
                guard error.isLossOfConnection else { throw CommandFailure(error) }
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
        CommandFailure(error).saying("\(error.reason); the last change may or may not have been made")
    }
}

extension ChangeResult {
    /// Reads an answer of the daemon's.
    init(answer: JSONNode) throws(ClientError) {
        do throws(WireError) { try self.init(result: answer) } catch { throw .garbled(error.message) }
    }
}
