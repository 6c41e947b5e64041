import LocalSystem
import TestSupport
import Testing

@testable import TripServer

/// Others can be refused as often as they like, and the log stays readable.
@Suite struct RefusalLogTests {
    @Test func `each is told of once a minute, with how often they were refused since`() {
        var refusals = Refusals()
        #expect(refusals.note("eve", at: .seconds(100)) == 0)
        for second in 101..<160 { #expect(refusals.note("eve", at: .seconds(second)) == nil) }
        #expect(refusals.note("mallory", at: .seconds(120)) == 0, "another one is another line")
        #expect(refusals.note("eve", at: .seconds(160)) == 59)
        #expect(refusals.note("eve", at: .seconds(300)) == 0)
    }

    @Test func `any number of names takes bounded room, and every new one does not mean a line`() {
        var refusals = Refusals()
        let lines = (0..<10_000).count { refusals.note("\($0)", at: .seconds(10)) != nil }
        #expect(lines == Refusals.maximumNames + 1)
        #expect(refusals.note("late", at: .seconds(80)) == 0, "those of long ago make room")
    }
}
