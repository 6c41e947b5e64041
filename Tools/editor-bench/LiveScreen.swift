import EditorLink
import ItineraryUI
import JSONLine
import LocalSystem
import TerminalCore
import TripClient
import TripModel
import TripProtocol

/// An editor on a live trip, as in the program: a key goes through the editor and the live trip's core to a
/// frame and a request, and the daemon's answer and its new state return the same way. Only the socket and
/// the terminal are missing.
struct LiveScreen {
    private var state: EditorState
    private var core: LiveTripCore
    private let renderer = FrameRenderer(colorDepth: .indexed256, synchronizesUpdates: true)
    private var shown: Frame?
    private var view: TripView?
    private var now = Duration.zero
    private var lastIntent = 0
    private var changes: [Int: Int] = [:]
    /// The daemon's trip.
    private var trip: Trip
    private var lines: [[UInt8]] = []
    private static let client = ClientID(high: 0xC, low: 0x8000_0000_0000_0001)
    private static let author = Author(name: "Ann", at: Timestamp(milliseconds: 1_780_000_000_000))

    init(_ trip: Trip) throws {
        self.trip = trip
        state = EditorState(userName: "Ann", options: EditorOptions(colorDepth: .indexed256))
        core = LiveTripCore(
            .init(
                trip: .id(trip.header.id),
                hello: Hello(clientName: "bench", clientVersion: "1", user: "Ann", clientID: Self.client),
                seed: 1))
        deliver(.resized(columns: 100, rows: 30))
        carryOut(core.start(now: now))
        carryOut(core.opened(now: now))
        try serve()
    }

    // MARK: The user

    /// Presses a key, and draws everything that it shows.
    mutating func press(_ key: Key) {
        now += .milliseconds(200)
        deliver(.input(.key(key)))
        draw()
    }

    /// Receives the daemon's lines, and draws.
    mutating func hear(_ answers: [[UInt8]]) {
        for line in answers { carryOut(core.receive(line: line, now: now)) }
        draw()
    }

    private mutating func draw() {
        let frame = state.frame()
        _ = renderer.bytes(for: frame, over: shown)
        shown = frame
    }

    private mutating func deliver(_ event: EditorEvent) {
        for effect in state.handle(event, now: now) {
            guard let (intent, change) = EditorLink.intent(of: effect) else { continue }
            lastIntent += 1
            if let change { changes[lastIntent] = change }
            carryOut(
                core.perform(intent, id: lastIntent, at: Timestamp(milliseconds: 1_780_000_000_000), now: now)
            )
            showNewest()
        }
    }

    private mutating func showNewest() {
        guard let newest = core.state() else { return }
        let news = core.takeNews()
        let next = EditorLink.view(of: newest, news: news)
        guard next != view || !news.isEmpty else { return }
        view = next
        deliver(.shown(next))
    }

    private mutating func carryOut(_ actions: [LiveTripCore.Action]) {
        var hasChanged = false
        for action in actions {
            switch action {
            case .send(let bytes): lines += bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
            case .resolved(let intent, let resolution):
                showNewest()
                if let change = changes.removeValue(forKey: intent) {
                    deliver(.outcome(change, EditorLink.outcome(of: resolution)))
                }
            case .stateChanged: hasChanged = true
            case .connect, .disconnect: break
            }
        }
        if hasChanged { showNewest() }
    }

    // MARK: The daemon

    /// Answers until there is no request any more.
    mutating func serve() throws {
        while !lines.isEmpty { hear(try answers()) }
    }

    /// The daemon's lines for all requests: the answers, each followed by the state.
    mutating func answers() throws -> [[UInt8]] {
        let asked = lines
        lines = []
        var said: [[UInt8]] = []
        for line in asked {
            let root = try JSONDocument(parsing: line).root
            guard let id = root["id"]?.int, let name = root["method"]?.string, let params = root["params"],
                let method = Method(rawValue: name)
            else { continue }
            said += try answer(.number(id), Request(method, params: params)).map { $0.dropLast() }
        }
        return said
    }

    private mutating func answer(_ id: RequestID, _ request: Request) throws -> [[UInt8]] {
        switch request {
        case .hello:
            let welcome = Welcome(
                version: .current, serverProcess: 1, clientID: Self.client, connectionID: 7, user: "Ann",
                access: .owner, durability: .sync)
            return [ServerLine.welcome(id, welcome, capabilities: [])]
        case .subscribe:
            let members = trip.snapshotMembers(epoch: "e", problems: Problem.encoded(trip.problems))
            return [ServerLine.subscriptionWithSnapshot(id, because: nil, []).around(members)]
        case .change(let change):
            let from = trip.version
            let commit = try trip.apply(change.edits, by: Self.author)
            let version = trip.version
            let delta = EncodedDelta(
                identity: EncodedDelta.identity(trip.header.id, epoch: "e"), from: from, version: version,
                cause: Cause(user: "Ann", clientID: Self.client, method: change.method.rawValue).encoded(),
                header: nil, upserts: commit.itemIDs.map { trip[$0]?.encoded() ?? [] }, removed: [],
                problems: Problem.encoded(trip.problems))
            let answer = EncodedChange(version: version, isNoop: false, body: .nothing, respacedDays: [])
            return [ServerLine.reply(id, encoded: answer.result()), delta.line()]
        default: return []
        }
    }
}
