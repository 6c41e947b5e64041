import JSONLine
import LocalSystem
import TripModel
import TripProtocol

extension Simulation {
    /// How long a request may be without its answer while nothing stands in the way.
    private static let patience = Duration.seconds(10)
    /// How long it may take until everybody has asked and heard what is left.
    private static let longPatience = Duration.seconds(120)

    /// Ends all trouble, lets everybody finish, and looks whether all is as it must be.
    func rest() throws {
        figures.rests += 1
        world.trace.note("rest")
        stalled = []
        for client in clients { client.comeBack() }
        if scenario.runsOutOfDescriptors {
            daemon?.setOutOfDescriptors(false)
            // It looks again a fifth of a second after it could accept nobody.
            clock.advance(milliseconds: 250)
        }
        if scenario.isDiskTight, !isDiskSpoilt { try NearlyFullDisk(self).check() }
        disk.heal()
        disk.leave(room: nil)
        if isDiskSpoilt { try stopInOrder() }
        let began = world.now
        var mayMistrust = world.hasFaults
        repeat {
            for client in clients { try client.act(isResting: true) }
            try settle()
            passTime()
            try checkPatience(since: began)
            if mayMistrust, world.now - began > Self.patience * 2 {
                // A client does not believe a daemon whose disk has failed before it has connected anew.
                mayMistrust = false
                for client in clients where client.unfinished != nil { try client.close(orderly: true) }
            }
        } while clients.contains { $0.unfinished != nil }
        // Presence waits a tenth of a second at most.
        clock.advance(milliseconds: 120)
        try settle()
        for trip in Self.trips { try Audit(self, trip).check() }
        if scenario.hasPerson { try Audit(self, Person.trip).check() }
        if scenario.hasNomads { try Audit(self, Nomad.trips[0]).checkBook() }
        try checkCopies()
    }

    /// A request is answered, or its connection ended.
    private func checkPatience(since began: Duration) throws {
        for client in clients {
            guard let asked = client.waitsSince, world.now - max(asked, began) > Self.patience else {
                continue
            }
            throw Violation(
                "a request is answered, or its connection ended, within \(Self.patience)",
                client.unfinished ?? client.name)
        }
        if world.now - began > Self.longPatience {
            throw Violation(
                "everybody comes to rest", clients.compactMap(\.unfinished).joined(separator: "; "))
        }
    }

    /// A damaged journal is kept once.
    private func checkCopies() throws {
        guard let disk = daemon?.disk else { return }
        for trip in disk.names(in: "/data/trips") ?? [] {
            let directory = "/data/trips/" + trip
            let names = (disk.names(in: directory) ?? []).filter { $0.hasPrefix("journal.torn-") }
            let copies = Set(names.compactMap { disk[directory + "/" + $0] })
            if copies.count < names.count {
                throw Violation("a torn journal is kept once", "\(trip): \(names)")
            }
        }
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
            try lookForUnsynced()
            for client in clients where client.isReading {
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

    private func isUnread(_ wire: SimulatedWire) -> Bool {
        clients.contains { $0.wire === wire && !$0.isReading }
    }

    private func isQuiet(_ daemon: SimulatedDaemon) -> Bool {
        daemon.loop.isIdle && !daemon.kernel.hasEvents && daemon.core.writer.pendingByteCount == 0
            && wires.allSatisfy { $0.underWay.up == 0 && ($0.underWay.down == 0 || isUnread($0)) }
    }
}
