import JSONLine
import TripModel
import TripProtocol

/// Checks everything at rest: every screen must show the trip, and each typed change must be in it once or
/// have been reported to its user.
final class EditorAudit {
    /// A separate connection.
    final class Line {
        private let world: EditorWorld
        private let wire: SimulatedWire?
        private var framer = LineFramer(limit: 1 << 24)
        private var nextID = 1

        init(_ world: EditorWorld) {
            self.world = world
            wire = world.connect()
        }

        /// Sends a request and waits for its answer.
        func call(_ request: Request) throws -> JSONNode {
            guard let wire else { throw Violation("a daemon runs at rest") }
            let id = nextID
            nextID += 1
            wire.send(request.line(id: .number(id)))
            framer.append(try world.runToRest(reading: wire))
            while let frame = framer.next() {
                guard case .line(let bytes) = frame else { continue }
                let line = try JSONDocument(parsing: bytes).root
                guard line["id"]?.int == id else { continue }
                if let result = line["result"] { return result }
                throw Violation(
                    "at rest nothing is refused", String(decoding: bytes.prefix(400), as: UTF8.self))
            }
            throw Violation("every request is answered")
        }

        func close() { wire?.closeClient() }
    }

    private let world: EditorWorld

    init(_ world: EditorWorld) { self.world = world }

    func check() throws {
        let line = Line(world)
        _ = try line.call(.hello(Hello(clientName: "audit", clientVersion: "1", user: "audit")))
        let snapshot = try Snapshot(result: line.call(.getTrip(.id(EditorWorld.trip))))
        var touched: Set<ItemID> = []
        var removed: Set<ItemID> = []
        var before: Int?
        while true {
            let page = try line.call(
                .history(HistoryRequest(trip: .id(EditorWorld.trip), before: before, limit: 500)))
            let entries = page["entries"]?.elements.map { $0 } ?? []
            for entry in entries {
                for op in entry["ops"]?.elements.map({ $0 }) ?? [] {
                    guard let id = op["item"]?.string.flatMap(ItemID.init) else { continue }
                    touched.insert(id)
                    if op["op"]?.string == "remove" { removed.insert(id) }
                }
            }
            guard let last = entries.last?["version"]?.int, last > 2 else { break }
            before = last
        }
        line.close()
        try world.runToRest(reading: nil).isEmpty ? () : ()
        for editor in world.editors {
            try editor.check(against: snapshot.trip, touched: touched, removed: removed)
        }
    }
}
