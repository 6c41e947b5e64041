import JSONLine
import Testing
import TripModel

@testable import TripClient
@testable import TripProtocol

/// A core between a test's user and a test's daemon, without any waiting.
struct CoreBench {
    /// A request as the daemon reads it.
    struct Asked {
        let id: Int
        let method: String
        let params: JSONNode

        var seq: Int? { params["seq"]?.int }
        /// All members except the id, which differs each time.
        let text: String
    }

    static let client = ClientID(high: 0xC, low: 0x8000_0000_0000_0001)
    /// The minor version of the daemon's protocol.
    let minor: Int
    static let other = Cause(user: "Bob", clientID: ClientID(high: 0xB, low: 1), method: "item.move")

    var core: LiveTripCore
    var now = Duration.zero
    /// The actions after the last event.
    private(set) var actions: [LiveTripCore.Action] = []
    /// The unanswered requests of this connection.
    private(set) var asked: [Asked] = []
    /// The results of the intents so far.
    private(set) var results: [Int: [LiveTripCore.Resolution]] = [:]
    private(set) var shown: LiveTrip.State?
    private var nextIntent = 1
    /// The daemon's trip.
    var daemon: Snapshot
    /// The client's access to the trip.
    var role: Hello.Role

    init(
        items: Int = 3, user: String? = "Ann", role: Hello.Role = .editor, seed: UInt64 = 1,
        minor: Int = ProtocolVersion.current.minor
    ) throws {
        self.minor = minor
        self.role = role
        core = LiveTripCore(
            .init(
                trip: .slug("t1"),
                hello: Hello(
                    clientName: "test", clientVersion: "1", user: user, clientID: Self.client, role: role),
                seed: seed))
        daemon = try SampleTrip.snapshot(1, items: items)
    }

    // MARK: Events

    mutating func take(_ actions: [LiveTripCore.Action]) throws {
        self.actions = actions
        for action in actions {
            switch action {
            case .send(let bytes):
                for line in bytes.split(separator: UInt8(ascii: "\n")) {
                    let root = try JSONDocument(parsing: Array(line)).root
                    let text = String(decoding: line, as: UTF8.self)
                    let id = try #require(root["id"]?.int)
                    asked.append(
                        Asked(
                            id: id, method: try #require(root["method"]?.string),
                            params: try #require(root["params"]),
                            text: text.replacing("\"id\":\(id),\"method\"", with: "\"method\"")))
                }
            case .resolved(let intent, let resolution): results[intent, default: []].append(resolution)
            case .stateChanged: shown = core.state()
            case .connect, .disconnect: asked = []
            }
        }
    }

    mutating func start() throws { try take(core.start(now: now)) }
    mutating func opened() throws { try take(core.opened(now: now)) }

    mutating func lose(_ error: ClientError = .closed(nil)) throws {
        asked = []
        try take(core.lost(error, now: now))
    }

    /// Advances the clock to the next deadline.
    mutating func waitForDeadline() throws {
        now = try #require(core.nextDeadline)
        try take(core.timer(now: now))
    }

    @discardableResult
    mutating func want(
        _ intent: LiveTripCore.Intent, _ options: LiveTrip.ChangeOptions = LiveTrip.ChangeOptions()
    ) throws -> Int {
        defer { nextIntent += 1 }
        try take(
            core.perform(
                intent, id: nextIntent, at: Timestamp(milliseconds: 1_000_000), now: now, options: options))
        return nextIntent
    }

    /// Advances the clock with every deadline on the way; the daemon answers each hover and ping at once.
    mutating func pass(to moment: Duration) throws {
        while let deadline = core.nextDeadline, deadline <= moment {
            now = max(now, deadline)
            try take(core.timer(now: now))
            while let request = asked.first, ["drag.hover", "ping"].contains(request.method) {
                try answer(next(request.method)) { json in
                    json.beginObject()
                    json.endObject()
                }
            }
        }
        now = moment
    }

    /// A backup replaces the daemon's trip.
    mutating func restore() throws {
        daemon = Snapshot(trip: daemon.trip, epoch: "restored", problems: daemon.problems)
    }

    mutating func send(_ line: [UInt8]) throws {
        try take(core.receive(line: line.dropLast(), now: now))
    }

    mutating func send(_ notification: TripProtocol.TripNotification) throws { try send(notification.line()) }

