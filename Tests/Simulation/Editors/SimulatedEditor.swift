import EditorLink
import ItineraryUI
import JSONLine
import LocalSystem
import TerminalCore
import TestSupport
import TripClient
import TripModel
import TripProtocol

/// An editor, driven as by its session: it gets keys from a terminal, and uses the client core on a simulated
/// wire. The screen is checked after every event.
final class SimulatedEditor {
    /// The user interface.
    enum Face {
        case drawn(EditorState, InputDecoder)
        case plain(PlainEditor, waiting: [String])
    }

    /// A typed change.
    struct Typed {
        let edits: [Edit]
        /// Its items.
        let items: Set<ItemID>
        var outcome: ChangeOutcome?
        /// The version that it made, and the number of restores from a backup before.
        var made: (version: Int, restores: Int)?
        /// Whether the trip was restored from a backup since, so that the change may be lost.
        var isBeforeRestore = false
    }

    let index: Int
    /// The owner of this editor.
    unowned let world: EditorWorld
    var random: SplitMix64
    var face: Face
    var core: LiveTripCore
    private(set) var wire: SimulatedWire?
    /// The number of restores when the connection was made; its answers may come after the next restore.
    private var wireRestores = 0
    private var framer = LineFramer(limit: 1 << 24)
    private var shown: TripView?
    private var callers: [Int: Int] = [:]
    /// The time of the next timer event.
    private var wakeTime: Duration?
    private var examinationBatch = 0
    private var lastIntent = 0
    private var lives = 0
    private var closing: Duration?
    private var hasQuit = false
    /// The changes typed in this process, by number.
    private(set) var typed: [Int: Typed] = [:]
    var user: SimulatedUser
    /// The number of unsaved texts and drafts when this process was left.
    private var unfinishedCount = 0
    /// How long a plain editor has delayed a line without a reason.
    private var vainRounds = 0

    init(_ index: Int, world: EditorWorld, random: SplitMix64) {
        self.index = index
        self.world = world
        self.random = random
        user = SimulatedUser()
        (face, core) = Self.open(index, 0, &self.random)
    }

    private static func open(_ index: Int, _ life: Int, _ random: inout SplitMix64) -> (Face, LiveTripCore) {
        let options = EditorOptions(generator: SplitMix64(seed: random.next()))
        let name = "user\(index)"
        let core = LiveTripCore(
            .init(
                trip: .id(EditorWorld.trip),
                hello: Hello(
                    clientName: "editor", clientVersion: "1", user: name,
                    clientID: ClientID(
                        high: UInt64(0x4000 + life), low: 0x8000_0000_0000_0000 + UInt64(index))),
                seed: random.next(), dragTimeout: .seconds(3600)))
        if index == 2 { return (.plain(PlainEditor(userName: name, options: options), waiting: []), core) }
        var state = EditorState(userName: name, options: options)
        _ = state.handle(.resized(columns: 80, rows: 24), now: .zero)
        return (.drawn(state, InputDecoder()), core)
    }

    var name: String { "user\(index)" }
    private var now: Duration { world.now }

    // MARK: The session

    /// Runs due timers.
    func tick() throws {
        if core.connection == .connecting(attempt: 1, reason: nil), lastIntent == 0, wire == nil, lives == 0,
            shown == nil
        {
            try carryOut(core.start(now: now))
        }
        if let deadline = core.nextDeadline, deadline <= now { try carryOut(core.timer(now: now)) }
        if let time = wakeTime, time <= now {
            wakeTime = nil
            try deliver(.timer)
        }
        try closeIfDone()
        try checkTimeouts()
    }

    /// Lets the user perform the next action.
    func act() throws {
        guard shown != nil, closing == nil else { return }
        try user.act(at: self)
    }

    /// Sends an event to the interface and runs its effects.
    func deliver(_ event: EditorEvent) throws {
        let effects: [EditorEffect]
        switch face {
        case .drawn(var state, let decoder):
            let draftCount = state.draftCount
            effects = state.handle(event, now: now)
            // Quitting reports what Esc kept.
            if effects.contains(.quit) { unfinishedCount += draftCount }
            face = .drawn(state, decoder)
        case .plain(var editor, let waiting):
            let output = editor.handle(.editor(event), now: now)
            effects = output.effects
            face = .plain(editor, waiting: waiting)
        }
        try perform(effects)
        try look()
        try drainLines()
    }

    func perform(_ effects: [EditorEffect]) throws {
        for effect in effects where !hasQuit {
            try user.check(effect, of: self)
            if case .quit = effect { beginClosing() }
            if case .wake(let delay) = effect { wakeTime = now + delay }
            guard let (intent, change) = EditorLink.intent(of: effect) else { continue }
            lastIntent += 1
            world.trace.say("\(name) wants \(lastIntent): \(intent)")
            if let change {
                callers[lastIntent] = change
                var edits: [Edit] = []
                if case .apply(_, let all) = effect { edits = all }
                typed[change] = Typed(edits: edits, items: items(of: effect))
                world.figures.changes += 1
            }
            let moment = Timestamp(milliseconds: world.clock.wallMilliseconds)
            try carryOut(core.perform(intent, id: lastIntent, at: moment, now: now))
            try showNewest()
        }
    }

