import Testing
import TripModel

@testable import TripJournal

@Suite struct JournalScannerTests {
    private static let sample = SpoiltJournal.sample

    @Test func `cut at every byte: whole records remain, a partial one is torn, nothing invalid is accepted`()
    {
        let sample = Self.sample
        let lineEnds = Set(sample.bytes.indices.filter { sample.bytes[$0] == .newline }.map { $0 + 1 })
        for count in 0..<sample.bytes.count {
            let cut = Array(sample.bytes[..<count])
            let scan = JournalScanner.scan(cut)
            let kept = zip(sample.records, sample.offsets.dropFirst()).filter {
                recordEnd(sample, $0.0) <= count
            }
            switch scan {
            case .whole(let contents):
                #expect(lineEnds.contains(count) && !kept.isEmpty)
                #expect(contents.records(in: cut) == kept.map(\.0))
            case .torn(let contents, let tail):
                #expect(!lineEnds.contains(count) && !kept.isEmpty)
                #expect(contents.records(in: cut) == kept.map(\.0))
                #expect(tail == TornTail(offset: contents.end, evidence: .lastLineIncomplete))
                #expect(contents.end == lineEnds.filter { $0 < count }.max())
            case .damaged:
                #expect(kept.isEmpty, "only the creation, which is atomic, is never torn")
            case .newerFormat:
                Issue.record("a cut never makes a newer format")
            }
        }
    }

    /// The offset after a record's line, without counting marks.
    private func recordEnd(_ sample: JournalSample, _ record: JournalRecord) -> Int {
        let whole = JournalScanner.scan(sample.bytes).contents
        return (whole?.entries.first { $0.version == record.version }?.payload.upperBound ?? .max - 1) + 1
    }

    @Test func `every flipped bit is refused, or loses only the last record detectably`() {
        let sample = Self.sample
        var counts: [String: Int] = [:]
        for bit in 0..<sample.bytes.count * 8 {
            var bytes = sample.bytes
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            switch JournalScanner.scan(bytes) {
            case .whole:
                Issue.record("bit \(bit) changed unnoticed")
            case .torn(let contents, let tail):
                // Only the loss of the final newline looks like a cut.
                #expect(bit / 8 == bytes.count - 1)
                #expect(contents.records(in: bytes) == sample.records.dropLast())
                #expect(tail.offset == contents.end)
                counts["torn", default: 0] += 1
            case .damaged(let damage, let contents):
                let intact = contents?.records(in: bytes) ?? []
                #expect(intact == Array(sample.records.prefix(intact.count)))
                #expect(damage.offset <= bit / 8)
                let lineStart = bytes[..<(bit / 8)].lastIndex(of: .newline).map { $0 + 1 } ?? 0
                #expect(damage.offset == lineStart || sample.bytes[bit / 8] == .newline || bit / 8 < 140)
                counts["damaged", default: 0] += 1
            case .newerFormat(let lowestReader):
                #expect(lowestReader > 1)
                counts["newer", default: 0] += 1
            }
        }
        #expect(counts["torn"] == 8)
        #expect((counts["newer"] ?? 0) < 8)
    }

    @Test func `a flipped bit in a sealed journal does not lose the last record`() {
        var sample = Self.sample
        sample.addMark()
        let records = sample.records
        for bit in 0..<sample.bytes.count * 8 {
            var bytes = sample.bytes
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            switch JournalScanner.scan(bytes) {
            case .whole: Issue.record("bit \(bit) changed unnoticed")
            case .torn(let contents, _): #expect(contents.records(in: bytes) == records)
            case .damaged, .newerFormat: break
            }
        }
    }

    @Test(arguments: SpoiltJournal.cases) func `a torn end is distinguished from damage`(
        _ test: SpoiltJournal
    ) {
        let scan = JournalScanner.scan(test.bytes)
        #expect(scan.summary == test.expected)
        if let contents = scan.contents {
            let intact = contents.records(in: test.bytes)
            #expect(intact == Array(Self.sample.records.prefix(intact.count)))
        }
    }

    /// A last write of several sectors, any of which may be lost.
    @Test
    func `any lost sectors of the last write are torn, never damage, and nothing before is lost`() {
        var sample = JournalSample(payloads: [String(repeating: "first ", count: 60)])
        sample.addMark()
        sample.add(String(repeating: "second ", count: 100))
        let synced = sample.bytes.count
        sample.addMark()
        for number in 0..<8 { sample.add(String(repeating: "record \(number) ", count: 30)) }
        let sectors = synced / 512...(sample.bytes.count - 1) / 512
        for combination in 1..<1 << sectors.count {
            var bytes = sample.bytes
            for (place, sector) in sectors.enumerated() where combination >> place & 1 == 1 {
                for index in max(synced, sector * 512)..<min(bytes.count, sector * 512 + 512) {
                    bytes[index] = 0
                }
            }
            guard case .torn(let contents, let tail) = JournalScanner.scan(bytes) else {
                Issue.record("combination \(combination): \(JournalScanner.scan(bytes).summary)")
                continue
            }
            #expect(tail.offset >= synced)
            let kept = contents.records(in: bytes)
            #expect(kept.count >= 2 && kept == Array(sample.records.prefix(kept.count)))
        }
    }

