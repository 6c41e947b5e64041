import JSONLine
import TripModel
import TripProtocol

/// Checks that a change is accepted if there is room for it, even if there is room for little else.
struct NearlyFullDisk {
    /// Free bytes: enough for a few small changes, but less than the daemon's catalogue takes.
    private static let room = 3500
    /// The number of trips whose long names enlarge the catalogue beyond `room`.
    private static let ballast = 6

    private let simulation: Simulation
    private let audit: Audit

    init(_ simulation: Simulation) throws {
        self.simulation = simulation
        audit = try Audit(simulation, Simulation.trips[0])
    }

    func check() throws {
        let trip = Simulation.trips[0]
        try audit.begin()
        guard let disk = simulation.daemon?.disk, simulation.world.madeTrips.contains(trip) else {
            return try audit.end()
        }
        // From here on every failure is due to lack of room.
        simulation.disk.heal()
        disk.leave(room: nil)
        for number in 0..<Self.ballast where !simulation.hasBallast {
            // The process may have no descriptors left.
            guard try make(number) == nil else { return try audit.end() }
        }
        simulation.hasBallast = true
        // Deferred writes are completed now, and unused trips unloaded.
        for _ in 0..<3 {
            try simulation.runToRest()
            simulation.clock.advance(milliseconds: 400)
        }
        try simulation.runToRest()
        // Opening a trip may need more room: for a copy of its torn end, and for the catalogue. If the
        // catalogue's last line found no room, it is rewritten before the trip's next change.
        let (state, _) = try audit.ask(.getTrip(.id(trip)))
        disk.leave(room: 0)
        guard let reason = try make(Self.ballast) else {
            throw Violation("what finds no room is not said to be made")
        }
        disk.leave(room: Self.room)
        if reason == "storage_full", state != nil { for number in 1...3 { try add(number, to: trip) } }
        disk.leave(room: nil)
        try audit.end()
    }

    /// Creates a trip; returns the reason if that fails.
    private func make(_ number: Int) throws -> String? {
        guard let start = CalendarDate(year: 2026, month: 6, day: 11) else { preconditionFailure("a date") }
        let draft = TripDraft(
            id: TripID(high: 0x4000, low: 0x8000_0000_0000_0200 + UInt64(number)),
            name: "\(number)" + String(repeating: "x", count: 500), startDate: start, timeZone: "UTC",
            dayCount: 1,
            slug: "ballast-\(number)")
        return try audit.ask(.createTrip(draft)).reason
    }

    private func add(_ number: Int, to trip: TripID) throws {
        let world = simulation.world
        let room = simulation.daemon?.disk.free ?? 0
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
