import JSONLine
import TripModel
import TripProtocol

/// Checks a trip at rest, over a connection of its own.
final class Audit {
    let simulation: Simulation
    private let trip: TripID
    private let wire: SimulatedWire
    private var framer = LineFramer(limit: 1 << 25)
    private var nextID = 1

    init(_ simulation: Simulation, _ trip: TripID) throws {
        self.simulation = simulation
        self.trip = trip
        guard let wire = simulation.world.connect() else { throw Violation("a daemon runs at rest") }
        self.wire = wire
    }

    /// Says hello. The caller must close the connection.
    func begin() throws {
        _ = try call(.hello(Hello(clientName: "audit", clientVersion: "1", user: "audit")))
    }

    func end() throws {
        wire.closeClient()
        try simulation.runToRest(reading: wire)
    }

    func check() throws {
        try begin()
        let state = try HeldState(snapshot: call(.getTrip(.id(trip))))
        let oracle = simulation.world.oracle
        try oracle.saw(state, of: trip, by: "audit")
        let past = oracle.pasts[trip] ?? Oracle.Past()
        if state.version < past.highest {
            throw Violation(
                "no version that was sent is lost",
                "\(state.version), but \(past.highest) was reported")
        }
        try checkConvergence(state)
        try checkHistory(past, upTo: state.version)
        try checkLeases(state)
        try checkCounters()
        try checkPresence()
        try end()
    }

    /// Presence must list exactly the connected users.
    private func checkPresence() throws {
        let there = simulation.clients.filter { $0.trip == trip && $0.holdsTrip }
        let names = there.map(\.name).sorted()
        for client in there {
            guard let present = client.present, present != names else { continue }
            throw Violation(
                "presence contains exactly the present users",
                "\(client.name) was sent \(present), but there are \(names)")
        }
    }

    private func checkConvergence(_ state: HeldState) throws {
        for client in simulation.clients where client.trip == trip && client.holdsTrip {
            guard let shown = client.shown else { throw Violation("every client has the trip", client.name) }
            if shown.version != state.version {
                throw Violation(
                    "all clients converge",
                    "\(client.name) holds \(shown.version), the daemon \(state.version)")
            }
            if shown.content != state.content {
                throw Violation(
                    "all clients converge",
                    """
                    \(client.name) holds
                    \(String(decoding: shown.content, as: UTF8.self))
                    but the daemon
                    \(String(decoding: state.content, as: UTF8.self))
                    """)
            }
        }
    }

    /// Every acknowledged change must be in the history with its version. Other changes must be ones with an
    /// unknown outcome.
    private func checkHistory(_ past: Oracle.Past, upTo version: Int) throws {
        var unknown = past.unknown
        var before: Int?
        var expected = version
        while true {
            let page = try call(.history(HistoryRequest(trip: .id(trip), before: before, limit: 500)))
            let entries = page["entries"]?.elements.map { $0 } ?? []
            for entry in entries {
                guard let number = entry["version"]?.int, let user = entry["user"]?.string else {
                    throw Violation("history has versions and users")
                }
                if number != expected {
                    throw Violation("history has every version", "\(number) where \(expected) belongs")
                }
                expected -= 1
                if let known = past.acknowledged[number] {
                    if known.user != user {
                        throw Violation(
                            "no acknowledged change is lost", "\(number) of \(known.user) is \(user)'s")
                    }
                } else {
                    unknown[user, default: 0] -= 1
                    if unknown[user] ?? 0 < 0 {
                        throw Violation(
                            "no change is applied twice, and none that was refused",
                            "version \(number) of \(user): \(entry["summary"]?.string ?? "")")
                    }
                }
                try checkHolds(past.holds, against: entry, number, user)
            }
            guard let last = entries.last?["version"]?.int, last > 2 else { break }
            before = last
        }
        if expected != 1, version > 1, !isLong {
            throw Violation("history has every version", "\(expected) is missing")
        }
        if let lost = past.acknowledged.keys.first(where: { $0 > version }) {
            throw Violation("no acknowledged change is lost", "version \(lost)")
        }
    }

    /// Whether there may be more changes, or larger ones, than a history keeps.
    private var isLong: Bool { trip == Person.trip && simulation.scenario.weight != .light }

    private func checkHolds(_ holds: [Oracle.Hold], against entry: JSONNode, _ version: Int, _ user: String)
        throws
    {
        for hold in holds where hold.after < version && version < hold.before && hold.user != user {
            for op in entry["ops"]?.elements.map({ $0 }) ?? [] where op["item"]?.string == hold.item {
                throw Violation(
                    "an item that is being dragged is edited only by its holder",
                    "\(user) did in version \(version) to \(hold.item), which \(hold.user) held from \(hold.after) on"
                )
            }
        }
    }

    /// All drags are over, so any item can be dragged; tries some.
    private func checkLeases(_ state: HeldState) throws {
        for item in state.items.shuffled(using: &simulation.random).prefix(6) where !item.isGame {
            guard let id = ItemID(item.id) else { continue }
            let lifted = try call(.beginDrag(.id(trip), id, includesGaps: false))
            guard let drag = lifted["drag"]?.string else { throw Violation("a drag has a name") }
            _ = try call(.cancelDrag(DragID(drag)))
        }
    }

    private func checkCounters() throws {
        let stats = try call(.stats)
        let open = simulation.clients.count { $0.wire != nil } + 1
        if stats["connections"]?.int != open {
            throw Violation(
                "closed connections are forgotten", "\(stats["connections"]?.int ?? 0), not \(open)")
        }
        if stats["queuedBytes"]?.int != 0 { throw Violation("nothing is queued at rest") }
        let rows = try call(.listTrips)["trips"]?.elements.map { $0 } ?? []
        let watching = simulation.clients.count { $0.trip == trip && $0.holdsTrip }
        for row in rows where row["id"]?.string == trip.description {
            if row["subscribers"]?.int != watching
                || (row["state"]?.string != "ok" && !simulation.world.hasFaults)
            {
                throw Violation(
                    "at rest exactly the subscribed clients are subscribers",
                    "\(row["subscribers"]?.int ?? 0) of \(watching), \(row["state"]?.string ?? "")")
            }
        }
    }

    /// Sends a request and waits for its result.
    func call(_ request: Request) throws -> JSONNode {
        let (result, reason) = try ask(request)
        if let result { return result }
        throw Violation("at rest nothing is refused", "\(reason ?? ""): \(request)")
    }

    /// Sends a request and waits for the answer; returns the reason of an error.
    func ask(_ request: Request) throws -> (result: JSONNode?, reason: String?) {
        let id = nextID
        nextID += 1
        wire.send(request.line(id: .number(id)))
        framer.append(try simulation.runToRest(reading: wire))
        while let frame = framer.next() {
            guard case .line(let bytes) = frame else { continue }
            let line = try JSONDocument(parsing: bytes).root
            guard line["id"]?.int == id else { continue }
            return (line["result"], line["error"]?["data"]?["reason"]?.string)
        }
        throw Violation("every request is answered", "\("\(request)".prefix(300))")
    }
}