    @Test func `a sector lost before the last write is damage`() {
        var sample = JournalSample(payloads: ["{}"])
        sample.addMark()
        sample.add(String(repeating: "x", count: 3000))
        sample.addMark()
        sample.add("{}")
        var bytes = sample.bytes
        for index in 1024..<1536 { bytes[index] = 0 }
        #expect(JournalScanner.scan(bytes).summary == "damaged at \(sample.lineStart(1))")
    }

    @Test func `a length over the limit is refused before its payload is read`() {
        let first = JournalSample()
        let over = Array("\(JournalFormat.maximumPayload + 1) 1 00000000 {}\n".utf8)
        #expect(JournalScanner.scan(first.bytes + over).summary == "damaged at \(first.bytes.count)")
        let second = JournalSample(payloads: ["{}"])
        let larger = Array("\(JournalFormat.maximumPayload + 1) 2 00000000 {}\n".utf8)
        guard case .damaged(let damage, _) = JournalScanner.scan(second.bytes + larger) else {
            Issue.record("it is damaged")
            return
        }
        #expect(damage.reason == .payloadTooLarge(JournalFormat.maximumPayload + 1))
        let endless = Array((String(repeating: "9", count: 40) + " 2 00000000 {}\n").utf8)
        #expect(JournalScanner.scan(second.bytes + endless).summary == "damaged at \(second.bytes.count)")
    }

    @Test func `a version that does not ascend is damage, even with a correct checksum`() throws {
        let sample = JournalSample(payloads: ["{}", "{}"])
        let place = JournalCheckpoint(version: 0, checksum: sample.encoder.checkpoint.checksum)
        var forger = JournalEncoder(resuming: place)
        let bytes = sample.bytes + (try forger.encode(version: 2, payload: Array("{}".utf8)).bytes)
        guard case .damaged(let damage, let before?) = JournalScanner.scan(bytes) else {
            Issue.record("it is damaged")
            return
        }
        #expect(damage == JournalDamage(offset: sample.bytes.count, reason: .versionNotAscending(2)))
        #expect(before.records(in: bytes) == sample.records)
    }

    @Test func `a sync mark for more bytes than precede it is damage`() {
        let sample = JournalSample(payloads: ["{}"])
        for end in [0, sample.bytes.count - 1, sample.bytes.count + 1] {
            var bytes = sample.bytes
            SyncMark.append(end: end, seed: sample.header.checksum, to: &bytes)
            #expect(JournalScanner.scan(bytes).summary == "damaged at \(sample.bytes.count)")
        }
    }

    @Test func `headers of newer or invalid formats are refused, each with its reason`() {
        func scan(_ header: String) -> String { JournalScanner.scan(Array(header.utf8)).summary }
        #expect(scan("itineraryd-journal 5 4 whatever comes then") == "newer 4")
        #expect(scan("itineraryd-journal 3 2 whatever comes then") == "damaged at 0")
        #expect(scan("itineraryd-journal 3 1 whatever comes then") == "damaged at 0")
        #expect(scan("itineraryd-journal 1 2 a\n") == "damaged at 0")
        #expect(scan("itineraryd-journal 0 0 a\n") == "damaged at 0")
        #expect(scan("itineraryd-journals 3 2 a\n") == "damaged at 0")
    }

    @Test func `a journal of a later compatible format is read`() throws {
        var bytes = Array("itineraryd-journal 3 2 \(JournalSample.tripID) later ".utf8)
        var checksum = CRC32C()
        checksum.update(bytes)
        bytes.appendChecksum(checksum.value)
        bytes.append(.newline)
        var encoder = JournalEncoder(resuming: JournalCheckpoint(version: 0, checksum: checksum.value))
        bytes += try encoder.encode(version: 1, payload: Array("{}".utf8)).bytes
        SyncMark.append(end: bytes.count, seed: checksum.value, to: &bytes)
        bytes += try encoder.encode(version: 2, payload: Array("{}".utf8)).bytes
        let scan = JournalScanner.scan(bytes)
        #expect(scan.summary == "whole")
        #expect(scan.contents?.checkpoint == encoder.checkpoint)
        #expect(scan.contents?.header.encoded() == bytes.prefix { $0 != .newline } + [.newline])
    }
}
