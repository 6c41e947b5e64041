import Foundation
import TestSupport
import Testing
import TripModel

@Suite struct IdentifierTests {
    @Test func `an id is a lower-case UUID, read and written the same`() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<1000 {
            let id = ItemID.random(using: &random)
            let text = id.description
            #expect(ItemID(text) == id)
            #expect(UUID(uuidString: text)?.uuidString.lowercased() == text)
            #expect(Array(text)[14] == "4" && "89ab".contains(Array(text)[19]), "version 4, variant 1")
        }
    }

    @Test func `ids, moments, dates and times convert to the types of Foundation and back`() throws {
        var random = SplitMix64(seed: 3)
        for _ in 0..<1000 {
            let id = ItemID(high: random.next(), low: random.next())
            #expect(UUID(id).uuidString.lowercased() == id.description)
            #expect(ItemID(UUID(id)) == id)
            let moment = Timestamp(
                milliseconds: Int64(bitPattern: random.next()) % Timestamp.writable.upperBound)
            #expect(Timestamp(Date(moment)) == moment)
        }
        #expect(Timestamp(Date.distantPast).milliseconds == Timestamp.writable.lowerBound)
        for seconds in [Double.infinity, -.infinity, 1e300, .nan] {
            let bounds = Timestamp.writable
            #expect(
                Timestamp(Date(timeIntervalSince1970: seconds)).milliseconds
                    == (seconds > 0 ? bounds.upperBound : bounds.lowerBound))
        }
        let start = try #require(OffsetDateTime("2026-06-11T18:00:00+02:00"))
        #expect(Date(start) == Date(timeIntervalSince1970: 1_781_193_600))
        let date = try #require(CalendarDate("2028-02-29"))
        #expect(DateComponents(date) == DateComponents(year: 2028, month: 2, day: 29))
        let time = try #require(ClockTime("19:05"))
        #expect(DateComponents(time) == DateComponents(hour: 19, minute: 5))
    }

    @Test(arguments: [
        "", "00000000-0000-0000-0000-00000000000", "00000000-0000-0000-0000-0000000000000",
        "0000000A-0000-0000-0000-000000000000", "00000000x0000-0000-0000-000000000000",
        "{0000000-0000-0000-0000-00000000000}", "g0000000-0000-0000-0000-000000000000",
        "0000000-00000-0000-0000-000000000000", "é0000000-0000-0000-0000-00000000000",
    ])
    func `text of any other form is not an id`(text: String) {
        #expect(ItemID(text) == nil)
    }

    @Test func `every position of an id accepts a lower-case digit, or its hyphen, and no other byte`() {
        let text = Array("01234567-89ab-cdef-fedc-ba9876543210".utf8)
        let digits = Array("0123456789abcdef".utf8)
        for place in text.indices {
            for byte in 0...UInt8.max {
                var changed = text
                changed[place] = byte
                let id = changed.withUnsafeBufferPointer { ItemID(utf8: $0) }
                let isRight = text[place] == UInt8(ascii: "-") ? byte == text[place] : digits.contains(byte)
                #expect((id != nil) == isRight, "byte \(byte) at \(place)")
                if let id { #expect(Array(id.description.utf8) == changed) }
            }
        }
    }

    @Test func `R-FLAT-02: ids order as the UTF-8 bytes of their text`() {
        var random = SplitMix64(seed: 2)
        for _ in 0..<1000 {
            let high = random.next() >> random.below(64)
            let left = ItemID(high: high, low: random.next())
            let right = ItemID(high: random.chance(50) ? high : random.next(), low: random.next())
            let byBytes = left.description.utf8.lexicographicallyPrecedes(right.description.utf8)
            #expect((left < right) == byBytes)
        }
    }
}
