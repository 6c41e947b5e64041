import LocalSystem
import SimulatedSystem
import TestSupport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Faults of the system that hit the daemon.
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
        // Trips that are created and deleted have few writes of their own.
        if scenario.hasNomads, random.chance(50), let trip = random.pick(Nomad.trips) {
            figures.diskFaults += 1
            world.hasFaults = true
            world.trace.note("fault of a nomad")
            return daemon.disk.fail("write", .error(ENOSPC), on: "\(trip)")
        }
        failDisk()
    }

    /// Another program fills the disk or frees space.
    private func fillDisk() {
        let room: Int? = random.chance(25) ? nil : random.below(random.chance(50) ? 600 : 8_000)
        world.trace.note("room", room ?? -1)
        world.hasFaults = true
        daemon?.disk.leave(room: room)
    }

    /// Disk faults: the call, its result, and the affected files.
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
        // After ENOSPC a refused change can be retried at once. After any other error the daemon must be
        // restarted.
        if case .error(ENOSPC) = fault {} else { isDiskSpoilt = true }
        daemon.disk.fail(call, fault, skip: random.below(3), on: path)
    }

    /// One user sends hundreds of changes over all connections; sometimes the disk fails all their writes.
    func storm() throws {
        guard let daemon else { return }
        for seat in seats {
            for _ in 0..<12 where seat.wire == nil || seat.unfinished != nil {
                try seat.act(isResting: true)
                try runToRest()
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

    /// In relaxed durability, checks that written data is synced within a tenth of a second.
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
