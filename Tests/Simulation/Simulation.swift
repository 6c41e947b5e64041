import LocalSystem
import SimulatedSystem
import TestSupport
import TripModel
import TripServer

/// A daemon and ten clients in one process, and a scheduler that decides from a seed what happens next.
///
/// Everything runs on the calling thread, in virtual time. Two runs with the same seed are the same run.
package final class Simulation {
    /// What happened, in numbers.
    package struct Figures: Sendable {
        package var seeds = 0
        package var steps = 0
        package var commits = 0
        package var drags = 0
        /// Connections that ended.
        package var drops = 0
        /// Ends of the daemon in good order.
        package var restarts = 0
        /// Ends of the daemon otherwise, power cuts among them.
        package var crashes = 0
        package var powerCuts = 0
        package var diskFaults = 0
        package var rests = 0
        package var compactions = 0
        /// Trips that somebody deleted.
        package var deletions = 0

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
        }
    }

    /// What one run came to.
    package struct Outcome: Sendable {
        package let figures: Figures
        /// Equal for equal runs.
        package let hash: UInt64
        package let failure: SimulationFailure?
        package let trace: [String]
    }

    /// Clients that are in every run.
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
    /// Those of them that are one person.
    let seats: [Seat]
    var disk = SimulatedDisk()
    var daemon: SimulatedDaemon?
    /// All connections that some end of has not closed.
    var wires: [SimulatedWire] = []
    /// Connections on which nothing travels now, by their place in `wires`.
    var stalled: Set<Int> = []
    var figures = Figures()
    var lives = 0
    /// The disk has failed for good, or is about to, in this life of the daemon.
    var isDiskSpoilt = false
    /// The trips that make the daemon write more of all trips are made.
    var hasBallast = false
    /// Since when something is written and not synced, as far as anybody has looked.
    var unsyncedSince: Duration?
    /// A daemon that was killed has left it so: it is synced when its trip is opened.
    var isUnsyncedFromBefore = false
    /// What the daemon said of itself that it should not have to.
    let alarms = Alarms()

    /// The step in which hundreds of changes come at once; 0: never.
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
            // Two of three are the real core; the others look at every byte.
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

    /// Runs a seed for so many steps, and to rest.
    ///
    /// - Parameter bug: one to plant, in a build that has them.
    package static func run(
        seed: UInt64, steps: Int = defaultSteps, breadth: Breadth = .mixed, bug: PlantedBug? = nil,
        isTraced: Bool = false
    ) -> Outcome {
        PlantedBug.plant(bug) { run(seed, steps, breadth, bug, isTraced) }
    }

    /// Steps of a run, unless somebody wants another number.
    package static let defaultSteps = 400

    private static func run(
        _ seed: UInt64, _ steps: Int, _ breadth: Breadth, _ bug: PlantedBug?, _ isTraced: Bool
    ) -> Outcome {
        LastWords.prepare(seed, steps, breadth, bug)
        defer { LastWords.end() }
        let simulation = Simulation(seed: seed, steps: steps, breadth, isTraced: isTraced)
        var failure: SimulationFailure?
        do {
            try simulation.run(steps: steps)
        } catch {
            failure = simulation.failure(error, steps, breadth, bug)
        }
        simulation.daemon?.end()
        var figures = simulation.figures
        figures.seeds = 1
        figures.commits = simulation.world.oracle.commits
        figures.drags = simulation.world.drags
        figures.drops = simulation.world.drops
        figures.compactions = simulation.alarms.compactions
        figures.deletions = simulation.world.book.deletedCount
        let trace = simulation.world.trace
        return Outcome(figures: figures, hash: trace.hash, failure: failure, trace: trace.lines)
    }

    private func failure(
        _ error: any Error, _ steps: Int, _ breadth: Breadth, _ bug: PlantedBug?
    ) -> SimulationFailure {
        let violation = error as? Violation ?? Violation("nothing goes wrong unseen", "\(error)")
        return SimulationFailure(
            seed: seed, steps: steps, step: figures.steps, invariant: violation.invariant,
            facts: violation.facts, scenario: scenario.description, breadth: breadth, bug: bug)
    }

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
        // What is large does not trickle.
        let least = scenario.weight == .light ? 200 : 6400
        let wire = SimulatedWire(capacity: least << random.below(8))
        wires.append(wire)
        daemon.kernel.connect(wire)
        return wire
    }
}
