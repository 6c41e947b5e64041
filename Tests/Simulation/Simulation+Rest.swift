import JSONLine
import LocalSystem
import TripModel
import TripProtocol

extension Simulation {
    /// The longest time that a request may be unanswered while nothing blocks it.
    private static let timeout = Duration.seconds(10)
    /// The longest time until all clients have finished.
    private static let restTimeout = Duration.seconds(120)

    /// Ends all trouble, lets all clients finish, and checks the final state.
    func rest() throws {
        figures.rests += 1
        world.trace.note("rest")
        stalled = []
        for client in clients { client.comeBack() }
        if scenario.runsOutOfDescriptors {
            daemon?.setOutOfDescriptors(false)
            // The daemon retries to accept a fifth of a second after it failed.
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
            try runToRest()
            passTime()
            try checkTimeouts(since: began)
            if mayMistrust, world.now - began > Self.timeout * 2 {
                // After a disk failure a client does not trust the daemon before it has reconnected.
                mayMistrust = false
                for client in clients where client.unfinished != nil { try client.close(orderly: true) }
            }
        } while clients.contains { $0.unfinished != nil }
        // Presence is delayed by at most a tenth of a second.
        clock.advance(milliseconds: 120)
        try runToRest()
        for trip in Self.trips { try Audit(self, trip).check() }
        if scenario.hasPerson { try Audit(self, Person.trip).check() }
        if scenario.hasNomads { try Audit(self, Nomad.trips[0]).checkBook() }
        try checkCopies()
    }

    /// Checks that each request is answered in time, unless its connection has ended.
    private func checkTimeouts(since began: Duration) throws {
        for client in clients {
            guard let asked = client.waitsSince, world.now - max(asked, began) > Self.timeout else {
                continue
            }
            throw Violation(
                "a request is answered, or its connection ended, within \(Self.timeout)",
                client.unfinished ?? client.name)
        }
        if world.now - began > Self.restTimeout {
            throw Violation(
                "all clients become idle", clients.compactMap(\.unfinished).joined(separator: "; "))
        }
    }

    /// Checks that a damaged journal was saved only once.
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

    /// Advances the clock to the next deadline of a client: at least a little, and not by long.
    private func passTime() {
        let now = Duration.nanoseconds(clock.nanoseconds)
        let waits = clients.compactMap(\.deadline).min().map { Int(($0 - now) / .milliseconds(1)) } ?? 15
        clock.advance(milliseconds: min(max(waits, 15), 1000))
    }

    /// Delivers and processes everything until nothing is left to do.
    ///
    /// - Returns: the bytes received on `other`, a wire of no client.
    @discardableResult
    func runToRest(reading other: SimulatedWire? = nil) throws -> [UInt8] {
        guard let daemon else { return [] }
        var bytes: [UInt8] = []
        var timeout = 5_000
        repeat {
            for wire in wires { wire.carry(.max) }
            daemon.round()
            daemon.write()
            try daemon.checkSteps()
            try lookForUnsynced()
            for client in clients where client.isReading {
                if let wire = client.wire { try read(client, wire, atMost: .max) }
            }
            if let other { bytes += other.receive(atMost: .max) }
            try checkAlarms()
            timeout -= 1
            if timeout == 0 { throw Violation("a daemon with nothing to do does nothing", noise(daemon)) }
        } while !isQuiet(daemon)
        return bytes
    }

    private func noise(_ daemon: SimulatedDaemon) -> String {
        "loop idle: \(daemon.loop.isIdle), events: \(daemon.kernel.hasEvents), writer idle: "
            + "\(daemon.core.writer.isIdle), all idle: \(daemon.isQuiet), under way: \(wires.map(\.underWay))"
    }

    private func isUnread(_ wire: SimulatedWire) -> Bool {
        clients.contains { $0.wire === wire && !$0.isReading }
    }

    private func isQuiet(_ daemon: SimulatedDaemon) -> Bool {
        daemon.isQuiet
            && wires.allSatisfy { $0.underWay.up == 0 && ($0.underWay.down == 0 || isUnread($0)) }
    }
}
