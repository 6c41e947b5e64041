import JSONLine
import LocalSystem
import SimulatedSystem
import TerminalCore
import TestSupport
import TripMaintenance
import TripModel
import TripProtocol
import TripServer

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Two full-screen editors and a plain one, each with a simulated user, on the real client core and daemon.
/// Connections are cut and delayed; the daemon is stopped, killed and restored from a backup. Everything
/// follows from a seed.
package final class EditorWorld {
    /// Counters of a run.
    package struct Figures: Sendable {
        package var seeds = 0
        package var steps = 0
        /// Keys and lines typed by users.
        package var inputs = 0
        package var changes = 0
        /// Changes reported to their users as failed or perhaps failed.
        package var refused = 0
        package var unknown = 0
        package var quits = 0
        package var cuts = 0
        package var lives = 0
        package var restores = 0
        package var rests = 0
        /// The sum of the hashes of all runs: equal runs have equal sums.
        package var hash: UInt64 = 0

        package init() {}

        package static func += (sum: inout Figures, other: Figures) {
            sum.seeds += other.seeds
            sum.steps += other.steps
            sum.inputs += other.inputs
            sum.changes += other.changes
            sum.refused += other.refused
            sum.unknown += other.unknown
            sum.quits += other.quits
            sum.cuts += other.cuts
            sum.lives += other.lives
            sum.restores += other.restores
            sum.rests += other.rests
            sum.hash &+= other.hash
        }
    }

    /// The result of a run.
    package struct Outcome: Sendable {
        package let figures: Figures
        package let failure: String?
        package let trace: [String]
    }

    static let trip = TripID(high: 0x4000, low: 0x8000_0000_0000_0001)
    package static let defaultSteps = 1200

    let seed: UInt64
    var random: SplitMix64
    let clock = SimulatedClock()
    var disk = SimulatedDisk()
    var daemon: SimulatedDaemon?
    var wires: [SimulatedWire] = []
    var editors: [SimulatedEditor] = []
    var figures = Figures()
    var trace: Trace
    /// An export of the trip, for a restore.
    private var backup: [UInt8]?
    private var isDiskSpoilt = false
    private var isDaemonWanted = true

    private init(seed: UInt64, isTraced: Bool) {
        self.seed = seed
        random = SplitMix64(seed: seed)
        trace = Trace(isKept: isTraced)
    }

    /// Runs a seed for a number of steps, and then to rest.
    package static func run(
        seed: UInt64, steps: Int = defaultSteps, isTraced: Bool = false
    ) -> Outcome {
        let world = EditorWorld(seed: seed, isTraced: isTraced)
        let replay = "swift run simulate --editors --start \(seed) --seeds 1 --steps \(steps) --trace"
        LastWords.prepare(seed, replay: replay)
        defer { LastWords.end() }
        var failure: String?
        do { try world.run(steps) } catch {
            let violation = error as? Violation ?? Violation("nothing goes wrong unseen", "\(error)")
            failure = """
                seed \(seed), step \(world.figures.steps): \(violation.invariant)
                  \(violation.facts)
                  replay: \(replay)
                """
        }
        world.daemon?.end()
        world.figures.seeds = 1
        world.figures.hash = world.trace.hash
        return Outcome(figures: world.figures, failure: failure, trace: world.trace.lines)
    }

    private func run(_ steps: Int) throws {
        try start()
        try createTrip()
        for index in 0..<3 {
            editors.append(SimulatedEditor(index, world: self, random: SplitMix64(seed: random.next())))
        }
        for step in 1...steps {
            figures.steps = step
            LastWords.note(step: step)
            try self.step()
            if step == steps / 2 { try rest() }
        }
        try rest()
    }

    var now: Duration { .nanoseconds(clock.nanoseconds) }

    func connect() -> SimulatedWire? {
        guard let daemon else { return nil }
        let wire = SimulatedWire(capacity: 200 << random.below(8))
        wires.append(wire)
        daemon.kernel.connect(wire)
        return wire
    }

    // MARK: Steps

    private func step() throws {
        clock.advance(milliseconds: random.below(4))
        switch random.below(1000) {
        case ..<420: try editors[random.below(editors.count)].act()
        case ..<560: carry(.max)
        case ..<720: for editor in editors where random.chance(70) { try editor.read() }
        case ..<840: daemon?.round()
        case ..<950: daemon?.write()
        case ..<958: try editors[random.below(editors.count)].cut(keeping: random.below(2000))
        case ..<968: clock.advance(milliseconds: 20 + random.below(500))
        case ..<974: clock.advance(milliseconds: 2_000 + random.below(40_000))
        case ..<982: failDisk()
        case ..<986: try kill()
        case ..<989: try stop()
        case ..<993: if daemon == nil { try start() }
        case ..<997: backUp()
        default: try restore()
        }
        for editor in editors { try editor.tick() }
    }

    private func carry(_ limit: Int) {
        for wire in wires where random.chance(70) {
            wire.carry(random.chance(80) ? limit : 1 + random.below(400))
        }
        wires.removeAll { wire in wire.isServerClosed && !editors.contains { $0.wire === wire } }
    }

    private func failDisk() {
        guard let daemon else { return }
        trace.say("the disk fails")
        isDiskSpoilt = true
        daemon.disk.fail("syncData", .error(EIO), skip: random.below(2))
    }

    // MARK: Lifecycle of the daemon

    private func start() throws {
        figures.lives += 1
        isDiskSpoilt = false
        trace.say("a daemon starts")
        daemon = try SimulatedDaemon(
            on: disk, .plain, clock: clock, seed: random.next(), life: figures.lives, powerCuts: 0,
            log: { _ in })
    }

    private func end() {
        daemon?.end()
        daemon = nil
        for wire in wires { wire.loseServer(keeping: random.below(wire.underWay.down + 1)) }
    }

    private func kill() throws {
        guard daemon != nil else { return }
        trace.say("the daemon is killed")
        end()
        disk = disk.afterKill()
        if random.chance(60) { try start() }
    }

    /// Stops the daemon cleanly, sometimes without starting it again at once.
    private func stop() throws {
        guard let daemon else { return }
        trace.say("the daemon is stopped")
        daemon.askToStop()
        var timeout = 4_000
        while !daemon.isDrained, timeout > 0 {
            carry(.max)
            daemon.round()
            daemon.write()
            for editor in editors { try editor.read() }
            clock.advance(milliseconds: 5)
            timeout -= 1
        }
        daemon.core.writer.close()
        while !daemon.isWriterDone { daemon.write() }
        end()
        disk = disk.afterKill()
        if random.chance(60) { try start() }
    }

    private func backUp() {
        guard daemon != nil, !isDiskSpoilt else { return }
        backup = try? DataDirectory("/data", in: disk).export(Self.trip).bytes
        trace.say("a backup is made: \(backup?.count ?? 0) bytes")
    }

    /// Restores the backup, which begins a new epoch.
    private func restore() throws {
        guard let bytes = backup else { return }
        if daemon != nil {
            end()
            disk = disk.afterKill()
        }
        let source = Guarded(SplitMix64(seed: random.next()))
        let directory = DataDirectory(
            "/data", in: disk, random: RandomSource { source.withLock { $0.next() } })
        let file = "/data/backup\(figures.lives)"
        var options = DataDirectory.Restore()
        options.replaces = true
        do throws(MaintenanceFailure) {
            try directory.write(bytes, to: file)
            let restored = try directory.restore(file, options)
            trace.say("version \(restored.version) is restored")
        } catch {
            throw Violation("a backup can be restored", "\(error)")
        }
        figures.restores += 1
        for editor in editors { editor.noteRestore() }
        disk = disk.afterKill()
        try start()
    }

    // MARK: Rest

    /// Ends all trouble, lets all users finish, and checks every screen and report.
    private func rest() throws {
        figures.rests += 1
        trace.say("rest")
        if isDiskSpoilt { try stop() }
        if daemon == nil { try start() }
        var timeout = 3_000
        repeat {
            for editor in editors { try editor.finish() }
            try runToRest()
            clock.advance(milliseconds: editors.contains { $0.isHurried } ? 40 : 700)
            for editor in editors { try editor.tick() }
            timeout -= 1
            if timeout == 0 {
                throw Violation(
                    "all clients become idle", editors.compactMap(\.unfinished).joined(separator: "; "))
            }
        } while editors.contains { $0.unfinished != nil }
        clock.advance(milliseconds: 150)
        try runToRest()
        try EditorAudit(self).check()
    }

    /// Delivers and processes everything until nothing is left to do.
    func runToRest(reading other: SimulatedWire? = nil) throws -> [UInt8] {
        guard let daemon else { return [] }
        var bytes: [UInt8] = []
        var timeout = 5_000
        repeat {
            for wire in wires { wire.carry(.max) }
            daemon.round()
            daemon.write()
            for editor in editors { try editor.read() }
            // Unread bytes on a connection that its client has left are dropped.
            wires.removeAll { wire in
                wire.isServerClosed && wire !== other && !editors.contains { $0.wire === wire }
            }
            if let other { bytes += other.receive(atMost: .max) }
            timeout -= 1
            if timeout == 0 { throw Violation("a daemon with nothing to do does nothing") }
        } while !(daemon.isQuiet && wires.allSatisfy { $0.underWay == (0, 0) })
        return bytes
    }

    private func runToRest() throws { _ = try runToRest(reading: nil) }

    private func createTrip() throws {
        let wire = EditorAudit.Line(self)
        _ = try wire.call(.hello(Hello(clientName: "maker", clientVersion: "1", user: "maker")))
        _ = try wire.call(.createTrip(RawClient.draft(of: Self.trip)))
        wire.close()
        try runToRest()
    }
}