    // MARK: The daemon's side

    /// Removes the oldest unanswered request, which must have this method.
    mutating func next(_ method: String) throws -> Asked {
        let first = try #require(asked.first, "\(method) is expected")
        #expect(first.method == method)
        asked.removeFirst()
        return first
    }

    mutating func answer(_ request: Asked, _ body: (inout JSONWriter) -> Void) throws {
        try send(ServerLine.reply(.number(request.id), body))
    }

    mutating func refuse(_ request: Asked, _ reason: ErrorReason) throws {
        try send(ServerLine.error(.number(request.id), WireError(reason, "no: \(reason.rawValue)")))
    }

    mutating func welcome() throws {
        let hello = try next("hello")
        let welcome = Welcome(
            version: ProtocolVersion(major: 1, minor: minor), serverProcess: 1, clientID: Self.client,
            connectionID: 7, user: "ann", access: .owner, durability: .sync)
        try send(ServerLine.welcome(.number(hello.id), welcome, capabilities: []))
    }

    /// Answers a subscription with the whole trip.
    mutating func subscribe(because reason: SnapshotReason? = nil) throws {
        let request = try next("trip.subscribe")
        let ann = PresentUser(connectionID: 7, user: "Ann", role: role, dragging: nil, over: nil)
        try send(
            ServerLine.subscriptionWithSnapshot(.number(request.id), because: reason, [ann])
                .around(daemon.members))
    }

    mutating func subscribeUpToDate() throws {
        let request = try next("trip.subscribe")
        try send(ServerLine.subscriptionUpToDate(.number(request.id), []))
    }

    mutating func subscribe(with delta: TripDelta) throws {
        let request = try next("trip.subscribe")
        try send(
            ServerLine.subscriptionWithDelta(.number(request.id), []).around(delta.encoded.members()))
    }

    /// From the beginning to the first state.
    mutating func begin() throws {
        try start()
        try opened()
        try welcome()
        try subscribe()
    }

    /// From a lost connection to the next subscription.
    mutating func reconnect() throws {
        try waitForDeadline()
        try opened()
        try welcome()
    }

    /// Applies a change to the daemon's trip.
    mutating func make(_ edits: [Edit], by user: String = "Bob") throws -> TripDelta {
        var trip = daemon.trip
        let from = trip.version
        let commit = try trip.apply(edits, by: Author(name: user, at: Timestamp(milliseconds: 2_000_000)))
        let epoch = daemon.epoch
        daemon = Snapshot(trip: trip, epoch: epoch, problems: trip.problems)
        let cause =
            user == "Ann" ? Cause(user: user, clientID: Self.client, method: "item.move") : Self.other
        return TripDelta(
            trip: trip.header.id, epoch: epoch, from: from, version: trip.version, cause: cause,
            header: commit.header?.after.applied(to: trip.header),
            upserts: commit.itemIDs.compactMap { trip[$0] },
            removed: commit.changes.filter { $0.after == nil }.map(\.id), problems: trip.problems)
    }

    /// Answers that a change was applied, at the daemon's version.
    mutating func accept(_ request: Asked, noop: Bool = false) throws {
        let version = daemon.trip.version
        try answer(request) { json in
            json.beginObject()
            json.member("version", version)
            if noop { json.member("noop", true) }
            json.endObject()
        }
    }

    /// Another user changes the trip, and this client gets the delta.
    mutating func changeByAnother(_ edits: [Edit]) throws {
        let delta = try make(edits)
        try send(delta.line())
    }

    mutating func grant(_ name: String = "k-1", lease: Int = 15_000) throws {
        let version = daemon.trip.version
        try answer(next("drag.begin")) { json in
            json.beginObject()
            json.member("drag", name)
            json.member("leaseMilliseconds", lease)
            json.member("version", version)
            json.endObject()
        }
    }

    // MARK: Results

    var items: [ItemID] { daemon.trip.shownIDs }

    func day(of item: ItemID) -> Int? { shown?.trip[item]?.position.day }

    /// An intent's failure; nil if there is none, or none yet.
    func failure(of intent: Int) -> ClientError? {
        guard case .failed(let error)? = results[intent]?.first else { return nil }
        return error
    }

    func version(of intent: Int) -> Int? {
        guard case .changed(let result)? = results[intent]?.first else { return nil }
        return result.version
    }
}
