import Foundation
import TestSupport
import Testing
import TripModel

@Suite struct WallClockTests {
    @Test func `R-DAY: a clock agrees with Foundation's calendar, in zones of every kind, from 1583 to 9999`()
        throws
    {
        var random = SplitMix64(seed: 7)
        let zones = [
            "UTC", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia",
            "Africa/Monrovia",
            "America/St_Johns", "Asia/Pyongyang", "Pacific/Kiritimati", "Etc/GMT+12",
        ]
        for zone in zones {
            let clock = try #require(WallClock(zone: zone))
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = try #require(TimeZone(identifier: zone))
            for _ in 0..<500 {
                // Half of them in recent years, whose rules change the clock twice a year.
                let seconds =
                    Bool.random(using: &random)
                    ? Int64.random(in: -12_212_553_600...253_402_300_799, using: &random)
                    : Int64.random(in: 946_684_800...2_208_988_800, using: &random)
                let parts = calendar.dateComponents(
                    [.year, .month, .day, .hour, .minute],
                    from: Date(timeIntervalSince1970: TimeInterval(seconds)))
                let local = clock.time(atSecondsSince1970: seconds)
                let year = try #require(parts.year)
                guard CalendarDate.years.contains(year) else {
                    #expect(local == nil)
                    continue
                }
                #expect(
                    local?.date.year == year && local?.date.month == parts.month
                        && local?.date.day == parts.day
                        && local?.minute == (parts.hour ?? 0) * 60 + (parts.minute ?? 0),
                    "\(zone), \(seconds) s after 1970: \(String(describing: local)), not \(parts)")
            }
        }
    }

    @Test(arguments: [.min, .max] as [Int64])
    func `R-DAY: moments beyond all calendars have no local time, and do not trap`(seconds: Int64) throws {
        for zone in ["UTC", "Asia/Tokyo", "America/New_York"] {
            #expect(try #require(WallClock(zone: zone)).time(atSecondsSince1970: seconds) == nil)
        }
    }
}
