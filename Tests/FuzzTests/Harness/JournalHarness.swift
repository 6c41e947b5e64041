import LocalSystem
import SimulatedSystem
import TestSupport
import TripModel

@testable import TripJournal
@testable import TripServer

/// A journal from an unknown writer, in the form of `JournalText`.
enum JournalHarness {
    static func run(_ text: [UInt8]) throws(Finding) {
        let bytes = JournalText.journal(text[...])
        let scan = JournalScanner.scan(bytes)
        if let contents = scan.contents { try checkPlaces(in: contents, bytes) }
        _ = JournalScanner.highestVersionNamed(in: bytes, from: scan.contents?.end ?? 0)
        switch scan {
        case .whole(let contents):
            try Finding.unless(contents.end == bytes.count, "a whole journal is whole")
            try checkRewritten(contents, bytes)
            try checkSpoilt(contents, bytes)
            try checkSealed(contents, bytes)
        case .torn(let contents, let tail):
            try Finding.unless(tail.offset == contents.end, "what is torn begins where what is good ends")
            try Finding.unless(contents.syncedEnd <= tail.offset, "nothing that was synced is torn")
            try checkRewritten(contents, bytes)
        case .damaged(let damage, _):
            try Finding.unless(
                (0...bytes.count).contains(damage.offset) && !damage.description.isEmpty,
                "damage has a place", "\(damage)")
            return
        case .newerFormat(let reader):
            return try Finding.unless(reader > JournalFormat.current, "a newer format is newer", "\(reader)")
        }
        try checkOpened(bytes, scan)
    }

    // MARK: The scan

    private static func checkPlaces(in contents: JournalContents, _ bytes: [UInt8]) throws(Finding) {
        try Finding.unless(
            contents.end <= bytes.count && contents.syncedEnd <= contents.end
                && contents.baseEnd <= contents.end,
            "places are in the file", "\(contents)")
        var version = contents.snapshot?.version ?? 0
        var end = contents.snapshot?.end ?? 0
        for part in contents.snapshot?.parts ?? [] {
            try Finding.unless(
                !part.isEmpty && !bytes[part].contains(.newline) && part.upperBound < bytes.count,
                "a part is a line")
        }
        for entry in contents.entries {
            try Finding.unless(entry.version > version, "versions rise", "\(entry)")
            try Finding.unless(
                entry.offset >= end && entry.payload.lowerBound > entry.offset
                    && entry.payload.upperBound < contents.end && !entry.payload.isEmpty
                    && !bytes[entry.payload].contains(.newline),
                "a record is a line after the one before", "\(entry)")
            version = entry.version
            end = entry.payload.upperBound + 1
        }
        try Finding.unless(contents.checkpoint.version == version, "the next record follows the last one")
    }

    /// Contents must be unchanged after they are written and read again, with a snapshot and without checksum
    /// footers.
    private static func checkRewritten(_ contents: JournalContents, _ bytes: [UInt8]) throws(Finding) {
        let header = JournalHeader(tripID: contents.header.tripID, epoch: "again")
        let records = contents.records(in: bytes)
        let snapshot = contents.snapshot(in: bytes)
        let image = JournalImage(header, snapshot: snapshot, records: records)
        guard case .whole(let again) = JournalScanner.scan(image.bytes) else {
            throw Finding("what is written is whole", "\(JournalScanner.scan(image.bytes))")
        }
        try Finding.unless(
            again.records(in: image.bytes) == records && again.snapshot(in: image.bytes) == snapshot
                && again.checkpoint == image.checkpoint && again.header == header,
            "what is read, written and read is the same")
        guard
            let (lines, place) = JournalScanner.records(
                in: Array(bytes[contents.baseEnd..<contents.end]), after: base(of: contents, bytes),
                seed: contents.header.checksum)
        else { throw Finding("records that were read once are read alone") }
        try Finding.unless(
            place == contents.checkpoint
                && lines == contents.entries.flatMap { bytes[$0.offset...$0.payload.upperBound] },
            "records that are read alone are the same")
    }

    /// The position at which the first record begins.
    private static func base(of contents: JournalContents, _ bytes: [UInt8]) -> JournalCheckpoint {
        let header = contents.header.encoded()
        guard contents.snapshot != nil else {
            return JournalCheckpoint(version: 0, checksum: contents.header.checksum)
        }
        var cursor = JournalText.Words(bytes[header.count...])
        _ = (cursor.next(), cursor.next())
        let chain = UInt32(String(decoding: cursor.next(), as: UTF8.self), radix: 16) ?? 0
        return JournalCheckpoint(version: contents.snapshot?.version ?? 0, checksum: chain)
    }

    // MARK: Power cuts and decay

