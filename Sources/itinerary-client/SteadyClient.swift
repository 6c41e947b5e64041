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

    /// Makes edits as one change, however many there are.
    ///
    /// - Returns: the items that were added or changed, as they are then, and the trip's version.
    /// - Throws: `CommandFailure`; its sentence says where nobody knows whether the change was made.
    @discardableResult
    func change(
        _ trip: TripReference, _ edits: [Edit], ifVersion: Int? = nil
    ) async throws(CommandFailure) -> Made {
        let answer: JSONNode
        if let single = ChangeLine(trip, edits) {
            answer = try await once { sequence in
                single.request(ChangeOptions(seq: sequence, ifVersion: ifVersion))
            }
        } else {
            answer = try await batch(trip, ChangePieces(trip, edits), ifVersion)
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

    /// Brings what does not fit into one line piece by piece, and makes it as one change.
    private func batch(
        _ trip: TripReference, _ pieces: ChangePieces, _ ifVersion: Int?
    ) async throws(CommandFailure) -> JSONNode {
        try await once(bringing: { (client) async throws(ClientError) in
            let opened = try await client.call("batch.open", params: pieces.opening)
            let batch = opened["batch"]?.string ?? ""
            for piece in pieces.all {
                _ = try await client.call("batch.add", params: pieces.params(of: piece, in: batch))
            }
            return batch
        }) { batch, sequence in
            pieces.commit(of: batch, sequence, ifVersion)
        }
    }

    /// Makes a change that one request says.
    func once(_ request: (Int) -> Request) async throws(CommandFailure) -> JSONNode {
        try await repeating { (client, sequence) async throws(ClientError) in
            try await client.perform(request(sequence))
        }
    }

    private func once(
        bringing bring: (TripClient) async throws(ClientError) -> String,
        _ commit: (String, Int) -> [UInt8]
    ) async throws(CommandFailure) -> JSONNode {
        try await repeating { (client, sequence) async throws(ClientError) in
            let batch = try await bring(client)
            return try await client.call("batch.commit", params: commit(batch, sequence))
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
        CommandFailure(error).saying("\(error); the last change may or may not have been made")
    }
}

extension ChangeResult {
    /// Reads an answer of the daemon's.
    init(answer: JSONNode) throws(ClientError) {
        do throws(WireError) { try self.init(result: answer) } catch { throw .garbled(error.message) }
    }
}