    func showNewest() throws {
        guard let state = core.state() else { return }
        if case .ended(let error) = state.connection, closing == nil {
            throw Violation("a client goes on where trying again makes sense", "\(name): \(error)")
        }
        let news = core.takeNews()
        let view = EditorLink.view(of: state, news: news)
        guard view != shown || !news.isEmpty else { return }
        shown = view
        try deliver(.shown(view))
    }

    /// Lets a plain editor process all lines.
    func drainLines() throws {
        while case .plain(var editor, var waiting) = face, !editor.isBusy, !waiting.isEmpty, !hasQuit {
            let line = waiting.removeFirst()
            let output = editor.handle(.line(line), now: now)
            world.trace.say("\(name) types \(line): \(output.lines)")
            face = .plain(editor, waiting: waiting)
            try perform(output.effects)
        }
    }

    /// A plain editor must delay a line only for an answer that can come.
    private func checkTimeouts() throws {
        if case .asked = core.state()?.drag { vainRounds = 0 }
        guard case .plain(let editor, let waiting) = face, editor.isBusy, !waiting.isEmpty, closing == nil,
            let state = core.state(), state.connection == .connected, state.pendingCount > 0,
            state.pendingCount == state.doubtfulCount
        else {
            vainRounds = 0
            return
        }
        vainRounds += 1
        if vainRounds > 50 {
            throw Violation("a plain editor never stops reading", "\(name): \(waiting[0]) waits in vain")
        }
    }

    // MARK: Checks

    /// Checks the order on the screen: the daemon's state with each of the user's changes applied once.
    private func look() throws {
        guard case .drawn(let state, _) = face, let shown, core.state()?.trip == shown.trip else { return }
        guard let truth = core.recomputed(), let order = state.shownOrder else { return }
        if order != truth.shownIDs {
            throw Violation(
                "the screen's order is the state's",
                "\(name) shows \(order.map { state.title(of: $0) }), the truth is \(truth.shownIDs.map { truth[$0]?.content.title ?? "" })"
            )
        }
        // Drawing is much slower than checking the order.
        examinationBatch += 1
        if examinationBatch.isMultiple(of: 4) { _ = state.frame() }
    }

    /// The day of an item on the screen.
    func shownDay(of id: ItemID) -> Int? { shown?.trip[id]?.position.day }

    // MARK: Quitting

    /// Quits with unsaved text, by closing the window or with Ctrl-C.
    func leave(writing title: String) throws {
        world.trace.say("\(name) leaves while writing \(title)")
        unfinishedCount += 1
        try deliver(random.chance(50) ? .leave(.windowClosed) : .input(.key(.character("c"), .control)))
        guard case .drawn(let state, _) = face, state.notDoneSentences.contains(where: { $0.contains(title) })
        else { throw Violation("what is half written is on the user's list", "\(name): \(title)") }
    }

    private func beginClosing() {
        guard closing == nil else { return }
        world.trace.say("\(name) leaves")
        world.figures.quits += 1
        core.finish()
        closing = now + .seconds(2)
    }

    /// Ends the process and starts another one. Every typed change must have an outcome.
    private func closeIfDone() throws {
        guard let end = closing, !core.isDelivering || end <= now else { return }
        try carryOut(core.close(now: now))
        hasQuit = true
        try checkOutcomes(isAtEnd: true)
        wire?.closeClient()
        wire = nil
        lives += 1
        (face, core) = Self.open(index, lives, &random)
        (shown, closing, hasQuit, lastIntent, callers, typed) = (nil, nil, false, 0, [:], [:])
        (wakeTime, unfinishedCount) = (nil, 0)
        user = SimulatedUser()
        try carryOut(core.start(now: now))
    }

    func noteRestore() { for number in typed.keys { typed[number]?.isBeforeRestore = true } }

    // MARK: At rest

    /// Whether it waits for something that comes soon.
    var isHurried: Bool { closing != nil }

    func finish() throws {
        guard shown != nil, closing == nil else { return }
        try user.finish(at: self)
    }

    var unfinished: String? {
        guard let state = core.state() else { return "\(name) has no trip" }
        if closing != nil { return "\(name) is leaving" }
        if state.connection != .connected { return "\(name) is \(state.connection)" }
        if state.pendingCount > 0 { return "\(name) waits for \(state.pendingCount) changes" }
        // During a drag the screen does not change. An idle drag is cancelled after a timeout.
        switch state.drag {
        case .asked, .held: return "\(name) drags an item"
        case .none, .lost: break
        }
        if state.waitingVersions > 0 { return "\(name) holds" }
        if !user.isIdle(at: self) { return "\(name) is in the middle of something" }
        return nil
    }

