import LocalSystem
import SimulatedSystem
import Testing
import TripModel

@testable import TripJournal

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite struct JournalStoreTests {
    private let sample = JournalSample(payloads: [#"{"trip":"whole"}"#])
    private var trip: TripID { sample.header.tripID }
    private let moment = Timestamp(milliseconds: 1_800_000_000_000)

    private func store(_ disk: SimulatedDisk) throws -> JournalStore {
        let store = JournalStore(fileSystem: disk, directory: "/data")
        try store.prepare()
        return store
    }

    /// A store with a journal of these bytes.
    private func store(_ disk: SimulatedDisk, holding bytes: [UInt8], as trip: TripID? = nil) throws
        -> JournalStore
    {
        let store = try store(disk)
        let directory = store.directory(of: trip ?? self.trip)
        try disk.makeDirectory(directory)
        try disk.syncDirectory(store.tripsDirectory)
        disk.put(bytes, at: directory + "/journal")
        return store
    }

    private func opened(_ store: JournalStore, epoch: String = "epoch-2") throws -> OpenedJournal? {
        if case .opened(let journal) = try store.open(trip, freshEpoch: { epoch }) { return journal }
        return nil
    }

    @Test func `a created trip is listed and can be opened`() throws {
        let disk = SimulatedDisk()
        let store = try store(disk)
        #expect(try store.create(sample.header, first: sample.encoded[0]) == sample.bytes.count)
        #expect(disk["/data/trips/\(trip)/journal"] == sample.bytes)
        #expect(try store.listTrips() == [trip])
        #expect(
            try opened(store)
                == OpenedJournal(
                    header: sample.header, records: sample.records, checkpoint: sample.encoder.checkpoint,
                    end: sample.bytes.count, baseEnd: sample.header.encoded().count, repair: nil))
        #expect(disk.openCount == 0)
        #expect(throws: JournalStoreError.exists) {
            try store.create(sample.header, first: sample.encoded[0])
        }
        try store.delete(trip, at: moment)
        #expect(disk.names(in: "/data/trips") == ["\(trip).deleted-1800000000000"])
        #expect(try store.listTrips() == [])
        #expect(throws: JournalStoreError.missing) { try store.delete(trip, at: moment) }
    }

    @Test func `a deleted trip is restored with all its files, and not over another trip`() throws {
        let disk = SimulatedDisk()
        let store = try store(disk)
        _ = try store.create(sample.header, first: sample.encoded[0])
        disk.put([1], at: store.directory(of: trip) + "/journal.torn-1")
        try store.delete(trip, at: moment)
        try store.prepare()
        let deleted = DeletedDirectory(trip, deletedAt: moment)
        #expect(try store.listTrash() == [deleted])
        _ = try store.create(sample.header, first: sample.encoded[0])
        #expect(throws: JournalStoreError.exists) { try store.restore(deleted) }
        // It is deleted again in the same millisecond.
        try store.delete(trip, at: moment)
        let again = DeletedDirectory(trip, deletedAt: Timestamp(milliseconds: moment.milliseconds + 1))
        #expect(try store.listTrash() == [again, deleted])
        try store.restore(deleted)
        #expect(disk.names(in: store.directory(of: trip)) == ["journal", "journal.torn-1"])
        #expect(try opened(store)?.records == sample.records)
        #expect(throws: JournalStoreError.missing) { try store.restore(deleted) }
    }

    @Test func `deleted trips are removed when they are old, too many or too large, or deleted again`() throws
    {
        let disk = SimulatedDisk()
        let store = try store(disk)
        func put(_ number: UInt64, _ milliseconds: Int64, bytes: Int = 1) throws -> DeletedDirectory {
            let at = Timestamp(milliseconds: moment.milliseconds + milliseconds)
            let deleted = DeletedDirectory(TripID(high: 1, low: number), deletedAt: at)
            try disk.makeDirectory(store.directory(of: deleted))
            disk.put([UInt8](repeating: 0, count: bytes), at: store.journal(of: deleted))
            return deleted
        }
        let days: Int64 = 86_400_000
        let old = try put(1, -30 * days - 1)
        let kept = [try put(2, -29 * days), try put(3, -days)]
        _ = try put(3, -2 * days)
        try disk.makeDirectory(store.tripsDirectory + "/\(trip).deleted-01")
        store.evictTrash(now: moment)
        #expect(try store.listTrash().contains(old), "it was first found too old")
        store.evictTrash(now: Timestamp(milliseconds: moment.milliseconds + days - 1))
        #expect(try store.listTrash().contains(old))
        store.evictTrash(now: Timestamp(milliseconds: moment.milliseconds + days))
        #expect(try store.listTrash() == kept.reversed())
        let foreign = "\(trip).deleted-01"
        #expect(disk.names(in: store.tripsDirectory)?.contains(foreign) == true, "it is not ours")
        #expect(disk[store.journal(of: old)] == nil)
        let large = try put(4, 1, bytes: 100)
        store.evictTrash(now: moment, keeping: 3, 100)
        #expect(try store.listTrash() == [large], "the newest stays, however large it is")
        let many = try (0...3).map { try put(UInt64(10 + $0), Int64(10 + $0)) }
        store.evictTrash(now: moment, keeping: 3, 100)
        #expect(try store.listTrash() == many.dropFirst().reversed())
    }

    @Test func `a clock that was ahead once removes no deleted trip`() throws {
        let disk = SimulatedDisk()
        let store = try store(disk)
        _ = try store.create(sample.header, first: sample.encoded[0])
        try store.delete(trip, at: moment)
        func evict(atDay day: Int64) {
            store.evictTrash(now: Timestamp(milliseconds: moment.milliseconds + day * 86_400_000))
        }
        for day: Int64 in [31, 1, 40, 2, 60, 61] {
            #expect(try store.listTrash().count == 1, "before day \(day)")
            evict(atDay: day)
        }
        #expect(try store.listTrash() == [])
    }

    @Test func `a creation survives a stop and a crash at any call, completely or not at all`() throws {
        var count = 0
        while true {
            let disk = SimulatedDisk()
            let first = try store(disk)
            disk.stop(after: count)
            let created = (try? first.create(sample.header, first: sample.encoded[0])) != nil
            for crash in SimulatedDisk.Crash.allCases {
                let after = disk.afterCrash(crash)
                let second = try store(after)
                let trips = try second.listTrips()
                #expect(after.names(in: "/data/trips") == trips.map(\.description), "leftovers are swept")
                #expect(trips == [trip] || (trips.isEmpty && !created), "\(crash) at call \(count)")
                if !trips.isEmpty { #expect(try opened(second)?.records == sample.records) }
            }
            if created { break }
            count += 1
        }
        #expect(count >= 8)
    }

    /// The state of a rename after a power cut depends on the file system: one that loses the new name and not the old one loses the
    /// trip. Those with a journal lose both or none.
    @Test func `deletion survives a stop at any call and any crash, done or not at all`() throws {
        var count = 0
        while true {
            let disk = SimulatedDisk()
            let first = try store(disk)
            _ = try first.create(sample.header, first: sample.encoded[0])
            disk.put([1, 2, 3], at: first.directory(of: trip) + "/journal.torn-1")
            disk.stop(after: count)
            let deleted = (try? first.delete(trip, at: moment)) != nil
            for crash in SimulatedDisk.Crash.allCases {
                let second = try store(disk.afterCrash(crash))
                let trips = try second.listTrips()
                #expect(trips.isEmpty || (trips == [trip] && !deleted), "\(crash) at call \(count)")
                if crash == .losesNewNames, !deleted { continue }
                if trips.isEmpty { try second.restore(DeletedDirectory(trip, deletedAt: moment)) }
                #expect(try opened(second)?.records == sample.records, "it can be restored")
            }
            if deleted { break }
            count += 1
        }
        #expect(count >= 3)
    }

    @Test func `restoring survives a stop at any call and any crash, done or not at all`() throws {
        var count = 0
        while true {
            let disk = SimulatedDisk()
            let first = try store(disk)
            _ = try first.create(sample.header, first: sample.encoded[0])
            try first.delete(trip, at: moment)
            disk.stop(after: count)
            let deleted = DeletedDirectory(trip, deletedAt: moment)
            let restored = (try? first.restore(deleted)) != nil
            for crash in SimulatedDisk.Crash.allCases {
                let second = try store(disk.afterCrash(crash))
                let isThere = try second.listTrips() == [trip]
                #expect(isThere || !restored, "\(crash) at call \(count)")
                if crash == .losesNewNames, !restored { continue }
                #expect(try second.listTrash() == (isThere ? [] : [deleted]), "\(crash) at call \(count)")
                if isThere { #expect(try opened(second)?.records == sample.records) }
            }
            if restored { break }
            count += 1
        }
        #expect(count >= 3)
    }

    /// A process is killed at any call, the next one finds its unsynced data, and then the power fails.
    @Test func `data that a second process has seen survives a later power failure`() throws {
        for isDeletion in [false, true] {
            for count in 0..<12 {
                let disk = SimulatedDisk()
                let first = try store(disk)
                if isDeletion { _ = try first.create(sample.header, first: sample.encoded[0]) }
                disk.stop(after: count)
                if isDeletion {
                    try? first.delete(trip, at: moment)
                } else {
                    _ = try? first.create(sample.header, first: sample.encoded[0])
                }
                disk.restart()
                let seen = try store(disk).listTrips()
                let third = try store(disk.afterCrash(.losesUnsynced))
                #expect(try third.listTrips() == seen)
                if !seen.isEmpty { #expect(try opened(third)?.records == sample.records) }
            }
        }
    }

    @Test func `a failed creation leaves nothing behind and can be retried`() throws {
        for (call, fault) in [
            ("makeDirectory", SimulatedDisk.Fault.error(ENOSPC)), ("open", .error(EMFILE)),
            ("write", .error(ENOSPC)),
            ("write", .short(0)), ("sync", .error(EIO)), ("rename", .error(EIO)),
        ] {
            let disk = SimulatedDisk()
            let store = try store(disk)
            disk.fail(call, fault)
            #expect(throws: JournalStoreError.self) {
                try store.create(sample.header, first: sample.encoded[0])
            }
            #expect(disk.names(in: "/data/trips") == [])
            _ = try store.create(sample.header, first: sample.encoded[0])
            #expect(try opened(store)?.records == sample.records)
        }
    }

    @Test func `a failed sync of the directory leaves the outcome unknown`() throws {
        let disk = SimulatedDisk()
        let store = try store(disk)
        disk.fail("syncDirectory", .error(EIO), skip: 1)
        let error = SystemError(call: "syncDirectory", path: "/data/trips", code: EIO)
        #expect(throws: JournalStoreError.outcomeUnknown(error)) {
            try store.create(sample.header, first: sample.encoded[0])
        }
    }

    @Test func `a torn end is cut, the old file kept, and the epoch new`() throws {
        let disk = SimulatedDisk()
        let torn = sample.bytes + Array("99 2 12345".utf8)
        let store = try store(disk, holding: torn)
        let journal = try #require(try opened(store))
        #expect(journal.header == JournalHeader(tripID: trip, epoch: "epoch-2"))
        #expect(journal.records == sample.records)
        let directory = store.directory(of: trip)
        #expect(
            journal.repair
                == JournalRepair(
                    tail: TornTail(offset: sample.bytes.count, evidence: .lastLineIncomplete),
                    droppedBytes: 10,
                    copy: directory + "/journal.torn-1"))
        #expect(disk[directory + "/journal.torn-1"] == torn)
        let repaired = try #require(disk[directory + "/journal"])
        #expect(JournalScanner.scan(repaired).contents?.checkpoint == journal.checkpoint)
        #expect(repaired.count == journal.end)
        let again = try #require(try opened(store, epoch: "epoch-3"))
        #expect(again.header.epoch == "epoch-2" && again.repair == nil)

        disk.put(repaired + [0], at: directory + "/journal")
        #expect(try opened(store, epoch: "epoch-3")?.repair?.copy == directory + "/journal.torn-2")
    }

    @Test func `a repair without disk space keeps one copy and no draft, however often it is tried`() throws {
        let disk = SimulatedDisk()
        let torn = sample.bytes + Array("99 2 12345".utf8)
        let store = try store(disk, holding: torn)
        let directory = store.directory(of: trip)
        // No space for the copy, then none for the journal.
        for skip in [0, 1, 0, 0] {
            disk.fail("write", .error(ENOSPC), skip: skip)
            #expect(throws: SystemError.self) { try opened(store) }
            #expect(disk[directory + "/journal"] == torn)
            #expect(disk[directory + "/journal.tmp"] == nil)
        }
        #expect(disk.names(in: directory)?.sorted() == ["journal", "journal.torn-1"])
        #expect(try opened(store)?.repair?.copy == directory + "/journal.torn-1")
        #expect(disk[directory + "/journal.torn-1"] == torn)
    }

    @Test func `a repair survives a stop and a crash at any call`() throws {
        let torn = sample.bytes + Array("99 2 12345".utf8)
        var count = 0
        while true {
            let disk = SimulatedDisk()
            let first = try store(disk, holding: torn)
            disk.stop(after: count)
            let isOpened = (try? opened(first)) != nil
            for crash in SimulatedDisk.Crash.allCases {
                let after = disk.afterCrash(crash)
                let journal = try #require(try opened(store(after), epoch: "epoch-3"))
                #expect(journal.records == sample.records)
                #expect(journal.header.epoch == (journal.repair == nil ? "epoch-2" : "epoch-3"))
                if isOpened { #expect(journal.repair == nil) }
                let directory = first.directory(of: trip)
                let copies = (after.names(in: directory) ?? []).filter { $0.hasPrefix("journal.torn-") }
                #expect(copies.contains { after[directory + "/" + $0] == torn })
            }
            // The same with a kill in place of the crash, and a power failure after the next process has
            // repaired the file.
            disk.restart()
            let seen = try #require(try opened(first, epoch: "epoch-3"))
            let later = try #require(try opened(store(disk.afterCrash(.losesUnsynced)), epoch: "epoch-4"))
            #expect(later.header == seen.header && later.repair == nil)
            if isOpened { break }
            count += 1
        }
        #expect(count >= 15)
    }

    @Test func `untrusted files are not touched`() throws {
        var damaged = sample.bytes
        damaged[damaged.count - 4] ^= 1
        let other = JournalSample(trip: JournalSample.otherTripID, payloads: ["{}"])
        for bytes in [damaged, other.bytes, [], Array("itineraryd-journal 2 2 later\n".utf8)] {
            let disk = SimulatedDisk()
            let store = try store(disk, holding: bytes)
            let before = disk.log.count
            let path = store.journal(of: trip)
            switch try store.open(trip, freshEpoch: { "epoch-2" }) {
            case .opened: Issue.record("it must not be opened")
            case .quarantined(let file, let damage):
                #expect(file == path)
                if bytes == other.bytes { #expect(damage.reason == .foreignTrip(JournalSample.otherTripID)) }
            case .newerFormat(let file, let lowestReader):
                #expect(file == path && lowestReader == 2)
            }
            let calls = Set(disk.log[before...].map(\.name))
            #expect(calls.isSubset(of: ["status", "open", "size", "read"]))
            #expect(disk[path] == bytes)
        }
    }

    @Test func `a directory without a journal, or a file with a trip's name, is quarantined`() throws {
        let disk = SimulatedDisk()
        let store = try store(disk)
        let path = store.journal(of: trip)
        func damage() throws -> JournalOpening { try store.open(trip, freshEpoch: { "e" }) }
        #expect(try damage() == .quarantined(file: path, JournalDamage(offset: 0, reason: .notAFile)))
        try disk.makeDirectory(store.directory(of: trip))
        #expect(try damage() == .quarantined(file: path, JournalDamage(offset: 0, reason: .missing)))
        try disk.makeDirectory(path)
        #expect(try damage() == .quarantined(file: path, JournalDamage(offset: 0, reason: .notAFile)))
    }

    @Test func `only trips are listed, and only leftovers are removed`() throws {
        let disk = SimulatedDisk()
        let first = try store(disk, holding: sample.bytes)
        let names = [
            "\(JournalSample.otherTripID).tmp", "\(trip).deleted", "notes.tmp", "notes", "\(trip).old",
        ]
        for name in names { try disk.makeDirectory("/data/trips/" + name) }
        disk.put([1], at: "/data/trips/\(trip).deleted/journal")
        let second = try store(disk)
        #expect(disk.names(in: "/data/trips") == ["\(trip)", "\(trip).old", "notes", "notes.tmp"])
        #expect(try second.listTrips() == [trip])
        #expect(first.tripsDirectory == second.tripsDirectory)
    }

    @Test func `bytes that an earlier process did not sync are synced before they are returned`() throws {
        let disk = SimulatedDisk()
        let store = try store(disk, holding: sample.bytes)
        var longer = sample
        longer.add("{}")
        do {
            let file = try OpenFile(store.journal(of: trip), .append, in: disk)
            try file.writeAll(longer.encoded[1].bytes)
        }
        #expect(try opened(store)?.records == longer.records)
        #expect(disk.afterCrash(.losesUnsynced)[store.journal(of: trip)] == longer.bytes)
    }
}
