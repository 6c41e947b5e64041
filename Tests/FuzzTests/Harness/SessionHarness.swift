import JSONLine
import LocalSystem
import SimulatedSystem
import TestSupport
import TripModel
import TripProtocol
import TripServer

@testable import Simulation

/// A daemon with its connections in one process and in virtual time, on a disk that never fails; see
/// `SessionCommand`.
enum SessionHarness {
    static func run(_ text: [UInt8]) throws(Finding) {
        let world = try SessionWorld()
        for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            try world.carryOut(SessionCommand(line))
        }
        try world.finish()
    }
}

/// The state of one run.
private final class SessionWorld {
    private let clock = SimulatedClock()
    private let past = SessionPast()
    private var disk = SimulatedDisk()
    private var daemon: SimulatedDaemon
    private var lives = 1
    private var peers: [SessionPeer?] = Array(repeating: nil, count: SessionCommand.connectionCount)
    /// Former connections whose names were reused.
    private var former: [SessionPeer] = []
    /// Whether a client has asked this daemon to shut down.
    private var mayStop = false

    init() throws(Finding) {
        daemon = try Self.start(disk, clock, life: 1)
    }

    private static func start(
        _ disk: SimulatedDisk, _ clock: SimulatedClock, life: Int
    ) throws(Finding) -> SimulatedDaemon {
        do throws(SystemError) {
            return try SimulatedDaemon(
                on: disk, .plain, clock: clock, seed: UInt64(life), life: life, powerCuts: 0, log: { _ in })
        } catch {
            throw Finding("a daemon starts on what a daemon has left", "\(error)")
        }
    }

    func carryOut(_ command: SessionCommand) throws(Finding) {
        switch command {
        case .send(let connection, let bytes): try peer(connection).send(bytes)
        case .request(let connection, let method, let params): try peer(connection).request(method, params)
        case .randomChanges(let connection, let seed):
            var changes = RandomChanges(seed: seed)
            for _ in 0..<16 {
                let (method, params) = changes.request(drag: "$drag", batch: "$batch")
                try peer(connection).request(method, Array(params.utf8)[...])
            }
        case .shut(let connection): peers[connection]?.shut()
        case .reset(let connection): peers[connection]?.reset()
        case .toggleReading(let connection): try peer(connection).isReading.toggle()
        case .rest: try runToRest()
        case .round: try round()
        case .wait(let milliseconds): clock.advance(milliseconds: milliseconds)
        case .restart: try restart()
        case .powerCut: try cutPower()
        }
        mayStop = mayStop || all.contains(where: \.hasAskedToStop)
    }

    /// The connection of a name; a new one if there is none or the last one has ended.
    private func peer(_ connection: Int) throws(Finding) -> SessionPeer {
        if let peer = peers[connection] {
            if !peer.isOver { return peer }
            former.append(peer)
        }
        // Two read everything at once, and two a little at a time.
        let wire = SimulatedWire(capacity: connection < 2 ? 1 << 20 : 300)
        daemon.kernel.connect(wire)
        let peer = SessionPeer(wire, past)
        peers[connection] = peer
        return peer
    }

    private var all: [SessionPeer] { former + peers.compactMap(\.self) }

    private func round() throws(Finding) {
        for peer in all { peer.wire.carry(.max) }
        daemon.round()
        for peer in all { try peer.read() }
    }

    /// Delivers and processes everything until nothing is left to do.
    private func runToRest() throws(Finding) {
        var timeout = 20_000
        repeat {
            try round()
            daemon.write()
            for peer in all { try peer.read() }
            timeout -= 1
            if timeout == 0 { throw Finding("a daemon with nothing to do does nothing") }
        } while !isQuiet
        if mayStop { return try restart() }
        for peer in all { try peer.checkAtRest() }
        former.removeAll { $0.isBroken || $0.wire.isOver }
    }

    private var isQuiet: Bool {
        daemon.loop.isIdle && !daemon.kernel.hasEvents && daemon.core.writer.pendingByteCount == 0
            && all.allSatisfy { peer in
                let underWay = peer.wire.underWay
                return peer.isBroken || underWay.up == 0 && (underWay.down == 0 || !peer.isReading)
            }
    }

    // MARK: Ends of the daemon

