import Testing

@testable import TripJournal

@Suite struct JournalEncoderTests {
    @Test func `a journal matches the documented format byte for byte`() {
        var sample = JournalSample(payloads: [#"{"a":1}"#])
        sample.addMark()
        sample.add(#"{"bb":22}"#)
        // A format must stay readable for ever: change these lines only together with the format's number.
        #expect(
            String(decoding: sample.bytes, as: UTF8.self) == """
                itineraryd-journal 3 3 11112222-3333-4444-8555-666677778888 epoch-1 02b7ca16
                7 1 740b6848 {"a":1}
                synced 98 ba97b8ab
                9 2 fd368643 {"bb":22}

                """)
    }

    @Test func `encoded records read back unchanged`() throws {
        var sample = JournalSample()
        for length in [1, 9, 10, 99, 100, 5000] { sample.add(String(repeating: "é", count: length)) }
        guard case .whole(let contents) = JournalScanner.scan(sample.bytes) else {
            Issue.record("the journal is whole")
            return
        }
        #expect(contents.header == sample.header)
        #expect(contents.records(in: sample.bytes) == sample.records)
        #expect(contents.checkpoint == sample.encoder.checkpoint)
        #expect(contents.end == sample.bytes.count)
        #expect(contents.entries.map(\.offset) == sample.offsets.dropLast())
    }

    @Test func `each record continues where the last one ended`() throws {
        let sample = JournalSample(payloads: ["1", "2", "3"])
        #expect(sample.encoded[0].base == JournalEncoder(header: sample.header).checkpoint)
        #expect(sample.encoded[1].base == sample.encoded[0].end)
        var again = JournalEncoder(resuming: sample.encoded[1].end)
        #expect(try again.encode(version: 3, payload: [UInt8(ascii: "3")]) == sample.encoded[2])
    }

    @Test func `records encoded together have the same bytes as separately`() throws {
        let sample = JournalSample(payloads: ["1", "[22]", "\"é\""])
        var encoder = JournalEncoder(header: sample.header)
        var row = try encoder.encode(version: 1, payload: sample.records[0].payload)
        for record in sample.records.dropFirst() {
            try encoder.encode(version: record.version, payload: record.payload, behind: &row)
        }
        #expect(row.bytes == sample.encoded.flatMap(\.bytes))
        #expect(row.count == 3)
        #expect(row.base == sample.encoded[0].base && row.end == sample.encoded[2].end)
        #expect(encoder == sample.encoder)
        let before = (row, encoder)
        let tooMuch = [UInt8](repeating: 120, count: JournalFormat.maximumPayload + 1)
        #expect(throws: JournalPayloadTooLarge.self) {
            try encoder.encode(version: 4, payload: tooMuch, behind: &row)
        }
        #expect(row == before.0 && encoder == before.1)
    }

    @Test func `versions may skip and start anywhere from 1`() throws {
        let header = JournalHeader(tripID: JournalSample.tripID, epoch: "e")
        var encoder = JournalEncoder(header: header)
        var bytes = header.encoded()
        for version in [5, 9, JournalFormat.maximumVersion] {
            bytes += try encoder.encode(version: version, payload: [UInt8(ascii: "{")]).bytes
        }
        let scan = JournalScanner.scan(bytes)
        #expect(scan.summary == "whole")
        #expect(scan.contents?.entries.map(\.version) == [5, 9, JournalFormat.maximumVersion])
    }

    @Test func `a version near the maximum is refused, even with a correct checksum`() throws {
        let header = JournalHeader(tripID: JournalSample.tripID, epoch: "e")
        var encoder = JournalEncoder(header: header)
        var bytes = header.encoded()
        bytes += try encoder.encode(version: 1, payload: [UInt8(ascii: "{")]).bytes
        let version = JournalFormat.maximumVersion + 1
        bytes += try encoder.encode(version: version, payload: [UInt8(ascii: "{")]).bytes
        let scan = JournalScanner.scan(bytes)
        #expect(scan.summary != "whole")
        #expect(scan.contents?.entries.contains { $0.version == version } != true)
    }

    @Test func `a payload over the limit is refused and leaves the encoder unchanged`() throws {
        var encoder = JournalEncoder(header: JournalHeader(tripID: JournalSample.tripID, epoch: "e"))
        let maximum = JournalFormat.maximumPayload
        for version in 1...2 {
            let before = encoder
            #expect(throws: JournalPayloadTooLarge(count: maximum + 1, maximum: maximum)) {
                try encoder.encode(version: version, payload: [UInt8](repeating: 120, count: maximum + 1))
            }
            #expect(encoder == before)
            _ = try encoder.encode(version: version, payload: [120])
        }
        let largest = [UInt8](repeating: 120, count: JournalFormat.maximumPayload)
        #expect(try encoder.encode(version: 3, payload: largest).bytes.count > largest.count)
    }

    @Test(arguments: ["", "A", "a b", "a\n", "é", String(repeating: "a", count: 65)])
    func `an epoch of an invalid form is refused`(text: String) {
        #expect(!JournalFormat.isEpoch(text))
    }
}
