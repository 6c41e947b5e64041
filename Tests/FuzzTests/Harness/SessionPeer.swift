import JSONLine
import TripModel
import TripProtocol

@testable import Simulation

/// One connection: its requests, the expected answers and notifications, and checks that they arrive.
final class SessionPeer {
    /// The expected answer to a sent line.
    private struct Expected {
        /// Nil for the error of a line whose id cannot be read.
        let id: RequestID?
        var method = ""
        var params: JSONNode?
    }

    let wire: SimulatedWire
    private let past: SessionPast
    private var sent = LineFramer(limit: WireLimits.lineBytes)
    private var heard = LineFramer(limit: 1 << 28)
    private var expected: [Expected] = []
    private var badLines = 0
    private var nextID = 1
    private var goodbye: String?
    /// Whether sent lines may be lost.
    private(set) var isBroken = false
    private(set) var isPaused = false
    private(set) var hasAskedToStop = false
    var isReading = true { didSet { hasPaused = true } }
    /// Whether it stopped reading for a while, so that the daemon may have disconnected it.
    private var hasPaused = false
    /// The known state of each subscribed trip.
    private(set) var held: [TripID: HeldState] = [:]
    /// The trips whose updates it wants during its drags too.
    private var undeferred: Set<TripID> = []
    /// Its drags, as far as it knows, by id, with their trips.
    private var drags: [String: TripID] = [:]
    /// Whether it may have a drag that it does not know of.
    private var mayDrag = false

    init(_ wire: SimulatedWire, _ past: SessionPast) {
        self.wire = wire
        self.past = past
    }

    // MARK: Sending

    func request(_ method: String, _ params: ArraySlice<UInt8>) {
        let name = method.unicodeScalars.filter { $0 != "\"" && $0 != "\\" && $0.value >= 0x20 }
        var line = Array("{\"jsonrpc\":\"2.0\",\"id\":\(nextID),\"method\":\"\(String(name))\"".utf8)
        if !params.isEmpty { line += Array(",\"params\":".utf8) + past.filled(params) }
        nextID += 1
        send(line + Array("}\n".utf8))
    }

    func send(_ bytes: [UInt8]) {
        guard !isPaused, !isBroken else { return }
        wire.send(bytes)
        sent.append(bytes)
        while let frame = sent.next() { expect(frame) }
    }

    /// Records the answer that the protocol requires for a line.
    private func expect(_ frame: LineFrame) {
        // The daemon reads nothing after this number.
        guard badLines < WireLimits.badLines else { return }
        guard case .line(let line) = frame, let root = try? JSONDocument(parsing: line).root else {
            badLines += 1
            return expected.append(Expected(id: nil))
        }
        badLines = 0
        var id: RequestID?
        if let node = root["id"] {
            id = node.int.map(RequestID.number) ?? node.string.map(RequestID.string)
            if id == nil { return expected.append(Expected(id: nil)) }
        }
        let isRequest = root["jsonrpc"]?.string == "2.0" && root["method"]?.string != nil
        if root["method"]?.string == Method.shutdown.rawValue { hasAskedToStop = true }
        if isRequest, id == nil { return }
        let params = isRequest ? root["params"] : nil
        expected.append(Expected(id: id, method: root["method"]?.string ?? "", params: params))
    }

    func shut() {
        isPaused = true
        wire.shutClient()
    }

    func reset() {
        isBroken = true
        wire.reset(keeping: 0)
    }

    /// The daemon has died: everything that it did not send yet is lost.
    func loseServer() {
        isBroken = true
        wire.loseServer(keeping: 0)
    }

    // MARK: Receiving

    func read() throws(Finding) {
        guard isReading, !isBroken else { return }
        heard.append(wire.receive(atMost: .max))
        while let frame = heard.next() {
            guard case .line(let bytes) = frame else { throw Finding("the daemon's lines are whole") }
            do throws(Finding) { try hear(bytes) } catch {
                throw Finding(
                    error.promise, "\(error.facts)\n  \(String(decoding: bytes.prefix(600), as: UTF8.self))")
            }
        }
    }

