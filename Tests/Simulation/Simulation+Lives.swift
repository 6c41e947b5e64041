import LocalSystem
import SimulatedSystem
import TripModel

extension Simulation {
    /// Starts the daemon with the contents of the disk.
    func start() throws {
        lives += 1
        isDiskSpoilt = false
        unsyncedSince = nil
        isUnsyncedFromBefore = true
        // Sometimes the power fails during the start.
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

    /// Kills the process or cuts the power, at any call of the writer.
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
        // Messages sent after the last sync may describe lost state. They are discarded, so that no client
        // receives them later.
        for wire in wires { wire.loseServer(keeping: 0) }
        world.powerCuts += 1
        world.oracle.powerWasCut()
        world.book.powerWasCut()
    }

    /// Stops the daemon cleanly, as SIGTERM does.
    func stopInOrder() throws {
        guard let daemon else { return }
        figures.restarts += 1
        world.trace.note("stop")
        if scenario.runsOutOfDescriptors, random.chance(40) {
            daemon.setOutOfDescriptors(true)
            world.hasFaults = true
            // A client tries to connect, which must fail.
            _ = world.connect()
            daemon.round()
        }
        daemon.askToStop()
        var timeout = 2_000
        while !daemon.isDrained {
            carry()
            daemon.round()
            daemon.write()
            try read()
            clock.advance(milliseconds: 10)
            timeout -= 1
            if timeout == 0 { throw Violation("a daemon that is asked to stop does, in 5 seconds") }
        }
        daemon.core.writer.close()
        while !daemon.isWriterDone { daemon.write() }
        end(keepingBytes: true)
        disk = disk.afterKill()
        try start()
    }

    private func end(keepingBytes: Bool) {
        daemon?.end()
        figures.include(daemon?.longest.step)
        daemon = nil
        for wire in wires {
            wire.loseServer(keeping: keepingBytes ? .max : random.below(wire.underWay.down + 1))
        }
    }
}
