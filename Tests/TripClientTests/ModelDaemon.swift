import JSONLine
import TripModel

@testable import TripProtocol

/// A minimal daemon for many clients that lose their connections. It applies changes, caches answers by
/// sequence number, grants drags and sends deltas.
struct ModelDaemon {
    private struct Peer {
        var client: ClientID?
        var user = ""
        /// The version of the last update; nil without a subscription.
        var reported: Int?
        var drag: (name: String, item: ItemID)?
    }

    private struct Kept {
        let text: String
        let result: [UInt8]
    }

    private struct Step {
        let version: Int
        let changed: Set<ItemID>
    }

    private(set) var trip: Trip
    let epoch: String
    private var peers: [Int: Peer] = [:]
    private var kept: [ClientID: [Int: Kept]] = [:]
    private var steps: [Step] = []
    private var nextDrag = 1
    /// The number of applications of each change, by client and sequence number.
    private(set) var made: [ClientID: [Int: Int]] = [:]

    init(_ snapshot: Snapshot) {
        trip = snapshot.trip
        epoch = snapshot.epoch
    }

    mutating func connect(_ number: Int) { peers[number] = Peer() }

    mutating func disconnect(_ number: Int) { peers[number] = nil }

    /// The answers to a line, on the same connection.
    mutating func receive(_ line: [UInt8], from number: Int) throws -> [UInt8] {
        let root = try JSONDocument(parsing: line).root
        let envelope: RequestEnvelope
        do { envelope = try RequestEnvelope(root) } catch { return ServerLine.error(nil, error.error) }
        do throws(WireError) {
            guard let method = envelope.method else {
                throw WireError(.methodNotFound, envelope.name)
            }
            let request = try Request(method, params: envelope.params)
            if case .subscribe(let subscribe) = request {
                peers[number]?.reported = trip.version
                return subscription(subscribe, envelope.id)
            }
            return ServerLine.reply(envelope.id, encoded: try answer(request, line, number))
        } catch {
            return ServerLine.error(envelope.id, error)
        }
    }

    /// The updates that a subscriber has not got yet.
    mutating func news(for number: Int) -> [UInt8]? {
        guard let reported = peers[number]?.reported, reported < trip.version else { return nil }
        peers[number]?.reported = trip.version
        return delta(from: reported).line()
    }

    private func delta(from version: Int) -> TripDelta {
        let changed = steps.filter { $0.version > version }.reduce(into: Set<ItemID>()) {
            $0.formUnion($1.changed)
        }
        return TripDelta(
            trip: trip.header.id, epoch: epoch, from: version, version: trip.version,
            upserts: changed.compactMap { trip[$0] }, removed: changed.filter { trip[$0] == nil },
            problems: trip.problems)
    }

    private mutating func answer(
        _ request: Request, _ line: [UInt8], _ number: Int
    ) throws(WireError) -> [UInt8] {
        switch request {
        case .hello(let hello):
            peers[number]?.client = hello.clientID
            peers[number]?.user = hello.user ?? ""
            return Self.welcome(number, hello.clientID)
        case .change(let change):
            return try repeatable(change.options.seq, line, number) { daemon throws(WireError) in
                try daemon.apply(change.edits, number)
            }
        case .beginDrag(_, let item, _):
            guard trip[item] != nil else { throw WireError(.itemNotFound, "no item") }
            guard !peers.contains(where: { $0.key != number && $0.value.drag?.item == item }) else {
                throw WireError(.itemHeld, "held")
            }
            guard peers[number]?.drag == nil else { throw WireError(.alreadyDragging, "twice") }
            let name = "d\(nextDrag)"
            nextDrag += 1
            peers[number]?.drag = (name, item)
            return Self.object { json in
                json.member("drag", name)
                json.member("leaseMilliseconds", 15_000)
                json.member("version", 1)
            }
        case .hover(let drag, _):
            guard peers[number]?.drag?.name == drag.text else { throw WireError(.dragNotFound, "none") }
            return Self.object { _ in }
        case .cancelDrag(let drag):
            guard peers[number]?.drag?.name == drag.text else { throw WireError(.dragNotFound, "none") }
            peers[number]?.drag = nil
            return Self.object { $0.member("version", 1) }
        case .drop(let drop):
            return try repeatable(drop.options.seq, line, number) { daemon throws(WireError) in
                guard let drag = daemon.peers[number]?.drag, drag.name == drop.drag.text else {
                    throw WireError(.dragNotFound, "none")
                }
                daemon.peers[number]?.drag = nil
                return try daemon.apply([.move(drag.item, to: drop.placement)], number)
            }
        default: throw WireError(.methodNotFound, "the model does not know this")
        }
    }

    /// Applies a change once, however often it is sent.
    private mutating func repeatable(
        _ seq: Int?, _ line: [UInt8], _ number: Int,
        _ make: (inout ModelDaemon) throws(WireError) -> (result: [UInt8], isNoop: Bool)
    ) throws(WireError) -> [UInt8] {
        guard let client = peers[number]?.client, let seq else { return try make(&self).result }
        let root = try? JSONDocument(parsing: line).root
        let text = root?["params"].map { String(decoding: $0.canonicalBytes(), as: UTF8.self) } ?? ""
        if let again = kept[client]?[seq] {
            guard again.text == text else { throw WireError(.sequenceReuse, "another request") }
            return again.result
        }
        if let highest = kept[client]?.keys.max(), seq < highest { throw WireError(.sequenceTooOld, "old") }
        let (result, isNoop) = try make(&self)
        if !isNoop {
            kept[client, default: [:]][seq] = Kept(text: text, result: result)
            made[client, default: [:]][seq, default: 0] += 1
        }
        return result
    }

    private mutating func apply(
        _ edits: [Edit], _ number: Int
    ) throws(WireError) -> (result: [UInt8], isNoop: Bool) {
        var guarding = EditGuard()
        guarding.heldItems = Set(peers.compactMap { $0.key == number ? nil : $0.value.drag?.item })
        let author = Author(name: peers[number]?.user ?? "", at: Timestamp(milliseconds: 3_000_000))
        let commit: Commit
        do throws(EditFailure) {
            commit = try trip.apply(edits, by: author, guardedBy: guarding)
        } catch {
            throw WireError(.itemNotFound, "\(error)")
        }
        if !commit.isNoop {
            steps.append(Step(version: commit.version, changed: Set(commit.itemIDs)))
        }
        let bytes = Self.object { json in
            json.member("version", commit.version)
            if commit.isNoop { json.member("noop", true) }
        }
        return (bytes, commit.isNoop)
    }

    private func subscription(_ subscribe: Subscribe, _ id: RequestID?) -> [UInt8] {
        switch subscribe.since {
        case Since(epoch: epoch, version: trip.version): ServerLine.subscriptionUpToDate(id, [])
        case let since? where since.epoch == epoch && since.version < trip.version:
            ServerLine.subscriptionWithDelta(id, []).around(delta(from: since.version).encoded.members())
        default:
            ServerLine.subscriptionWithSnapshot(id, because: nil, [])
                .around(Snapshot(trip: trip, epoch: epoch, problems: trip.problems).members)
        }
    }

    private static func welcome(_ number: Int, _ client: ClientID?) -> [UInt8] {
        object { json in
            json.key("protocol")
            json.encode(ProtocolVersion.current)
            json.key("server")
            json.beginObject()
            json.member("pid", 1)
            json.endObject()
            json.member("clientId", client)
            json.member("connectionId", number)
            json.member("role", "editor")
        }
    }

    private static func object(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        members(&json)
        json.endObject()
        return json.take()
    }
}
