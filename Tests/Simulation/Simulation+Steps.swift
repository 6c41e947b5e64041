import LocalSystem
import SimulatedSystem
import TripModel

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension Simulation {
    /// Runs one random step.
    func step() throws {
        clock.advance(milliseconds: random.below(3))
        world.trace.note("step", figures.steps)
        switch random.below(1000) {
        case ..<330: try act()
        case ..<500: carry()
        case ..<660: try read()
        case ..<810: daemon?.round()
        case ..<930: try write()
        case ..<945: stall()
        case ..<960: stalled = []
        case ..<972: try breakConnection()
        case ..<980: clock.advance(milliseconds: 20 + random.below(400))
        case ..<983: clock.advance(milliseconds: 5_000 + random.below(20_000))
        case ..<985: clock.setWall(by: random.below(7_200_000) - 5_400_000)
        case ..<992: makeTrouble()
        case ..<997: try crash()
        default: try stopInOrder()
        }
        if figures.steps == stormStep { try storm() }
        try checkAlarms()
    }

    func act() throws {
        for _ in 0..<(1 + random.below(4)) {
            try clients[random.below(clients.count)].act(isResting: false)
        }
    }

    /// Delivers some of the clients' bytes.
    func carry() {
        for (index, wire) in wires.enumerated() where !stalled.contains(index) && random.chance(60) {
            let count = wire.underWay.up
            guard count > 0 else { continue }
            let part = random.chance(70) ? count : 1 + random.below(count)
            wire.carry(part)
            world.trace.note("up", index, part)
        }
    }

    /// Lets a client read some of the daemon's bytes.
    func read() throws {
        for client in clients where random.chance(60) {
            guard client.isReading, let wire = client.wire,
                let index = wires.firstIndex(where: { $0 === wire }),
                !stalled.contains(index)
            else { continue }
            try read(client, wire, atMost: random.chance(70) ? .max : 1 + random.below(500))
        }
    }

    func read(_ client: any SimulatedClient, _ wire: SimulatedWire, atMost limit: Int) throws {
        let bytes = wire.receive(atMost: limit)
        if !bytes.isEmpty {
            world.trace.note("down", bytes.count)
            try client.receive(bytes)
        }
        if client.wire === wire, wire.isOver { try client.lose() }
    }

    /// Runs one iteration of the journals' writer, sometimes with iterations of the loop in its middle.
    func write() throws {
        guard let daemon else { return }
        letLoopInterrupt(daemon)
        if random.chance(10) { daemon.disk.fail("write", .short(1 + random.below(200))) }
        daemon.write()
        daemon.disk.stopCalling()
        try lookForUnsynced()
    }

    /// Sometimes runs an iteration of the loop within the writer's next one.
    ///
    /// - Parameter last: the disk call at which the process dies; messages sent before it may still arrive.
    func letLoopInterrupt(_ daemon: SimulatedDaemon, last: Int? = nil) {
        let loop = daemon.loop
        // The loop must not interrupt its own disk calls.
        let isInterrupting = Flag()
        @Sendable func interrupt() {
            if isInterrupting.isRaised { return }
            isInterrupting.raise()
            _ = loop.step()
            isInterrupting.lower()
        }
        if let last {
            let left = Countdown(last)
            return daemon.disk.onCall { _ in if left.next() >= 0 { interrupt() } }
        }
        if random.chance(30) {
            let left = Countdown(random.below(6))
            daemon.disk.onCall { _ in if left.next() == 0 { interrupt() } }
        }
    }

    private func stall() {
        guard !wires.isEmpty else { return }
        stalled.insert(random.below(wires.count))
    }

    private func breakConnection() throws {
        try clients[random.below(clients.count)].close(orderly: random.chance(40))
    }

    func checkAlarms() throws {
        for line in alarms.takeSaid() { world.trace.say("the daemon says: \(line)") }
        let alarm = alarms.first
        if let alarm { throw Violation("no trip is lost", alarm) }
        wires.removeAll { wire in wire.isServerClosed && !clients.contains { $0.wire === wire } }
        if stalled.contains(where: { $0 >= wires.count }) { stalled = [] }
    }
}