    /// A truncated journal must keep its first records; a flipped bit must not add one.
    private static func checkSpoilt(_ contents: JournalContents, _ bytes: [UInt8]) throws(Finding) {
        let records = contents.records(in: bytes)
        let snapshot = contents.snapshot(in: bytes)
        var random = SplitMix64(seed: UInt64(contents.checkpoint.checksum))
        var cuts = (0..<12).map { _ in random.below(bytes.count) }
        for entry in contents.entries.suffix(4) { cuts += [entry.offset, entry.payload.upperBound] }
        for count in cuts {
            let cut = Array(bytes[..<count])
            switch JournalScanner.scan(cut) {
            case .whole(let rest), .torn(let rest, _):
                let kept = rest.records(in: cut)
                let whole = contents.entries.count { $0.payload.upperBound < count }
                try Finding.unless(
                    kept == Array(records.prefix(whole)) && rest.snapshot(in: cut) == snapshot,
                    "a cut leaves all records before it", "cut at \(count): \(kept.count) of \(whole)")
            case .damaged(_, let rest):
                try Finding.unless(
                    rest?.isEmpty != false
                        && contents.entries.first.map { $0.payload.upperBound < count } != true,
                    "a cut is no damage once there is something to keep", "cut at \(count)")
            case .newerFormat: throw Finding("a cut makes no newer format", "cut at \(count)")
            }
        }
        for _ in 0..<24 {
            var flipped = bytes
            let bit = random.below(bytes.count * 8)
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            let scan = JournalScanner.scan(flipped)
            if case .whole = scan { throw Finding("a flipped bit is noticed", "bit \(bit)") }
            guard let rest = scan.contents else { continue }
            let kept = rest.records(in: flipped)
            try Finding.unless(
                kept == Array(records.prefix(kept.count))
                    && (rest.snapshot == nil || rest.snapshot(in: flipped) == snapshot)
                    && rest.header == contents.header,
                "a flipped bit makes no record", "bit \(bit)")
        }
    }

    /// A footer at the end must cover the whole journal, and one footer is enough.
    private static func checkSealed(_ contents: JournalContents, _ bytes: [UInt8]) throws(Finding) {
        let sealed = JournalImage.sealing(bytes, contents.header)
        guard case .whole(let again) = JournalScanner.scan(sealed) else {
            throw Finding("a sealed journal is whole")
        }
        try Finding.unless(
            again.records(in: sealed) == contents.records(in: bytes)
                && again.checkpoint == contents.checkpoint
                && JournalImage.sealing(sealed, contents.header) == sealed,
            "a seal changes nothing")
        // If the end of the covered part is lost, the journal is damaged, not torn.
        var spoilt = sealed
        spoilt[contents.end - 1] ^= 1
        if case .torn(let rest, _) = JournalScanner.scan(spoilt) {
            try Finding.unless(
                rest.records(in: spoilt) == contents.records(in: bytes), "nothing that is vouched for is cut")
        }
    }

    // MARK: The daemon's handling

    /// A journal must have the same contents after it is opened and repaired, after it is opened again, and
    /// after compaction.
    private static func checkOpened(_ bytes: [UInt8], _ scan: JournalScan) throws(Finding) {
        guard let trip = scan.contents?.header.tripID else { return }
        let disk = SimulatedDisk()
        let store = JournalStore(fileSystem: disk, directory: "/data")
        let first: JournalOpening
        let second: JournalOpening
        do throws(SystemError) {
            try store.prepare()
            try disk.makeDirectory(store.directory(of: trip))
            disk.put(bytes, at: store.journal(of: trip))
            first = try store.open(trip) { "fresh-epoch" }
            second = try store.open(trip) { "fresher-epoch" }
        } catch {
            throw Finding("a disk that works is used", "\(error)")
        }
        guard case .opened(let journal) = first, case .opened(let again) = second else {
            throw Finding("what is whole or torn is opened", "\(first), \(second)")
        }
        try Finding.unless(
            journal.records == scan.contents?.records(in: bytes)
                && journal.snapshot == scan.contents?.snapshot(in: bytes),
            "what is good is served")
        try Finding.unless(
            again.repair == nil && again.records == journal.records && again.snapshot == journal.snapshot
                && again.checkpoint == journal.checkpoint && again.header == journal.header,
            "what was repaired is whole")
        let replay: TripReplay
        do throws(ReplayFailure) { replay = try TripReplay(journal) } catch { return }
        try checkCompacted(replay, journal)
    }

    private static func checkCompacted(_ replay: TripReplay, _ journal: OpenedJournal) throws(Finding) {
        let snapshot: JournalSnapshot
        do throws(RecordFailure) { snapshot = try replay.snapshot.encoded() } catch { return }
        let image = JournalImage(journal.header, compacted: snapshot, at: journal.checkpoint)
        guard case .whole(let contents) = JournalScanner.scan(image.bytes) else {
            throw Finding("a compacted journal is whole")
        }
        let again: TripReplay
        do throws(ReplayFailure) { again = try TripReplay(OpenedJournal(contents, in: image.bytes)) } catch {
            throw Finding("a compacted journal is read", "version \(error.version): \(error.message)")
        }
        try Finding.unless(
            again.trip == replay.trip && contents.checkpoint == journal.checkpoint,
            "a compacted journal gives the same trip")
        let twice: JournalSnapshot
        do throws(RecordFailure) { twice = try again.snapshot.encoded() } catch {
            throw Finding("what was compacted can be compacted", error.message)
        }
        try Finding.unless(twice == snapshot, "compacted twice it is the same")
    }
}