    private func hear(_ bytes: [UInt8]) throws(Finding) {
        guard let line = try? JSONDocument(parsing: bytes).root, line.kind == .object,
            line["jsonrpc"]?.string == "2.0"
        else { throw Finding("every line is JSON-RPC") }
        try Finding.unless(goodbye == nil, "nothing comes after goodbye")
        guard let method = line["method"]?.string else { return try hearAnswer(line) }
        guard let params = line["params"] else { throw Finding("a notification has parameters") }
        switch method {
        case "trip.snapshot": try received(snapshot: params)
        case "trip.delta": try received(delta: params)
        case "trip.presence": break
        case "drag.ended": drags[params["drag"]?.string ?? ""] = nil
        case "trip.deleted": if let trip = params["trip"]?.string.flatMap({ TripID($0) }) { held[trip] = nil }
        case "goodbye":
            goodbye = params["reason"]?.string ?? ""
            if goodbye == "bad_lines" {
                try Finding.unless(
                    expected.isEmpty && badLines == WireLimits.badLines,
                    "what was sent up to the last bad line is answered before the goodbye",
                    "\(expected.count)")
            }
        default: throw Finding("a notification is one of the protocol's", method)
        }
    }

    private func hearAnswer(_ line: JSONNode) throws(Finding) {
        let id = line["id"].flatMap { $0.int.map(RequestID.number) ?? $0.string.map(RequestID.string) }
        guard let first = expected.first else { throw Finding("nothing is answered that was not asked") }
        try Finding.unless(
            first.id == id && line["id"] != nil, "promise 1: answers come in the order of the requests",
            "\(first)")
        expected.removeFirst()
        if let error = line["error"] {
            guard let reason = error["data"]?["reason"]?.string.flatMap({ ErrorReason(rawValue: $0) }) else {
                throw Finding("an error has a reason of the protocol's")
            }
            if let drag = first.params?["drag"]?.string {
                mayDrag = mayDrag || drags[drag] != nil
                drags[drag] = nil
            }
            let ours: Set<ErrorReason> = [.internalError, .storageFailed, .storageFull, .outcomeUnknown]
            return try Finding.unless(!ours.contains(reason), "nothing goes wrong in the daemon", "\(reason)")
        }
        guard let result = line["result"] else { throw Finding("an answer has a result or an error") }
        past.heard(result)
        try hear(result, of: first)
    }

    private func hear(_ result: JSONNode, of asked: Expected) throws(Finding) {
        let trip = asked.params?["trip"]?.string.flatMap { past.trip(named: $0) }
        let drag = asked.params?["drag"]?.string ?? ""
        switch asked.method {
        case "trip.create" where asked.params?["dryRun"]?.bool != true: try past.saw(result)
        case "trip.get": try past.saw(result)
        case "trip.subscribe": try subscribed(result, asked.params)
        case "trip.unsubscribe": if let trip { held[trip] = nil } else { held = [:] }
        case "drag.begin":
            mayDrag = mayDrag || trip == nil
            if let trip, let drag = result["drag"]?.string { drags[drag] = trip }
        case "drag.cancel": drags[drag] = nil
        case "drag.drop" where asked.params?["dryRun"]?.bool != true: drags[drag] = nil
        default: try checkOrder(of: result, asked, trip)
        }
    }

    /// Checks promise 2. Repeated requests are exempt, because their changes may be in a state sent earlier.
    private func checkOrder(
        of result: JSONNode, _ asked: Expected, _ trip: TripID?
    ) throws(Finding) {
        guard let version = result["version"]?.int, result["noop"]?.bool != true,
            Method(rawValue: asked.method)?.isPlainChange == true, let params = asked.params,
            params["seq"] == nil, params["dryRun"]?.bool != true, let trip, let held = held[trip]
        else { return }
        try Finding.unless(
            held.version < version,
            "promise 2: the answer to a change comes before any state that contains it",
            "\(version), held is \(held.version)")
    }