    private func restart() throws(Finding) {
        daemon.askToStop()
        var timeout = 5_000
        while !daemon.isDrained {
            try round()
            daemon.write()
            clock.advance(milliseconds: 10)
            timeout -= 1
            if timeout == 0 { throw Finding("a daemon that is asked to stop does, in 50 seconds") }
        }
        daemon.core.writer.close()
        while !daemon.isWriterDone { daemon.write() }
        for peer in all { try peer.read() }
        try startAgain(disk.afterKill())
    }

    /// Each power cut loses a different part of the unsynced state.
    private func cutPower() throws(Finding) {
        let crashes = SimulatedDisk.Crash.allCases
        try startAgain(disk.afterCrash(crashes[lives % crashes.count]))
    }

    private func startAgain(_ remains: SimulatedDisk) throws(Finding) {
        daemon.end()
        for peer in all { peer.loseServer() }
        peers = Array(repeating: nil, count: peers.count)
        former = []
        mayStop = false
        disk = remains
        lives += 1
        daemon = try Self.start(disk, clock, life: lives)
    }

    // MARK: At the end

    /// Every request must be answered, every history must have every version, and nothing may change after a
    /// power cut.
    func finish() throws(Finding) {
        defer { daemon.end() }
        for peer in all where !peer.isReading { peer.isReading = true }
        try runToRest()
        let before = try audit()
        try cutPower()
        let after = try audit()
        try Finding.unless(
            before == after, "every state that was sent is on the disk",
            "\(before.count) and \(after.count) trips")
    }

    /// The state of each trip.
    private func audit() throws(Finding) -> [String: [UInt8]] {
        let desk = AuditDesk(SimulatedWire(capacity: 1 << 20))
        daemon.kernel.connect(desk.wire)
        _ = try ask(.hello(Hello(clientName: "audit", clientVersion: "1", user: "audit")), desk)
        let rows = try ask(.listTrips, desk)["trips"]?.elements.compactMap { $0["id"]?.string } ?? []
        try Finding.unless(Set(rows).count == rows.count, "a list names each trip once")
        var states: [String: [UInt8]] = [:]
        for row in rows {
            guard let trip = TripID(row) else { throw Finding("a trip has an id", row) }
            let (_, state) = try past.saw(ask(.getTrip(.id(trip)), desk))
            try Finding.unless(
                state.version >= past.highest(of: state.epoch), "no version that was sent is lost",
                "\(state.version) of \(past.highest(of: state.epoch))")
            for peer in all { try peer.checkHolds(trip, state.epoch, state.version) }
            states[row + state.epoch] = state.content + Array("\(state.version)".utf8)
            let history = try ask(.history(HistoryRequest(trip: .id(trip), before: nil, limit: 500)), desk)
            let versions = history["entries"]?.elements.compactMap { $0["version"]?.int } ?? []
            try Finding.unless(
                zip(versions, versions.dropFirst()).allSatisfy { $0 == $1 + 1 }
                    && versions.first ?? state.version == state.version,
                "versions grow by one", "\(versions)")
        }
        desk.wire.closeClient()
        try runToRest()
        return states
    }

    /// A connection that sends a request and waits for its answer.
    private final class AuditDesk {
        let wire: SimulatedWire
        var framer = LineFramer(limit: 1 << 28)
        var nextID = 1

        init(_ wire: SimulatedWire) { self.wire = wire }
    }

    private func ask(_ request: Request, _ desk: AuditDesk) throws(Finding) -> JSONNode {
        let id = desk.nextID
        desk.nextID += 1
        desk.wire.send(request.line(id: .number(id)))
        var timeout = 20_000
        while timeout > 0 {
            timeout -= 1
            desk.wire.carry(.max)
            try round()
            daemon.write()
            desk.framer.append(desk.wire.receive(atMost: .max))
            while let frame = desk.framer.next() {
                guard case .line(let bytes) = frame, let line = try? JSONDocument(parsing: bytes).root,
                    line["id"]?.int == id
                else { continue }
                guard let result = line["result"] else {
                    throw Finding("at rest nothing is refused", String(decoding: bytes, as: UTF8.self))
                }
                return result
            }
        }
        throw Finding("at rest everything is answered", "\(request)")
    }
}
