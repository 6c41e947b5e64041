import JSONLine
import TripModel
import TripProtocol

/// Whether a change is taken where there is room for it, though for little else.
struct NearlyFullDisk {
    /// Bytes that are left: enough for a few small changes, and less than what the daemon would write of all trips.
    private static let room = 5000

    private let simulation: Simulation

    init(_ simulation: Simulation) { self.simulation = simulation }

    func check() throws {
        let trip = Simulation.trips[0]
        guard let disk = simulation.daemon?.disk, simulation.world.madeTrips.contains(trip) else { return }
        // What had to wait for room waits no more, and trips that nobody needs are let go of.
        for _ in 0..<3 {
            try simulation.settle()
            simulation.clock.advance(milliseconds: 400)
        }
        try simulation.settle()
        disk.leave(room: Self.room)
        let audit = try Audit(simulation, trip)
        try audit.begin()
        let (state, _) = try audit.ask(.getTrip(.id(trip)))
        if state != nil {
            for number in 1...3 { try add(number, to: trip, audit, room: disk.free ?? 0) }
        }
        try audit.end()
    }

    private func add(_ number: Int, to trip: TripID, _ audit: Audit, room: Int) throws {
        let world = simulation.world
        let edit = Edit.add(world.nextItem(), .custom(CustomItem(title: "fits")), to: .end(day: 1))
        let (result, reason) = try audit.ask(
            .change(ChangeRequest(method: .addItem, trip: .id(trip), edits: [edit])))
        guard let version = result?["version"]?.int else {
            throw Violation(
                "a change for which there is room is taken",
                "\(reason ?? "") of change \(number); \(Self.room) bytes were free, \(room) before it, now "
                    + "\(simulation.daemon?.disk.free ?? 0)")
        }
        try world.oracle.acknowledged(number, of: "audit", as: version, of: trip)
    }
}
