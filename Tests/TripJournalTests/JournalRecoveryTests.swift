import Testing

@testable import TripJournal

@Suite struct JournalRecoveryTests {
    private let sample = JournalSample(payloads: ["{}", "{}"])

    private func recovery(_ bytes: [UInt8], other: Bool = false) -> JournalRecovery {
        let trip = other ? JournalSample.otherTripID : JournalSample.tripID
        return JournalRecovery(JournalScanner.scan(bytes), of: trip)
    }

    @Test func `a whole journal is used, a torn one is cut`() throws {
        let contents = try #require(JournalScanner.scan(sample.bytes).contents)
        #expect(recovery(sample.bytes) == .use(contents))
        let torn = sample.bytes + Array("12 3 ".utf8)
        #expect(
            recovery(torn)
                == .cutTail(contents, TornTail(offset: sample.bytes.count, evidence: .lastLineIncomplete)))
    }

    @Test func `damage is quarantined, a newer format refused`() {
        var bytes = sample.bytes
        bytes[sample.offsets[0] + 8] ^= 1
        #expect(
            recovery(bytes)
                == .quarantine(JournalDamage(offset: sample.offsets[0], reason: .firstRecordMissing)))
        #expect(recovery([]) == .quarantine(JournalDamage(offset: 0, reason: .headerMalformed)))
        #expect(recovery(Array("itineraryd-journal 9 7 ".utf8)) == .refuse(lowestReader: 7))
    }

    @Test func `another trip's journal is quarantined, whatever its state`() {
        let expected = JournalRecovery.quarantine(
            JournalDamage(offset: 0, reason: .foreignTrip(JournalSample.tripID)))
        #expect(recovery(sample.bytes, other: true) == expected)
        #expect(recovery(sample.bytes.dropLast(), other: true) == expected)
        #expect(recovery(sample.bytes + [.newline], other: true) == expected)
    }
}
