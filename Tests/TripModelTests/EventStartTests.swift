import Foundation
import TestSupport
import Testing

@testable import TripModel

/// The zone of an event that is given by a moment with an offset, and starts as people write them.
@Suite struct EventStartTests {
    private func clocks(zone: String = "Europe/Berlin") throws -> TripClocks {
        TripClocks(try TripFixture(start: "2027-06-01", zone: zone).trip)
    }

    @Test(
        arguments: [
            // The clock of the city, of the trip, and the fixed one.
            ("2027-06-11T20:50:00+01:00", "London", "Europe/London", nil),
            ("2027-06-11T20:50:00+02:00", "Donington", nil, nil),
            ("2027-06-11T20:50:00+02:00", "London", nil, nil),
            ("2027-06-11T19:00:00-04:00", "Detroit", "America/Detroit", nil),
            (
                "2027-06-11T19:00:00-04:00", "Anaheim", "Etc/GMT+4",
                "its times are in UTC−4, as -04:00 was written"
            ),
            ("2027-06-11T19:00:00-04:00", nil, "Etc/GMT+4", "its times are in UTC−4, as -04:00 was written"),
            ("2027-06-11T19:00:00+00:00", nil, "UTC", "its times are in UTC, as +00:00 was written"),
            // No zone always has half an hour.
            (
                "2027-06-11T20:00:00+05:30", nil, nil,
                "no zone always has the offset +05:30, so the time is 16:30 in Berlin time"
            ),
            // A moment in UTC tells no local time.
            ("2027-06-11T19:00:00Z", "London", nil, nil), ("2027-06-11T19:00:00-00:00", "London", nil, nil),
        ] as [(String, String?, String?, String?)])
    func `the time of day is shown as it was written`(
        text: String, city: String?, zone: String?, note: String?
    ) throws {
        let start = try clocks().start(written: text, city: city, zone: nil)
        #expect(start.moment.text == text)
        #expect(start.zone == zone)
        #expect(start.note == note.map { "\($0); timeZone=ZONE sets another" })
    }

    @Test func `a named zone is kept, whatever the offset`() throws {
        let start = try clocks().start(
            written: "2027-06-11T20:50:00+01:00", city: "London", zone: "Asia/Tokyo")
        #expect(start.zone == "Asia/Tokyo" && start.note == nil)
    }

    @Test(
        arguments: [
            ("2027-06-18 22:30", "London", "2027-06-18T22:30:00+01:00", "Europe/London"),
            ("2027-06-18T22:30", "Anaheim", "2027-06-18T22:30:00+02:00", nil),
            ("18 Jun 22:30", "New York", "2027-06-18T22:30:00-04:00", "America/New_York"),
            ("18 Jun 10 pm", nil, "2027-06-18T22:00:00+02:00", nil),
            ("1 May 9.30", "Berlin", "2028-05-01T09:30:00+02:00", nil),
        ] as [(String, String?, String, String?)])
    func `a local time is read by the clock of the city, else by that of the trip`(
        text: String, city: String?, moment: String, zone: String?
    ) throws {
        let start = try clocks().start(written: text, city: city, zone: nil)
        #expect(start.moment.text == moment)
        #expect(start.zone == zone && start.note == nil)
    }

    @Test func `a time that the clocks skip, an unknown zone and other text are refused`() throws {
        #expect(throws: MomentText.Fault.self) {
            try self.clocks(zone: "UTC").start(written: "2027-03-28 02:30", city: "Berlin", zone: nil)
        }
        let clocks = try clocks()
        do throws(MomentText.Fault) {
            _ = try clocks.start(written: "18 Jun 22:30", city: nil, zone: "Mexico")
            Issue.record("the zone is unknown")
        } catch { #expect(error.reason.contains("none is called Mexico")) }
        #expect(throws: MomentText.Fault.self) {
            try clocks.start(written: "tomorrow-ish", city: "Berlin", zone: nil)
        }
    }
}