    // MARK: States

    private func subscribed(_ result: JSONNode, _ params: JSONNode?) throws(Finding) {
        let defers = params?["deferWhileDragging"]?.bool != false
        if let snapshot = result["snapshot"] {
            let (trip, state) = try past.saw(snapshot)
            if defers { undeferred.remove(trip) } else { undeferred.insert(trip) }
            return held[trip] = state
        }
        let base = result["delta"] ?? params?["since"]
        let version = result["delta"]?["from"]?.int ?? base?["version"]?.int
        guard let epoch = base?["epoch"]?.string, let version else {
            throw Finding("a subscription begins with a state")
        }
        guard let trip = past.trip(of: epoch) else { return }
        if defers { undeferred.remove(trip) } else { undeferred.insert(trip) }
        guard let known = past.state(epoch, version) else { return held[trip] = nil }
        guard let delta = result["delta"] else { return held[trip] = known }
        held[trip] = try past.applying(delta, to: known)
    }

    private func received(snapshot params: JSONNode) throws(Finding) {
        let (trip, state) = try past.saw(params)
        try checkSilence(of: trip)
        if let held = held[trip], held.epoch == state.epoch {
            try Finding.unless(
                state.version > held.version, "promise 3: versions only rise", "held is \(held.version)")
            try Finding.unless(
                params["previous"]?.int == held.version
                    && params["skipped"]?.int == state.version - held.version - 1,
                "`previous` and `skipped` match the versions sent", "held is \(held.version)")
        }
        held[trip] = state
    }

    private func received(delta params: JSONNode) throws(Finding) {
        guard let trip = params["trip"]?.string.flatMap({ TripID($0) }) else {
            throw Finding("a delta names its trip")
        }
        try checkSilence(of: trip)
        if let known = held[trip] { held[trip] = try past.applying(params, to: known) }
    }

    /// Promise 6: no state of a trip is sent during a drag, unless it is requested.
    private func checkSilence(of trip: TripID) throws(Finding) {
        guard !mayDrag, !undeferred.contains(trip), drags.values.contains(trip) else { return }
        let isAsked = expected.contains { ["trip.sync", "trip.subscribe", "drag.begin"].contains($0.method) }
        try Finding.unless(isAsked, "promise 6: no state of the trip is sent during a drag")
    }

    // MARK: At rest

    /// At rest every request must be answered, unless the connection has ended.
    func checkAtRest() throws(Finding) {
        guard isReading, !isBroken, goodbye == nil, !(hasPaused && wire.isOver) else { return }
        try Finding.unless(
            expected.isEmpty, "every request is answered, once", expected.first.map { "\($0)" } ?? "")
        try Finding.unless(
            !wire.isOver || isPaused, "a connection lasts until one of its ends closes it")
    }

    /// At rest it must have the newest state of its subscriptions, unless it drags.
    func checkHolds(_ trip: TripID, _ epoch: String, _ version: Int) throws(Finding) {
        guard isReading, !isOver, !mayDrag, !drags.values.contains(trip), let held = held[trip] else {
            return
        }
        try Finding.unless(
            held.epoch == epoch && held.version == version, "at rest every client has the newest state",
            "\(held.version) of \(held.epoch), there is \(version) of \(epoch)")
    }

    /// Whether its name is free for a new connection.
    var isOver: Bool { isBroken || isPaused || wire.isOver || goodbye != nil }
}

extension Method {
    /// Whether its answer contains the version that it made.
    fileprivate var isPlainChange: Bool {
        switch self {
        case .addItem, .updateItem, .moveItem, .removeItem, .apply, .updateTrip, .accept, .todo: true
        default: false
        }
    }
}
