import JSONLine
import LocalSystem
import SimulatedSystem
import TestSupport
import Testing
import TripModel

@testable import TripJournal
@testable import TripMaintenance
@testable import TripServer

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The maintenance commands for trip files, with the files of a real server.
@Suite struct MaintenanceTests {
    /// A directory with the trips `t` and `other`, `t` at version 21, and the last state of it.
    private func served() throws -> (directory: TemporaryDirectory, text: String) {
        let directory = try TemporaryDirectory()
        let server = try TestServer(in: directory)
        let client = try server.client("ann")
        try client.makeTrip("t", id: 91)
        try client.makeTrip("other", id: 92)
        for number in 0..<20 {
            let set = #"{"trip":"t","item":"\#(id(4))","set":{"title":"t\#(number)"},"seq":\#(number + 1)}"#
            try client.result("item.update", set)
        }
        let text = try client.result("trip.get", #"{"trip":"t"}"#).text
        server.stop()
        return (directory, text)
    }

    private func trip(_ number: Int) throws -> TripID { try #require(TripID(id(number))) }

    private func read(_ directory: DataDirectory, _ trip: TripID) throws -> TripReplay {
        let reading = try directory.read(trip)
        let contents = try #require(reading.scan.contents)
        return try TripReplay(OpenedJournal(contents, in: reading.bytes))
    }

    @Test func `check reports no problem for a server's files, even beside a running one`() throws {
        let (temporary, _) = try served()
        let directory = DataDirectory(temporary.path)
        try FileManagerFree.remove(temporary.path + "/s")
        let report = try directory.check()
        #expect(report.problems == [] && report.notes == [])
        #expect(report.trips == 2 && report.records == 22)
        #expect(report.text.hasSuffix("no problem"))
        // The check accepts the note that a relaxed daemon leaves.
        _ = directory.store.beginLineage(.relaxed, bootID: "one") { "tag" }
        #expect(try directory.check().problems == [])
    }

    @Test func `backups of one second have different names`() throws {
        let (temporary, _) = try served()
        let directory = DataDirectory(temporary.path)
        let other = try TemporaryDirectory()
        let folder = other.path + "/backup"
        let second = try #require(Timestamp("2026-11-27T02:30:59.000Z")).milliseconds
        let paths = try (0..<3).map { try directory.backUp(to: folder, at: second + $0).path }
        #expect(
            paths == ["30-59", "31-00", "31-01"].map { "\(folder)/2026-11-27T02-\($0)Z" })
    }

    @Test func `a backup in the data directory is refused`() throws {
        let (temporary, _) = try served()
        try FileManagerFree.remove(temporary.path + "/s")
        let directory = DataDirectory(temporary.path)
        let other = try TemporaryDirectory()
        #expect(symlink(temporary.path, other.path + "/link") == 0)
        for folder in [
            temporary.path, temporary.path + "/trips", temporary.path + "/new/", other.path + "/link",
        ] {
            #expect(throws: MaintenanceFailure.self, "\(folder)") { try directory.backUp(to: folder, at: 0) }
        }
        #expect(try directory.check().problems == [])
    }

    @Test func `check reports every problem with file and offset, and changes nothing`() throws {
        let (temporary, _) = try served()
        let root = temporary.path
        try FileManagerFree.remove(root + "/s")
        let journal = root + "/trips/\(id(91))/journal"
        let good = try readFile(journal)
        let lines = good.indices.filter { good[$0] == UInt8(ascii: "\n") }
        var bad = good
        bad[lines[6] + 12] ^= 1
        try write(bad, to: journal)
        try write(good, to: root + "/trips/\(id(92))/journal")
        try write([1], to: root + "/trips/\(id(91))/notes.txt")
        try write([1], to: root + "/stranger")
        try write([1], to: root + "/trips/\(id(91))/journal.tmp")
        try write(good, to: root + "/trips/\(id(91))/journal.torn-1")
        FileManagerFree.mode(root + "/trips/\(id(92))", 0o755)
        let report = try DataDirectory(root).check()
        let found = Set(report.problems.map { "\($0.file.dropFirst(root.count)) \($0.offset ?? -1)" })
        let (one, other) = ("/trips/\(id(91))", "/trips/\(id(92))")
        #expect(
            found == [
                "\(one)/journal \(lines[6] + 1)", "\(other)/journal 0", "\(one)/notes.txt -1", "/stranger -1",
                "\(other) -1",
            ])
        #expect(
            Set(report.notes.map { $0.file.dropFirst(root.count + one.count) }) == [
                "/journal.tmp", "/journal.torn-1",
            ])
        #expect(try readFile(journal) == bad)
    }

    @Test func `check: a torn end is a problem, except beside the daemon that is writing it`() throws {
        let (temporary, _) = try served()
        try FileManagerFree.remove(temporary.path + "/s")
        let journal = temporary.path + "/trips/\(id(91))/journal"
        let good = try readFile(journal)
        try write(good + Array("12 99 0".utf8), to: journal)
        let directory = DataDirectory(temporary.path)
        #expect(try directory.check().problems.map(\.offset) == [good.count])
        try directory.withLock { () throws(MaintenanceFailure) in
            let report = try directory.check()
            #expect(report.problems == [] && report.holder == CurrentUser.processID)
        }
    }

    @Test func `export and restore preserve the trip, its history and cached answers, in a new epoch`() throws
    {
        let (temporary, _) = try served()
        let from = DataDirectory(temporary.path)
        let export = try from.export(try trip(91))
        #expect(export.version == 21 && export.missing == nil)
        let target = try TemporaryDirectory()
        let file = target.path + "/t.journal"
        let to = DataDirectory(target.path)
        try to.write(export.bytes, to: file)
        #expect(throws: MaintenanceFailure.self) { try to.write(export.bytes, to: file) }
        let restored = try to.restore(file, .init())
        let id = try trip(91)
        #expect(restored.version == 21 && restored.slug == "t" && restored.trip == id)
        let (old, new) = (try read(from, try trip(91)), try read(to, try trip(91)))
        #expect(try old.snapshot.encoded() == new.snapshot.encoded())
        let epoch = try from.read(id).scan.contents?.header.epoch
        #expect(try to.read(id).scan.contents?.header.epoch != epoch)
        #expect(throws: MaintenanceFailure.self) { try to.restore(file, .init()) }
        // Every bit of the file is covered.
        for index in stride(from: 0, to: export.bytes.count, by: 7) {
            var bytes = export.bytes
            bytes[index] ^= 4
            let spoilt = target.path + "/spoilt"
            try write(bytes, to: spoilt)
            var options = DataDirectory.Restore()
            options.hasNewID = true
            options.slug = "spoilt"
            #expect(throws: MaintenanceFailure.self) { try to.restore(spoilt, options) }
        }
    }

    @Test func `a trip can be restored to an earlier version, as a new trip, or as a replacement`() throws {
        let (temporary, _) = try served()
        let directory = DataDirectory(temporary.path)
        let file = temporary.path + "/export"
        try directory.write(try directory.export(try trip(91)).bytes, to: file)
        var options = DataDirectory.Restore()
        options.version = 9
        options.hasNewID = true
        #expect(throws: MaintenanceFailure.self, "the slug is taken") { try directory.restore(file, options) }
        options.slug = "t-as-it-was"
        let copy = try directory.restore(file, options)
        // Its clients start with no numbers: changes of the other trip were not applied to it.
        #expect(try read(directory, copy.trip).retries.clients.isEmpty)
        let replay = try read(directory, copy.trip)
        let original = try trip(91)
        #expect(replay.trip.version == 9 && copy.trip != original)
        #expect(replay.trip.header.slug == "t-as-it-was" && replay.edits.lines.count == 8)
        #expect(try directory.find("t-as-it-was") == copy.trip)

        options = .init()
        options.version = 3
        options.replaces = true
        let replaced = try directory.restore(file, options)
        let kept = try #require(replaced.copy)
        #expect(kept.hasSuffix("journal.replaced-1"))
        #expect(try readFile(kept).starts(with: Array("itineraryd-journal".utf8)))
        #expect(try read(directory, try trip(91)).trip.version == 3)
        for version in [22, 99] {
            options.version = version
            #expect(throws: MaintenanceFailure.self) { try directory.restore(file, options) }
        }
        // A daemon serves them.
        let server = try TestServer(in: try temporary.copy())
        let client = try server.client("bob")
        #expect(try client.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 3)
        #expect(try client.result("trip.get", #"{"trip":"t-as-it-was"}"#)["version"]?.int == 9)
    }

    /// The catalogue knows how far the journal went; only a successful restore may reset that.
    @Test func `a failed restore keeps the protection against an older journal`()
        throws
    {
        let disk = SimulatedDisk()
        let server = try TestServer(disk: disk)
        let client = try server.client("ann")
        try client.makeTrip("t", id: 91)
        let journal = "/data/trips/\(id(91))/journal"
        let older = try #require(disk[journal])
        try client.result("item.update", #"{"trip":"t","item":"\#(id(4))","set":{"title":"later"}}"#)
        server.stopInOrder()
        let directory = DataDirectory("/data", in: disk)
        let export = try directory.export(try trip(91)).bytes
        disk.put(export, at: "/export")
        disk.put(older, at: journal)
        func isRefused() throws -> Bool {
            let next = try TestServer(disk: disk.afterKill())
            return try next.client("bob").call("trip.get", #"{"trip":"t"}"#).reason == "trip_corrupt"
        }
        #expect(try isRefused())
        #expect(throws: MaintenanceFailure.self) { try directory.restore("/export", .init()) }
        #expect(try isRefused())
        var options = DataDirectory.Restore()
        options.replaces = true
        for (call, skip) in [("write", 0), ("write", 1), ("rename", 0)] {
            disk.fail(call, .error(ENOSPC), skip: skip)
            #expect(throws: MaintenanceFailure.self) { try directory.restore("/export", options) }
            disk.heal()
            #expect(try isRefused(), "\(call) \(skip)")
        }
        #expect(try directory.restore("/export", options).version == 2)
        #expect(try !isRefused())
    }

    @Test func `restore --replace restores a trip without a journal`() throws {
        let (temporary, text) = try served()
        let directory = DataDirectory(temporary.path)
        let file = temporary.path + "/export"
        try directory.write(try directory.export(try trip(91)).bytes, to: file)
        try FileManagerFree.remove(temporary.path + "/trips/\(id(91))/journal")
        var options = DataDirectory.Restore()
        options.replaces = true
        let restored = try directory.restore(file, options)
        #expect(restored.version == 21 && restored.copy == nil)
        let server = try TestServer(in: try temporary.copy())
        let again = try server.client("bob").result("trip.get", #"{"trip":"t"}"#)
        #expect(again["items"]?.text == (try JSONDocument(parsing: Array(text.utf8)).root)["items"]?.text)
    }

    @Test func `salvage exports everything up to the damage, reports the rest, and keeps the journal`()
        throws
    {
        let (temporary, _) = try served()
        let directory = DataDirectory(temporary.path)
        let journal = temporary.path + "/trips/\(id(91))/journal"
        let good = try readFile(journal)
        let entries = try #require(JournalScanner.scan(good).contents?.entries)
        for number in [1, 7, 20] {
            var bad = good
            bad[entries[number].payload.lowerBound + 3] ^= 2
            try write(bad, to: journal)
            #expect(throws: MaintenanceFailure.self) { try directory.export(try trip(91)) }
            let salvaged = try directory.salvage(try trip(91))
            #expect(salvaged.version == number)
            let missing = try #require(salvaged.missing)
            #expect(missing.contains("byte \(entries[number].offset)"))
            #expect(missing.contains("versions \(number + 1) to 21"), "\(missing)")
            #expect(try readFile(journal) == bad)
            let file = temporary.path + "/salvaged-\(number)"
            try directory.write(salvaged.bytes, to: file)
            var options = DataDirectory.Restore()
            options.replaces = true
            #expect(try directory.restore(file, options).version == number)
        }
        try write(Array(good[..<40]), to: journal)
        #expect(throws: MaintenanceFailure.self) { try directory.salvage(try trip(91)) }
    }

    @Test func `compact gives an equivalent journal in the same epoch`() throws {
        let (temporary, text) = try served()
        let directory = DataDirectory(temporary.path)
        let before = try read(directory, try trip(91)).snapshot.encoded()
        let epoch = try directory.read(try trip(91)).scan.contents?.header.epoch
        // A compaction saves nothing until there is more history than is kept.
        if case .compacted = try directory.compact(try trip(91)) { Issue.record("nothing to win") }
        try FileManagerFree.remove(temporary.path + "/s")
        let server = try TestServer(in: temporary)
        let client = try server.client("ann")
        let note = String(repeating: "n", count: 1000)
        for number in 0..<3000 {
            try client.post(
                "item.update",
                #"{"trip":"t","item":"\#(id(4))","set":{"note":"\#(note)\#(number)"},"seq":\#(100 + number)}"#
            )
            if number % 100 == 99 { for _ in 0..<100 { _ = try client.line() } }
        }
        server.stop()
        guard case .compacted(from: let old, to: let new) = try directory.compact(try trip(91)) else {
            Issue.record("it is compacted")
            return
        }
        #expect(new < old)
        let contents = try #require(try directory.read(try trip(91)).scan.contents)
        #expect(contents.header.epoch == epoch && contents.snapshot != nil && contents.entries.isEmpty)
        #expect(text.contains("t19") && before.version == 21)
        #expect(try directory.check().problems.filter { !$0.file.hasSuffix("/s") } == [])
        if case .compacted = try directory.compact(try trip(91)) { Issue.record("once is enough") }
    }

    @Test func `commands that need the lock are refused beside a daemon`() throws {
        let (temporary, _) = try served()
        let directory = DataDirectory(temporary.path)
        try directory.withLock { () throws(MaintenanceFailure) in
            #expect(throws: MaintenanceFailure.self) {
                try directory.withLock { () throws(MaintenanceFailure) in Issue.record("held twice") }
            }
        }
        try directory.withLock { () throws(MaintenanceFailure) in }
        #expect(throws: MaintenanceFailure.self) { try directory.find("nobody") }
        #expect(throws: MaintenanceFailure.self) { try directory.find(id(99)) }
    }
}
