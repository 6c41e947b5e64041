import Testing

@testable import TripJournal

/// Reading a journal that begins with a snapshot, with damage at every position.
@Suite struct CompactedScanTests {
    /// A snapshot in three parts, sealed; then writes of one record and of two, as by the writer.
    private static let sample: (bytes: [UInt8], base: Int, records: [JournalRecord]) = {
        let history = JournalSample(payloads: ["[1]", "[2]", "[3]"])
        let snapshot = JournalSnapshot(
            version: 3, parts: [#"["first part"]"#, #"["second"]"#, #"[3]"#].map { Array($0.utf8) })
        var image = JournalImage(history.header, compacted: snapshot, at: history.encoder.checkpoint)
        image.seal()
        var later = history
        for payload in [#"{"n":4}"#, #"{"n":5}"#, #"{"n":6}"#] { later.add(payload) }
        var bytes = image.bytes
        for group in [[3], [4, 5]] {
            SyncMark.append(end: bytes.count, seed: history.header.checksum, to: &bytes)
            for index in group { bytes += later.encoded[index].bytes }
        }
        return (bytes, image.baseEnd, Array(later.records[3...]))
    }()

    @Test func `a compacted journal matches the documented format byte for byte`() {
        #expect(
            String(decoding: Self.sample.bytes, as: UTF8.self) == #"""
                itineraryd-journal 3 3 11112222-3333-4444-8555-666677778888 epoch-1 02b7ca16
                snapshot 3 e3594fe1 3 dac88b9f
                part 14 79cff7bd ["first part"]
                part 10 85ea3cc5 ["second"]
                part 3 11625bd8 [3]
                synced 188 1d2d0575
                synced 208 475eb289
                7 4 18694fae {"n":4}
                synced 249 ca228ee4
                7 5 6b10bdf5 {"n":5}
                7 6 75e5f69a {"n":6}

                """#)
    }

    @Test func `a compacted journal gives its snapshot and its records`() throws {
        let sample = Self.sample
        guard case .whole(let contents) = JournalScanner.scan(sample.bytes) else {
            Issue.record("it is whole")
            return
        }
        #expect(
            contents.snapshot(in: sample.bytes)?.parts.map { String(decoding: $0, as: UTF8.self) } == [
                #"["first part"]"#, #"["second"]"#, "[3]",
            ])
        #expect(contents.records(in: sample.bytes) == sample.records)
        #expect(contents.baseEnd == sample.base)
    }

    @Test func `cut at every byte: damaged inside the snapshot, afterwards no whole record is lost`() {
        let sample = Self.sample
        for count in 0..<sample.bytes.count {
            let cut = Array(sample.bytes[..<count])
            switch JournalScanner.scan(cut) {
            case .whole(let contents), .torn(let contents, _):
                #expect(count >= sample.base)
                let records = contents.records(in: cut)
                #expect(records == Array(sample.records.prefix(records.count)))
                let lines = cut[sample.base...].split(separator: .newline, omittingEmptySubsequences: false)
                #expect(records.count == lines.dropLast().count { $0.first != JournalFormat.markWord[0] })
            case .damaged(let damage, _): #expect(count < sample.base && damage.offset <= count)
            case .newerFormat: Issue.record("a cut makes no newer format")
            }
        }
    }

    @Test func `every flipped bit is refused with its position, or loses only the last record detectably`() {
        let sample = Self.sample
        var refused = 0
        for bit in 0..<sample.bytes.count * 8 {
            var bytes = sample.bytes
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            switch JournalScanner.scan(bytes) {
            case .whole: Issue.record("bit \(bit) changed unnoticed")
            case .torn(let contents, _):
                #expect(bit / 8 == bytes.count - 1)
                #expect(contents.records(in: bytes) == Array(sample.records.dropLast()))
            case .damaged(let damage, _):
                #expect(damage.offset <= bit / 8)
                refused += 1
            case .newerFormat(let lowestReader): #expect(lowestReader > 1)
            }
        }
        #expect(refused > sample.bytes.count * 8 - 20)
    }

    @Test(arguments: [
        ("part 3 ", "part 99999999 "), ("part 3 ", "part 0 "), ("snapshot 3 ", "snapshot 0 "),
        (" 3 ", " 4 "), ("snapshot", "synced"), ("part", "par"),
    ])
    func `a snapshot with other fields is damaged`(_ change: (old: String, new: String)) {
        let text = String(decoding: Self.sample.bytes, as: UTF8.self).replacing(change.old, with: change.new)
        guard case .damaged = JournalScanner.scan(Array(text.utf8)) else {
            Issue.record("\(change) is refused")
            return
        }
    }

    @Test func `records with a broken checksum chain are refused`() throws {
        let header = JournalSample().header
        var bytes = header.encoded()
        let start = JournalEncoder(header: header).checkpoint.checksum
        for version in 1...3 {
            var encoder = JournalEncoder(
                resuming: JournalCheckpoint(version: version - 1, checksum: start))
            let record = try encoder.encode(version: version, payload: [UInt8(ascii: "0") + UInt8(version)])
            if version == 2 { #expect(JournalScanner.scan(bytes).summary == "whole") }
            bytes += record.bytes
        }
        let first = header.encoded().count + "1 1 00000000 1\n".utf8.count
        #expect(JournalScanner.scan(bytes).summary == "damaged at \(first)")
    }
}
