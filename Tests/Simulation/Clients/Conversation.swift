import JSONLine
import TestSupport
import TripProtocol

/// One client's successive connections, with the open requests of the present one in order, and the received
/// lines.
final class Conversation<Kind> {
    /// A request without an answer yet.
    struct Asked {
        let id: Int
        let kind: Kind
        let at: Duration
    }

    /// A line from the daemon.
    enum Heard {
        case answer(Asked, result: JSONNode?, reason: String?)
        case notice(String, JSONNode)
    }

    private let world: ClientWorld
    private let name: String
    private(set) var wire: SimulatedWire?
    /// The previous connection.
    private(set) var lastWire: SimulatedWire?
    private var oldWires: [SimulatedWire] = []
    private var framer = LineFramer(limit: 1 << 25)
    private(set) var asked: [Asked] = []
    private var nextID = 1

    init(_ name: String, _ world: ClientWorld) {
        self.name = name
        self.world = world
    }

    var waitsSince: Duration? { asked.first?.at }

    /// Whether nothing on earlier connections can still reach the daemon.
    var isAlone: Bool { oldWires.allSatisfy(\.isServerClosed) }

    /// Connects; returns false if no daemon runs.
    func open() -> Bool {
        guard let wire = world.connect() else { return false }
        self.wire = wire
        framer = LineFramer(limit: 1 << 25)
        world.trace.note("connect", nextID)
        return true
    }

    func ask(_ request: Request, _ kind: Kind) {
        guard let wire else { return }
        let id = nextID
        nextID += 1
        asked.append(Asked(id: id, kind: kind, at: world.now))
        wire.send(request.line(id: .number(id)))
        world.trace.say("\(name) asks \(id): \("\(request)".prefix(400))")
    }

    /// Closes the connection, or breaks it and loses some bytes in transit.
    ///
    /// - Returns: the unanswered requests.
    func close(orderly: Bool, _ random: inout SplitMix64) -> [Asked] {
        guard let wire else { return [] }
        if orderly { wire.closeClient() } else { wire.reset(keeping: random.below(wire.underWay.up + 1)) }
        return lose()
    }

    /// Handles the end of the connection.
    ///
    /// - Returns: the unanswered requests.
    func lose() -> [Asked] {
        guard let wire else { return [] }
        world.countDrop()
        world.trace.note("lost", asked.count)
        oldWires = oldWires.filter { !$0.isServerClosed } + [wire]
        lastWire = wire
        self.wire = nil
        defer { asked = [] }
        return asked
    }

    /// Handles all complete lines, unless the connection is closed in between.
    func receive(_ bytes: [UInt8], _ handle: (Heard) throws -> Void) throws {
        framer.append(bytes)
        while wire != nil, let frame = framer.next() {
            guard case .line(let line) = frame else { throw Violation("the daemon's lines are whole") }
            world.trace.say("\(name) hears \(String(decoding: line.prefix(400), as: UTF8.self))")
            world.trace.note("line", line.count)
            let root: JSONNode
            do { root = try JSONDocument(parsing: line).root } catch {
                throw Violation("every line is JSON", "\(error): \(String(decoding: line, as: UTF8.self))")
            }
            do { try handle(heard(root)) } catch let violation as Violation {
                throw Violation(
                    violation.invariant,
                    "\(name): \(violation.facts)\n  \(String(decoding: line.prefix(400), as: UTF8.self))")
            }
        }
    }

    private func heard(_ line: JSONNode) throws -> Heard {
        if let method = line["method"]?.string {
            guard let params = line["params"] else { throw Violation("a notification has parameters") }
            return .notice(method, params)
        }
        guard let first = asked.first, line["id"]?.int == first.id else {
            throw Violation("promise 1: answers come in the order of the requests", "\(asked.first?.id ?? 0)")
        }
        asked.removeFirst()
        let reason = line["error"].map { $0["data"]?["reason"]?.string ?? "" }
        switch reason {
        case "storage_full", "storage_failed", "outcome_unknown":
            if !world.hasFaults { throw Violation("the disk has not failed", reason ?? "") }
        case "internal_error", "invalid_params", "invalid_request", "parse_error", "method_not_found",
            "not_initialized", "seq_reuse", "trip_corrupt", "limit_exceeded":
            throw Violation("no request of this client is in error", reason ?? "")
        default: break
        }
        return .answer(first, result: line["result"], reason: reason)
    }
}
