import JSONLine
import LocalSystem
import TripModel
import TripProtocol

extension Simulation {
    /// Ends all trouble, lets everybody finish, and looks whether all is as it must be.
    func rest() throws {
        figures.rests += 1
        world.trace.note("rest")
        stalled = []
        disk.heal()
        if isDiskSpoilt { try stopInOrder() }
        var patience = 600
        repeat {
            for client in clients { try client.act(isResting: true) }
            try settle()
            passTime()
            patience -= 1
            if patience == 0 {
                throw Violation(
                    "everybody comes to rest", clients.compactMap(\.unfinished).joined(separator: "; "))
            }
        } while clients.contains { $0.unfinished != nil }
        // Presence waits a tenth of a second at most.
        clock.advance(milliseconds: 120)
        try settle()
        for trip in Self.trips { try Audit(self, trip).check() }
    }

    /// Until somebody wants to act, a little at least and not for long.
    private func passTime() {
        let now = Duration.nanoseconds(clock.nanoseconds)
        let waits = clients.compactMap(\.deadline).min().map { Int(($0 - now) / .milliseconds(1)) } ?? 15
        clock.advance(milliseconds: min(max(waits, 15), 1000))
    }

    /// Lets everything travel and be done until nothing is left to do.
    ///
    /// - Returns: what came on a wire that belongs to no client.
    @discardableResult
    func settle(reading other: SimulatedWire? = nil) throws -> [UInt8] {
        guard let daemon else { return [] }
        var bytes: [UInt8] = []
        var patience = 5_000
        repeat {
            for wire in wires { wire.carry(.max) }
            daemon.round()
            daemon.write()
            for client in clients {
                if let wire = client.wire { try read(client, wire, atMost: .max) }
            }
            if let other { bytes += other.receive(atMost: .max) }
            try checkAlarms()
            patience -= 1
            if patience == 0 { throw Violation("a daemon with nothing to do does nothing", noise(daemon)) }
        } while !isQuiet(daemon)
        return bytes
    }

    private func noise(_ daemon: SimulatedDaemon) -> String {
        "loop idle: \(daemon.loop.isIdle), events: \(daemon.kernel.hasEvents), bytes to write: "
            + "\(daemon.core.writer.pendingByteCount), under way: \(wires.map(\.underWay))"
    }

    private func isQuiet(_ daemon: SimulatedDaemon) -> Bool {
        daemon.loop.isIdle && !daemon.kernel.hasEvents && daemon.core.writer.pendingByteCount == 0
            && wires.allSatisfy { $0.underWay == (0, 0) }
    }
}
