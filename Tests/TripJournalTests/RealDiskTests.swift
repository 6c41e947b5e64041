import Dispatch
import LocalSystem
import TestSupport
import Testing
import TripModel

@testable import TripJournal

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The same on the system's own file system.
@Suite struct RealDiskTests {
    private let files = RealFileSystem()

    @Test(arguments: [Durability.sync, .relaxed])
    func `on a real disk a journal can be created, appended to, closed, opened, repaired and deleted`(
        durability: Durability
    ) throws {
        let directory = try TemporaryDirectory()
        let store = JournalStore(fileSystem: files, directory: directory.path)
        try store.prepare()
        var sample = JournalSample(payloads: [#"{"trip":"whole"}"#])
        let trip = sample.header.tripID
        let path = store.journal(of: trip)
        let events = EventLog()
        do {
            let writer = try JournalWriter(store: store, durability: durability)
            writer.create(sample.header, first: sample.encoded[0], sink: events.note) { _ in }
            for number in 0..<500 { writer.append(sample.add("[\(number)]"), to: trip) }
            try events.wait(for: .durable(upTo: 501))
        }
        #expect(try files.status(store.directory(of: trip))?.mode == 0o700)
        #expect(try files.status(path)?.mode == 0o600)
        #expect(try store.listTrips() == [trip])
        guard case .opened(let journal) = try store.open(trip, freshEpoch: { "no" }) else {
            Issue.record("it opens")
            return
        }
        #expect(journal.records == sample.records && journal.repair == nil)

        // A write that the process did not finish.
        try OpenFile(path, .append, in: files).writeAll(Array("12 502 01234567 {".utf8))
        guard case .opened(let repaired) = try store.open(trip, freshEpoch: { "epoch-2" }) else {
            Issue.record("it opens")
            return
        }
        #expect(repaired.records == sample.records && repaired.header.epoch == "epoch-2")
        #expect(Set(try files.list(store.directory(of: trip))) == ["journal", "journal.torn-1"])
        #expect(try files.status(path)?.size == Int64(repaired.end))

        let writer = try JournalWriter(store: store, durability: durability)
        var encoder = JournalEncoder(resuming: repaired.checkpoint)
        writer.attach(repaired, sink: events.note)
        writer.append(try encoder.encode(version: 502, payload: Array("{}".utf8)), to: trip)
        try events.wait(for: .durable(upTo: 502))
        let deleted = DispatchSemaphore(value: 0)
        writer.delete(trip, at: encoder.checkpoint, now: Timestamp(milliseconds: 0)) {
            if case .success = $0 { deleted.signal() }
        }
        try deleted.waitOrFail()
        #expect(try store.listTrips().isEmpty)
    }

    @Test(
        arguments: [
            "cut", "lengthened", "removed", "exchanged", "copied", "renamed", "directory renamed",
            "directory copied",
        ], [Durability.sync, .relaxed])
    func `a journal accepts no writes after its file or directory was changed, renamed or replaced`(
        how: String, durability: Durability
    ) throws {
        let directory = try TemporaryDirectory()
        let store = JournalStore(fileSystem: files, directory: directory.path)
        try store.prepare()
        var sample = JournalSample(payloads: ["{}"])
        let path = store.journal(of: sample.header.tripID)
        let events = EventLog()
        let clock = Guarded<Int64>(0)
        let writer = JournalWriter(stepping: store, durability: durability, now: { clock.withLock { $0 } })
        writer.create(sample.header, first: sample.encoded[0], sink: events.note) { _ in }
        writer.append(sample.add("[1]"), to: sample.header.tripID)
        // Relaxed, only the first write after a sync looks.
        for _ in 0..<4 {
            _ = writer.step()
            clock.withLock { $0 += 100_000_000 }
        }
        try events.wait(for: .durable(upTo: 2))
        switch how {
        case "cut": #expect(truncate(path, off_t(try #require(try files.status(path)).size - 20)) == 0)
        case "lengthened": try OpenFile(path, .append, in: files).writeAll(Array("x".utf8))
        case "removed": try files.unlink(path)
        case "copied":
            try copy(path, to: directory.path + "/copy")
            try files.rename(directory.path + "/copy", to: path)
        case "renamed": try files.rename(path, to: path + ".away")
        case "directory renamed":
            try files.rename(store.directory(of: sample.header.tripID), to: directory.path + "/away")
        case "directory copied":
            let old = store.directory(of: sample.header.tripID)
            try files.rename(old, to: directory.path + "/away")
            try files.makeDirectory(old)
            try copy(directory.path + "/away/journal", to: path)
        default:
            let copy = directory.path + "/copy"
            try OpenFile(copy, .create, in: files).writeAll(Array("another".utf8))
            try files.rename(copy, to: path)
        }
        writer.append(sample.add("[2]"), to: sample.header.tripID)
        _ = writer.step()
        guard case .failed(.readOnly(let error)) = try events.next() else {
            Issue.record("nothing is acknowledged that cannot be read again")
            return
        }
        #expect(error.code == ESTALE)
    }

    private func copy(_ path: String, to copy: String) throws {
        try OpenFile(copy, .create, in: files).writeAll(try OpenFile(path, .read, in: files).readAll())
    }

    @Test func `a symbolic link is not followed`() throws {
        let directory = try TemporaryDirectory()
        let store = JournalStore(fileSystem: files, directory: directory.path)
        try store.prepare()
        let sample = JournalSample(payloads: ["{}"])
        _ = try store.create(sample.header, first: sample.encoded[0])
        let path = store.journal(of: sample.header.tripID)
        try files.rename(path, to: directory.path + "/elsewhere")
        #expect(symlink(directory.path + "/elsewhere", path) == 0)
        #expect(
            try store.open(sample.header.tripID, freshEpoch: { "no" })
                == .quarantined(file: path, JournalDamage(offset: 0, reason: .notAFile)))
    }
}
