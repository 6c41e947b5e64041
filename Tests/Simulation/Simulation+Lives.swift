import LocalSystem
import SimulatedSystem
import TripModel

extension Simulation {
    /// Starts the daemon on what the disk holds.
    func start() throws {
        lives += 1
        isDiskSpoilt = false
        unsyncedSince = nil
        isUnsyncedFromBefore = true
        // Now and then the power goes while it starts.
        if random.chance(5), lives > 1 {
            disk.stop(after: random.below(30))
            if let broken = try? makeDaemon(alarms: false) { broken.end() }
            cutPower()
            return try start()
        }
        do throws(SystemError) {
            daemon = try makeDaemon(alarms: true)
        } catch {
            throw Violation("a daemon starts on what a daemon has left", "\(error)")
        }
        world.trace.note("start", lives)
    }

    private func makeDaemon(alarms: Bool) throws(SystemError) -> SimulatedDaemon {
        let heard = self.alarms
        return try SimulatedDaemon(
            on: disk, scenario, clock: clock, seed: random.next(), life: lives, powerCuts: figures.powerCuts
        ) { line in
            if alarms { heard.hear(line.message) }
        }
    }

    /// The process dies, or the power goes, at any moment of the writer's work.
    func crash() throws {
        guard let daemon else { return }
        figures.crashes += 1
        if random.chance(70) {
            carry()
            daemon.round()
            let calls = random.below(6)
            disk.stop(after: calls)
            world.trace.note("dies in the writer", calls)
            if random.chance(80) { letLoopInterrupt(daemon, last: calls) }
            daemon.write()
            if random.chance(70) { try read() }
        }
        let isPowerCut = random.chance(70)
        world.trace.note("crash", isPowerCut ? 1 : 0)
        end(keepingBytes: !isPowerCut)
        if isPowerCut {
            cutPower()
        } else {
            disk = disk.afterKill()
        }
        try start()
    }

    private func cutPower() {
        figures.powerCuts += 1
        disk = disk.afterPowerCut(using: &random)
        guard scenario.durability == .relaxed else { return }
        // What was told after the last sync may be gone, and is told to nobody later.
        for wire in wires { wire.loseServer(keeping: 0) }
        world.powerCuts += 1
        world.oracle.powerWasCut()
        world.book.powerWasCut()
    }

    /// The daemon ends as SIGTERM has it.
    func stopInOrder() throws {
        guard let daemon else { return }
        figures.restarts += 1
        world.trace.note("stop")
        if scenario.runsOutOfDescriptors, random.chance(40) {
            daemon.setOutOfDescriptors(true)
            world.hasFaults = true
            // Somebody wants to come in, and cannot.
            _ = world.connect()
            daemon.round()
        }
        daemon.askToStop()
        var patience = 2_000
        while !daemon.isDrained {
            carry()
            daemon.round()
            daemon.write()
            try read()
            clock.advance(milliseconds: 10)
            patience -= 1
            if patience == 0 { throw Violation("a daemon that is asked to stop does, in 5 seconds") }
        }
        daemon.core.writer.close()
        while !daemon.isWriterDone { daemon.write() }
        end(keepingBytes: true)
        disk = disk.afterKill()
        try start()
    }

    private func end(keepingBytes: Bool) {
        daemon?.end()
        daemon = nil
        for wire in wires {
            wire.loseServer(keeping: keepingBytes ? .max : random.below(wire.underWay.down + 1))
        }
    }
}
