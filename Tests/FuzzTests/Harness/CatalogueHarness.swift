import LocalSystem
import SimulatedSystem
import TestSupport
import TripModel

@testable import TripJournal

/// A catalogue as a crash or another program may leave it; see `JournalText`.
enum CatalogueHarness {
    static func run(_ text: [UInt8]) throws(Finding) {
        let bytes = JournalText.catalogue(text[...])
        let scan = CatalogueScan(bytes)
        try Finding.unless(
            (0...bytes.count).contains(scan.firstBad ?? 0), "what is bad is in the file",
            "\(scan.firstBad ?? 0)")
        for (trip, entry) in scan.entries {
            var chain: UInt32 = 0
            let line = CatalogueLine(trip, entry).encoded(after: &chain)
            try Finding.unless(
                CatalogueLine(payload: line.dropFirst(9).dropLast()) == CatalogueLine(trip, entry),
                "what is read, written and read is the same", String(decoding: line, as: UTF8.self))
        }
        try checkSpoilt(scan, bytes)
        try checkWritten(scan, bytes)
    }

    /// A truncated file must keep the statements of its whole lines; a flipped bit must not add a statement.
    private static func checkSpoilt(_ scan: CatalogueScan, _ bytes: [UInt8]) throws(Finding) {
        guard scan.firstBad == nil, !bytes.isEmpty else { return }
        let said = statements(in: bytes)
        var random = SplitMix64(seed: UInt64(scan.chain))
        for _ in 0..<8 {
            let count = random.below(bytes.count)
            let cut = Array(bytes[..<count])
            let end = cut.lastIndex(of: .newline).map { $0 + 1 } ?? 0
            let rest = CatalogueScan(cut)
            try Finding.unless(
                rest.entries == CatalogueScan(Array(cut[..<end])).entries
                    && rest.firstBad == (end == count && end > 0 ? nil : end),
                "a cut leaves what was said before it", "cut at \(count)")
        }
        for _ in 0..<16 {
            var flipped = bytes
            let bit = random.below(bytes.count * 8)
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            let rest = CatalogueScan(flipped)
            try Finding.unless(
                rest.firstBad.map { $0 <= bit / 8 } == true, "a flipped bit is noticed", "bit \(bit)")
            for (trip, entry) in rest.entries {
                try Finding.unless(
                    said.contains(CatalogueLine(trip, entry)), "a flipped bit says nothing", "bit \(bit)")
            }
        }
    }

    /// The statements in the lines of an intact catalogue.
    private static func statements(in bytes: [UInt8]) -> [CatalogueLine] {
        bytes.split(separator: .newline).dropFirst().compactMap { CatalogueLine(payload: $0.dropFirst(9)) }
    }

    /// A catalogue must be unchanged after a daemon has read it, added to it and read it again.
    private static func checkWritten(_ scan: CatalogueScan, _ bytes: [UInt8]) throws(Finding) {
        let disk = SimulatedDisk()
        let trip = TripID(high: 0x4000, low: 0x8000_0000_0000_00FF)
        let noted = CatalogueEntry(slugs: ["noted"])
        do throws(SystemError) {
            disk.put(bytes, at: "/data/catalogue")
            var catalogue: Catalogue
            switch try CatalogueReading(in: "/data", disk) {
            case .whole(let whole):
                try Self.hold(scan.firstBad == nil, "a bad line is reported")
                catalogue = whole
            case .damaged(let rest, let offset):
                try Self.hold(scan.firstBad == offset, "a bad line is reported with its offset")
                catalogue = rest
            case .missing: throw SystemError(call: "status", code: 0)
            }
            try Self.hold(catalogue.entries == scan.entries, "a daemon knows what the file says")
            catalogue.set(noted, of: trip)
            for gone in scan.entries.keys.sorted().prefix(1) where gone != trip {
                catalogue.set(nil, of: gone)
            }
            try catalogue.sync()
            guard case .whole(let again) = try CatalogueReading(in: "/data", disk) else {
                throw SystemError(call: "read", code: 0)
            }
            try Self.hold(again.entries == catalogue.entries, "what was noted is read again")
        } catch {
            throw Finding("a catalogue can be written, and is whole then", "\(error)")
        }
    }

    /// `Finding.unless` for code that may only throw the disk's errors.
    private static func hold(_ holds: Bool, _ promise: String) throws(SystemError) {
        if !holds { throw SystemError(call: promise, code: 0) }
    }
}
