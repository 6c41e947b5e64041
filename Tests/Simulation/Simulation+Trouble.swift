import LocalSystem
import SimulatedSystem
import TestSupport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What the system does to a daemon.
extension Simulation {
    func makeTrouble() {
        guard let daemon else { return }
        if scenario.isDiskTight, random.chance(70) { return fillDisk() }
        if scenario.runsOutOfDescriptors, random.chance(60) {
            let isOut = random.chance(50)
            world.trace.note("descriptors", isOut ? 0 : 1)
            world.hasFaults = world.hasFaults || isOut
            return daemon.setOutOfDescriptors(isOut)
        }
        // What comes and goes is written seldom.
        if scenario.hasNomads, random.chance(50), let trip = random.pick(Nomad.trips) {
            figures.diskFaults += 1
            world.hasFaults = true
            world.trace.note("fault of a nomad")
            return daemon.disk.fail("write", .error(ENOSPC), on: "\(trip)")
        }
        failDisk()
    }

    /// Somebody else fills the disk, or makes room.
    private func fillDisk() {
        let room: Int? = random.chance(25) ? nil : random.below(random.chance(50) ? 600 : 8_000)
        world.trace.note("room", room ?? -1)
        world.hasFaults = true
        daemon?.disk.leave(room: room)
    }

    /// Faults of the disk: the call that fails, how, and of which files.
    private static let faults: [(call: String, fault: SimulatedDisk.Fault, path: String?)] = [
        ("write", .error(ENOSPC), nil), ("write", .error(ENOSPC), "catalogue"), ("write", .error(EIO), nil),
        ("syncData", .error(EIO), nil), ("syncData", .error(EIO), "catalogue"), ("sync", .error(EIO), nil),
        ("open", .error(EMFILE), nil), ("open", .error(EIO), nil), ("open", .error(EIO), "catalogue"),
        ("rename", .error(ENOSPC), nil), ("rename", .error(EIO), nil), ("rename", .errorAfterwards(EIO), nil),
        ("syncDirectory", .error(EIO), nil), ("syncDirectory", .errorAfterwards(EIO), nil),
        ("makeDirectory", .error(ENOSPC), nil), ("truncate", .error(EIO), nil), ("unlink", .error(EIO), nil),
        ("read", .error(EIO), nil), ("status", .error(EIO), nil), ("list", .error(EIO), nil),
    ]

    private func failDisk() {
        guard let daemon, let (call, fault, path) = random.pick(Self.faults) else { return }
        figures.diskFaults += 1
        world.hasFaults = true
        world.trace.note("fault")
        world.trace.say("the next \(call) of \(path ?? "anything") fails: \(fault)")
        // Only for lack of room is a change refused that can be made a moment later; after all else a daemon is to be
        // restarted.
        if case .error(ENOSPC) = fault {} else { isDiskSpoilt = true }
        daemon.disk.fail(call, fault, skip: random.below(3), on: path)
    }

    /// One person sends hundreds of changes over all its connections, and perhaps the disk takes none of them.
    func storm() throws {
        guard let daemon else { return }
        for seat in seats {
            for _ in 0..<12 where seat.wire == nil || seat.unfinished != nil {
                try seat.act(isResting: true)
                try settle()
            }
            clock.advance(milliseconds: 1)
        }
        world.trace.note("storm")
        for seat in seats {
            seat.makeChanges(150 + random.below(100))
            seat.wire?.carry(.max)
            for _ in 0..<3 { daemon.round() }
        }
        if random.chance(60) {
            figures.diskFaults += 1
            world.hasFaults = true
            daemon.disk.fail("write", .error(ENOSPC), on: "\(Person.trip)")
        }
    }

    /// Where durability is relaxed: what is written is on the disk a tenth of a second later.
    func lookForUnsynced() throws {
        guard scenario.durability == .relaxed, let daemon else { return }
        if daemon.disk.isSynced("journal") {
            unsyncedSince = nil
            isUnsyncedFromBefore = false
            world.oracle.allIsSafe()
            world.book.allIsSafe()
            return
        }
        let since = unsyncedSince ?? world.now
        unsyncedSince = since
        if world.now - since > .milliseconds(100), !world.hasFaults, !isUnsyncedFromBefore {
            throw Violation("what is written is synced within 100 ms", "\(world.now - since)")
        }
    }
}
