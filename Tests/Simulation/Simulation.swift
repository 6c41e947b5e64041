import LocalSystem
import SimulatedSystem
import TestSupport
import TripModel
import TripServer

/// A daemon and ten clients in one process, and a scheduler whose decisions follow from a seed.
///
/// Everything runs on the calling thread, in virtual time. Equal seeds give equal runs.
package final class Simulation {
    /// Counters of a run.
    package struct Figures: Sendable {
        package var seeds = 0
        package var steps = 0
        package var commits = 0
        package var drags = 0
        /// Ended connections.
        package var drops = 0
        /// Clean shutdowns of the daemon.
        package var restarts = 0
        /// Kills of the daemon and power cuts.
        package var crashes = 0
        package var powerCuts = 0
        package var diskFaults = 0
        package var rests = 0
        package var compactions = 0
        /// Deleted trips.
        package var deletions = 0
        /// The longest step of the daemon's event loop, in units of `Work`.
        package var longestStep: (name: String, units: Int) = ("none", 0)

        /// Includes the steps of a daemon that ends.
        mutating func include(_ step: (name: String, units: Int)?) {
            if let step, step.units > longestStep.units { longestStep = step }
        }

        package init() {}

        package static func += (sum: inout Figures, other: Figures) {
            sum.seeds += other.seeds
            sum.steps += other.steps
            sum.commits += other.commits
            sum.drags += other.drags
            sum.drops += other.drops
            sum.restarts += other.restarts
            sum.crashes += other.crashes
            sum.powerCuts += other.powerCuts
            sum.diskFaults += other.diskFaults
            sum.rests += other.rests
            sum.compactions += other.compactions
            sum.deletions += other.deletions
            sum.include(other.longestStep)
        }
    }

    /// The result of a run.
    package struct Outcome: Sendable {
        package let figures: Figures
        /// Equal for equal runs.
        package let hash: UInt64
        package let failure: SimulationFailure?
        package let trace: [String]
    }

    /// The number of clients in every run.
    static let clientCount = 10
    static let trips = [
        TripID(high: 0x4000, low: 0x8000_0000_0000_0001), TripID(high: 0x4000, low: 0x8000_0000_0000_0002),
    ]

    let seed: UInt64
    let scenario: Scenario
    var random: SplitMix64
    let clock = SimulatedClock()
    let world: ClientWorld
    let clients: [any SimulatedClient]
    /// The clients that belong to one user.
    let seats: [Seat]
    var disk = SimulatedDisk()
    var daemon: SimulatedDaemon?
    /// All connections that are open at one end at least.
    var wires: [SimulatedWire] = []
    /// Connections that transfer nothing now, by their indexes in `wires`.
    var stalled: Set<Int> = []
    var figures = Figures()
    var lives = 0
    /// Whether the disk of this daemon process has failed permanently, or is about to.
    var isDiskSpoilt = false
    /// Whether the extra trips exist that enlarge the daemon's catalogue.
    var hasBallast = false
    /// The first moment at which unsynced data was seen.
    var unsyncedSince: Duration?
    /// Whether a killed daemon has left unsynced data, which is synced when its trip is opened.
    var isUnsyncedFromBefore = false
    /// Messages that a correct daemon does not log.
    let alarms = Alarms()

    /// The step at which hundreds of changes are sent at once; 0 for never.
    let stormStep: Int

    init(seed: UInt64, steps: Int, _ breadth: Breadth, isTraced: Bool) {
        self.seed = seed
        var random = SplitMix64(seed: seed)
        let scenario = Scenario(breadth, using: &random)
        self.scenario = scenario
        let world = ClientWorld(clock: clock, trace: Trace(isKept: isTraced))
        self.world = world
        var clients = (0..<Self.clientCount).map { index -> any SimulatedClient in
            let trip = Self.trips[index < 7 ? 0 : 1]
            let random = SplitMix64(seed: random.next())
            // A third are full client cores; the others check every byte.
            guard [0, 1, 6, 7].contains(index) else {
                return CoreClient(index, trip: trip, world: world, random: random)
            }
            return RawClient(
                index, trip: trip, isViewer: index == 6, makesTrip: index == 0 || index == 7, world: world,
                random: random)
        }
        if scenario.hasGuests {
            for index in 10..<13 {
                clients.append(
                    RawClient(
                        index, trip: Self.trips[index % 2], isViewer: true, isGuest: true, world: world,
                        random: SplitMix64(seed: random.next())))
            }
        }
        if scenario.hasNomads {
            for index in 0..<2 {
                clients.append(Nomad(index, world: world, random: SplitMix64(seed: random.next())))
            }
        }
        let person = Person(Person.draft(scenario.weight), world: world)
        seats = (0..<(scenario.hasPerson ? 3 : 0)).map { index in
            Seat(index, of: person, world: world, random: SplitMix64(seed: random.next()))
        }
        clients += seats
        if scenario.weight != .light {
            clients.append(HeavyClient(world: world, random: SplitMix64(seed: random.next())))
        }
        self.clients = clients
        stormStep = scenario.hasStorm ? steps / 4 + random.below(max(1, steps / 2)) : 0
        self.random = random
    }

    /// Runs a seed for a number of steps, and then to rest.
    package static func run(
        seed: UInt64, steps: Int = defaultSteps, breadth: Breadth = .mixed, isTraced: Bool = false
    ) -> Outcome {
        LastWords.prepare(seed, steps, breadth)
        defer { LastWords.end() }
        let simulation = Simulation(seed: seed, steps: steps, breadth, isTraced: isTraced)
        var failure: SimulationFailure?
        do {
            try simulation.run(steps: steps)
        } catch {
            failure = simulation.failure(error, steps, breadth)
        }
        simulation.daemon?.end()
        var figures = simulation.figures
        figures.include(simulation.daemon?.longest.step)
        figures.seeds = 1
        figures.commits = simulation.world.oracle.commits
        figures.drags = simulation.world.drags
        figures.drops = simulation.world.drops
        figures.compactions = simulation.alarms.compactions
        figures.deletions = simulation.world.book.deletedCount
        let trace = simulation.world.trace
        return Outcome(figures: figures, hash: trace.hash, failure: failure, trace: trace.lines)
    }

    private func failure(_ error: any Error, _ steps: Int, _ breadth: Breadth) -> SimulationFailure {
        let violation = error as? Violation ?? Violation("nothing goes wrong unseen", "\(error)")
        return SimulationFailure(
            seed: seed, steps: steps, step: figures.steps, invariant: violation.invariant,
            facts: violation.facts, scenario: scenario.description, breadth: breadth)
    }

    /// The default number of steps.
    package static let defaultSteps = 400

    private func run(steps: Int) throws {
        world.connect = { [unowned self] in connect() }
        try start()
        for step in 1...steps {
            figures.steps = step
            LastWords.note(step: step)
            try self.step()
            if step == steps / 2 { try rest() }
        }
        try rest()
    }

    private func connect() -> SimulatedWire? {
        guard let daemon else { return nil }
        // Large messages must not arrive in tiny pieces, which would take too long.
        let least = scenario.weight == .light ? 200 : 6400
        let wire = SimulatedWire(capacity: least << random.below(8))
        wires.append(wire)
        daemon.kernel.connect(wire)
        return wire
    }
}
