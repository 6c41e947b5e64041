import Foundation
import TestSupport
import Testing
import TripModel

@Suite struct MomentTests {
    // MARK: A schedule's moments

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2026-06-11T13:00:00-06:00", 1_781_204_400),
        ("2026-06-11T19:00:00z", 1_781_204_400), ("2026-06-11t19:00:00Z", 1_781_204_400),
        ("2026-06-11T19:00:00.5Z", 1_781_204_400), ("2026-06-11T19:00:00.123456789012Z", 1_781_204_400),
        ("2026-06-12T00:30:00+05:30", 1_781_204_400), ("2026-06-11T19:00:00-00:00", 1_781_204_400),
        ("1969-12-31T23:59:59Z", -1), ("2016-12-31T23:59:60Z", 1_483_228_799),
        ("2024-02-29T00:00:00Z", 1_709_164_800),
    ])
    func `a schedule's moment is RFC 3339 with an offset`(text: String, seconds: Int64) throws {
        let moment = try #require(OffsetDateTime(text))
        #expect(moment.secondsSince1970 == seconds)
        #expect(moment.text == text, "the text is kept as it came")
    }

    @Test(arguments: [
        "", "2026-06-11", "2026-06-11T13:00:00", "2026-06-11 13:00:00Z", "2026-06-11T13:00Z",
        "2026-06-11T24:00:00Z", "2026-06-11T13:60:00Z", "2026-06-11T13:00:61Z", "2026-02-30T13:00:00Z",
        "2026-06-11T13:00:00.Z", "2026-06-11T13:00:00+0600", "2026-06-11T13:00:00+06",
        "2026-06-11T13:00:00+24:00",
        "2026-06-11T13:00:00+06:60", "2026-06-11T13:00:00Z ", "2026-06-11T13:00:00−06:00",
        "2026-6-11T13:00:00Z",
        "1582-06-11T13:00:00Z", "2026-06-11T13:00:00ZZ", "2026-06-11T1３:00:00Z",
    ])
    func `text of any other form is not a moment`(text: String) {
        #expect(OffsetDateTime(text) == nil)
    }

    // MARK: A change's moments

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (1_781_204_400_123, "2026-06-11T19:00:00.123Z"),
        (-1, "1969-12-31T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (-12_212_553_600_000, "1583-01-01T00:00:00.000Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ])
    func `a timestamp is written in UTC with milliseconds, and read back`(milliseconds: Int64, text: String) {
        let moment = Timestamp(milliseconds: milliseconds)
        #expect(moment.description == text)
        #expect(Timestamp(text) == moment)
    }

    @Test func `a wrong clock is clamped to the supported range`() {
        #expect(Timestamp(milliseconds: .max).description == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp(milliseconds: .min).description == "1583-01-01T00:00:00.000Z")
    }

    @Test(arguments: [
        "2026-06-11T19:00:00Z", "2026-06-11T19:00:00.12Z", "2026-06-11T19:00:00.1234Z",
        "2026-06-11T19:00:00.123+00:00", "2026-06-11T19:00:60.000Z", "2026-06-31T19:00:00.000Z",
        "2026-06-11t19:00:00.000Z", "2026-06-11T19:00:00.000z", "", "2026-06-11T24:00:00.000Z",
    ])
    func `other forms of a timestamp are rejected`(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test func `random timestamps agree with Foundation's`() throws {
        var random = SplitMix64(seed: 11)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for _ in 0..<500 {
            let seconds = Int64.random(in: -12_212_553_600...253_402_300_799, using: &random)
            let moment = Timestamp(milliseconds: seconds * 1000)
            #expect(moment.description == Date(timeIntervalSince1970: Double(seconds)).formatted(style))
            #expect(Timestamp(moment.description) == moment)
        }
    }
}
