import LocalSystem
import TestSupport
import Testing

@testable import TripServer

/// Frequent refusals do not flood the log.
@Suite struct RefusalLogTests {
    @Test func `refusals of one name are logged once a minute, with their number`() {
        var refusals = Refusals()
        #expect(refusals.note("eve", at: .seconds(100)) == 0)
        for second in 101..<160 { #expect(refusals.note("eve", at: .seconds(second)) == nil) }
        #expect(refusals.note("mallory", at: .seconds(120)) == 0, "another one is another line")
        #expect(refusals.note("eve", at: .seconds(160)) == 59)
        #expect(refusals.note("eve", at: .seconds(300)) == 0)
    }

    @Test func `any number of names uses bounded memory, and not every new name is logged`() {
        var refusals = Refusals()
        let lines = (0..<10_000).count { refusals.note("\($0)", at: .seconds(10)) != nil }
        #expect(lines == Refusals.maximumNames + 1)
        #expect(refusals.note("late", at: .seconds(80)) == 0, "those of long ago make room")
    }
}
