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

@Suite struct CatalogueTests {
    static func trip(_ number: Int) -> TripID {
        let digits = String(number)
        guard
            let id = TripID(
                "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits)
        else { preconditionFailure("a fixed id") }
        return id
    }

    /// An entry with every member.
    static func entry(
        _ number: Int, _ slugs: Set<String>, version: Int = 7, id: TripID? = nil
    ) -> CatalogueEntry {
        guard let start = CalendarDate("2026-06-11") else { preconditionFailure("a fixed date") }
        let header = TripHeader(
            id: id ?? trip(number), slug: slugs.min() ?? "", name: "Köln \"\(number)\"",
            startDate: start, timeZone: "UTC",
            dayCount: 5)
        return CatalogueEntry(
            slugs: slugs,
            place: JournalPlace(
                epoch: "epoch-\(number)", checkpoint: JournalCheckpoint(version: version, checksum: .max)),
            summary: TripDigest(
                header: header, version: version, itemCount: 3,
                stamp: JournalStamp(size: 12_345, number: .max)))
    }

    private static func catalogue(_ entries: [TripID: CatalogueEntry], on disk: SimulatedDisk) -> Catalogue {
        Catalogue(entries, in: "/data", disk)
    }

    private static func read(_ disk: SimulatedDisk) throws -> [TripID: CatalogueEntry] {
        guard case .whole(let catalogue) = try CatalogueReading(in: "/data", disk) else {
            Issue.record("the catalogue is whole")
            return [:]
        }
        return catalogue.entries
    }

    @Test func `lines that find no disk space are removed, and written when there is space`() throws {
        let disk = SimulatedDisk()
        var catalogue = Self.catalogue([Self.trip(1): Self.entry(1, ["a"])], on: disk)
        try catalogue.sync()
        let before = disk["/data/catalogue"]
        catalogue.set(Self.entry(2, ["b"]), of: Self.trip(2))
        disk.fail("write", .short(20))
        disk.fail("write", .error(ENOSPC))
        #expect(throws: SystemError.self) { try catalogue.sync() }
        #expect(catalogue.isBehind)
        #expect(disk["/data/catalogue"] == before)
        let renames = disk.count("rename")
        try catalogue.sync()
        #expect(!catalogue.isBehind)
        #expect(try Self.read(disk) == catalogue.entries)
        #expect(disk.count("rename") == renames, "nothing but the line is written")
    }

    @Test(arguments: ["write", "sync", "rename"])
    func `a catalogue that cannot be rewritten leaves no draft behind`(_ call: String) throws {
        let disk = SimulatedDisk()
        var catalogue = Self.catalogue([Self.trip(1): Self.entry(1, ["a"])], on: disk)
        disk.fail(call, .error(ENOSPC))
        #expect(throws: SystemError.self) { try catalogue.write() }
        #expect(disk.names(in: "/data")?.contains("catalogue.tmp") == false)
        try catalogue.write()
        #expect(try Self.read(disk) == catalogue.entries)
    }

    @Test func `entries read back as written, the last one for each trip`() throws {
        let disk = SimulatedDisk()
        var catalogue = Self.catalogue([:], on: disk)
        catalogue.set(Self.entry(1, ["a"]), of: Self.trip(1))
        catalogue.set(CatalogueEntry(slugs: ["b", "c"]), of: Self.trip(2))
        try catalogue.sync()
        catalogue.set(Self.entry(1, ["a", "z"], version: 9), of: Self.trip(1))
        catalogue.set(nil, of: Self.trip(2))
        catalogue.set(Self.entry(3, ["b"]), of: Self.trip(3))
        try catalogue.write()
        let expected = [
            Self.trip(1): Self.entry(1, ["a", "z"], version: 9), Self.trip(3): Self.entry(3, ["b"]),
        ]
        #expect(try Self.read(disk) == expected)
        // Another process continues where this one ended.
        guard case .whole(var next) = try CatalogueReading(in: "/data", disk) else {
            Issue.record("it is whole")
            return
        }
        next.set(CatalogueEntry(slugs: ["d"]), of: Self.trip(4))
        try next.sync()
        #expect(try Self.read(disk).keys.sorted() == [1, 3, 4].map(Self.trip))
    }

    @Test func `every flipped bit and every cut is detected, and no invented entry is returned`() throws {
        let disk = SimulatedDisk()
        var catalogue = Self.catalogue([Self.trip(1): Self.entry(1, ["a"])], on: disk)
        try catalogue.sync()
        let versions = [Self.entry(1, ["a"]), Self.entry(1, ["b"], version: 8)]
        catalogue.set(versions[1], of: Self.trip(1))
        catalogue.set(Self.entry(2, ["a"]), of: Self.trip(2))
        catalogue.set(nil, of: Self.trip(2))
        try catalogue.sync()
        let bytes = try #require(disk["/data/catalogue"])
        #expect(CatalogueScan(bytes).firstBad == nil)
        func check(_ spoilt: [UInt8], _ what: String) {
            let scan = CatalogueScan(spoilt)
            #expect(scan.firstBad != nil, "\(what)")
            if let entry = scan.entries[Self.trip(1)] { #expect(versions.contains(entry), "\(what)") }
            if let entry = scan.entries[Self.trip(2)] { #expect(entry == Self.entry(2, ["a"]), "\(what)") }
        }
        for bit in 0..<bytes.count * 8 {
            var spoilt = bytes
            spoilt[bit / 8] ^= 1 << UInt8(bit % 8)
            check(spoilt, "bit \(bit)")
        }
        let ends = Set(bytes.indices.filter { bytes[$0] == .newline }.map { $0 + 1 })
        for count in 0..<bytes.count where !ends.contains(count) {
            check(Array(bytes[..<count]), "cut at \(count)")
        }
        // A missing line breaks the chain of the next line.
        let lines = bytes.split(separator: .newline).map { Array($0) + [.newline] }
        for missing in lines.indices.dropLast() {
            var rest = lines
            rest.remove(at: missing)
            check(Array(rest.joined()), "without line \(missing)")
        }
    }

    @Test func `the catalogue is rewritten at twice the needed size, and not before`() throws {
        let disk = SimulatedDisk()
        var catalogue = Self.catalogue([:], on: disk)
        var largest = 0
        for version in 1...2000 {
            catalogue.set(Self.entry(1, ["a"], version: version), of: Self.trip(1))
            try catalogue.write()
            largest = max(largest, disk["/data/catalogue"]?.count ?? 0)
        }
        #expect(try Self.read(disk) == [Self.trip(1): Self.entry(1, ["a"], version: 2000)])
        let line = CatalogueLine(Self.trip(1), Self.entry(1, ["a"])).payload().count
        #expect(largest <= 64 * 1024 + 2 * (line + 100))
        // Each rewrite makes space for so many more lines.
        #expect((1...2000 * line / (50 * 1024)).contains(disk.count("rename")))
    }

    @Test(arguments: ["open", "write", "syncData", "size"])
    func `after a failure the next write rewrites the whole file`(call: String) throws {
        let disk = SimulatedDisk()
        var catalogue = Self.catalogue([Self.trip(1): Self.entry(1, ["a"])], on: disk)
        try catalogue.sync()
        catalogue.set(Self.entry(2, ["b"]), of: Self.trip(2))
        disk.fail(call, .error(EIO))
        #expect(throws: SystemError.self) { try catalogue.sync() }
        // Noted while the content of the file is unknown.
        catalogue.set(nil, of: Self.trip(1))
        let inode = try disk.status("/data/catalogue")?.number
        try catalogue.sync()
        #expect(try disk.status("/data/catalogue")?.number != inode)
        #expect(try Self.read(disk) == [Self.trip(2): Self.entry(2, ["b"])])
    }

    @Test
    func `a crash at any call leaves a catalogue that is good or detectably bad, and synced entries remain`()
        throws
    {
        func run(_ disk: SimulatedDisk) -> Int {
            var synced = 0
            do throws(SystemError) {
                var catalogue = Self.catalogue([:], on: disk)
                for number in 1...4 {
                    catalogue.set(Self.entry(number, ["s\(number)"]), of: Self.trip(number))
                    try catalogue.sync()
                    synced = number
                }
                for version in 8...220 {
                    catalogue.set(Self.entry(4, ["s4"], version: version), of: Self.trip(4))
                    try catalogue.write()
                }
            } catch {}
            return synced
        }
        let whole = SimulatedDisk()
        _ = run(whole)
        #expect(whole.count("rename") >= 2, "a rewrite is part of it")
        for calls in stride(from: 0, through: whole.log.count, by: 1) where calls < 60 || calls % 7 == 0 {
            let disk = SimulatedDisk()
            disk.stop(after: calls)
            let synced = run(disk)
            for crash in SimulatedDisk.Crash.allCases {
                let after = disk.afterCrash(crash)
                let entries: [TripID: CatalogueEntry]
                switch try CatalogueReading(in: "/data", after) {
                case .whole(let catalogue), .damaged(let catalogue, _): entries = catalogue.entries
                case .missing: entries = [:]
                }
                for number in 0..<synced {
                    #expect(
                        entries[Self.trip(number + 1)]?.slugs == ["s\(number + 1)"],
                        "\(calls) calls, \(crash)")
                }
            }
        }
    }
}