    private func checkOutcomes(isAtEnd: Bool) throws {
        if let open = typed.first(where: { $0.value.outcome == nil }) {
            throw Violation(
                "every change has an outcome that its user learns",
                "\(name): \(open.key), \(open.value.edits)")
        }
        let failed = typed.values.count {
            switch $0.outcome {
            case .made?, .noneLeft?: false
            case .refused?, .unknown?, nil: true
            }
        }
        let reported: Int
        switch face {
        case .drawn(let state, _): reported = state.notDoneSentences.count
        case .plain(let editor, _): reported = editor.notDoneSentences.count
        }
        // Long lists are replaced by their number.
        if reported != min(failed + unfinishedCount, 201) {
            throw Violation(
                "what is not done is on the user's list", "\(name): \(failed) failed, \(reported) are listed")
        }
    }

    func check(against trip: Trip, touched: Set<ItemID>, removed: Set<ItemID>) throws {
        guard let state = core.state() else { return }
        if state.trip != trip {
            throw Violation(
                "at rest every screen is the trip",
                "\(name) shows \(state.trip.shownIDs.map { state.trip[$0]?.content.title ?? "" }) at \(state.version), the daemon has \(trip.shownIDs.map { trip[$0]?.content.title ?? "" }) at \(trip.version)"
            )
        }
        if case .drawn(let editor, _) = face, editor.shownOrder != trip.shownIDs {
            throw Violation("at rest every screen is the trip", name)
        }
        try checkOutcomes(isAtEnd: false)
        for (number, change) in typed {
            for case .add(let id, let content, _) in change.edits {
                let isThere = touched.contains(id) || trip[id] != nil
                switch change.outcome {
                case .made? where !isThere && !change.isBeforeRestore:
                    throw Violation("what is made is in the trip", "\(name): \(number), \(content.title)")
                case .refused? where isThere:
                    throw Violation(
                        "what is not done is not in the trip", "\(name): \(number), \(content.title)")
                default: break
                }
            }
            // An item that has existed ever since it was added is no reason for a refusal.
            if case .refused(let reason) = change.outcome,
                let item = change.items.first(where: { reason.contains("no item \($0)") && trip[$0] != nil }),
                !removed.contains(item), world.figures.restores == 0
            {
                throw Violation(
                    "what is done to an item is done when it is there", "\(name): \(number), \(reason)")
            }
        }
        let titles = trip.items.map(\.content.title).filter { $0.hasPrefix("typed") }
        if Set(titles).count != titles.count {
            throw Violation("what is typed once is in the trip once", "\(titles)")
        }
    }

    // MARK: The connection

    func read() throws {
        guard let wire else { return }
        let bytes = wire.receive(atMost: random.chance(70) ? .max : 1 + random.below(600))
        if !bytes.isEmpty {
            world.trace.note(bytes)
            framer.append(bytes)
            while let frame = framer.next() {
                guard case .line(let line) = frame else { throw Violation("the daemon's lines are whole") }
                world.trace.say("\(name) hears \(String(decoding: line.prefix(500), as: UTF8.self))")
                try carryOut(core.receive(line: line, now: now))
                if self.wire !== wire { return }
            }
        }
        if self.wire === wire, wire.isOver { try lose() }
    }

    func cut(keeping kept: Int) throws {
        guard let wire else { return }
        world.figures.cuts += 1
        wire.reset(keeping: min(kept, wire.underWay.up))
        try lose()
    }

    private func lose() throws {
        wire = nil
        try carryOut(core.lost(.closed(nil), now: now))
    }

    private func carryOut(_ actions: [LiveTripCore.Action]) throws {
        var resolved: [(Int, LiveTripCore.Resolution)] = []
        var hasChanged = false
        for action in actions {
            switch action {
            case .connect: try connect()
            case .send(let bytes): wire?.send(bytes)
            case .disconnect:
                wire?.closeClient()
                wire = nil
            case .stateChanged: hasChanged = true
            case .resolved(let intent, let resolution): resolved.append((intent, resolution))
            }
        }
        for (intent, resolution) in resolved {
            guard let change = callers.removeValue(forKey: intent) else { continue }
            let outcome = EditorLink.outcome(of: resolution)
            world.trace.say("\(name) gets the outcome of \(change): \(outcome)")
            if typed[change]?.outcome != nil {
                throw Violation("a change has one outcome", "\(name): \(change)")
            }
            typed[change]?.outcome = outcome
            if case .changed(let result) = resolution, !result.isNoop {
                typed[change]?.made = (result.version, wireRestores)
                try checkOrder(of: change)
            }
            switch outcome {
            case .made, .noneLeft: break
            case .refused: world.figures.refused += 1
            case .unknown: world.figures.unknown += 1
            }
            try showNewest()
            try deliver(.outcome(change, outcome))
        }
        if hasChanged { try showNewest() }
    }

    private func connect() throws {
        guard let wire = world.connect() else {
            return try carryOut(core.connectFailed(.noDaemon(socket: "s"), isFatal: false, now: now))
        }
        self.wire = wire
        wireRestores = world.figures.restores
        framer = LineFramer(limit: 1 << 24)
        try carryOut(core.opened(now: now))
    }
}
