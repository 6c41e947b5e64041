import ItineraryUI
import Testing

@Suite struct PlainPartsTests {
    @Test func `lines do not depend on how their bytes arrive, and include blank ones`() {
        let limit = TypedLines.limit
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: limit)
        var bytes = Array("list\r\n\n  \nadd caf\u{E9}\nadd ".utf8) + [0xFF, 0x0A]
        bytes += long + [0x0A] + long + [0x78, 0x0A] + Array("after\nhalf".utf8)
        let wanted: [TypedLines.Line] = [
            .text("list"), .text(""), .text("  "), .text("add caf\u{E9}"), .text("add \u{FFFD}"),
            .text(String(repeating: "x", count: limit)), .overlong, .text("after"),
        ]
        for size in [1, 2, 7, 1_000, limit, bytes.count] {
            var lines = TypedLines()
            var found: [TypedLines.Line] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                lines.append(rest.prefix(size))
                rest = rest.dropFirst(size)
                while let line = lines.next() { found.append(line) }
                #expect(lines.pendingByteCount <= limit)
            }
            #expect(found == wanted, "\(size) bytes at a time")
            #expect(lines.pendingByteCount == 4)
        }
    }

    @Test func `lines wait for the trip, and an overlong one is rejected as a whole`() throws {
        var session = try PlainSession()
        #expect(session.editor.isBusy)
        try session.run("")
        #expect(!session.editor.isBusy)
        session.type("add " + String(repeating: "x", count: 600))
        #expect(session.transcript.last == "The line is full: the rest of the text is left out.")
        #expect(session.sample.trip.itemCount == 9)
        session.type("people")
        #expect(session.transcript.last == "You are Ann, and nobody else is here.")
    }

    @Test func `of many changes at once a few are printed, and then their number`() throws {
        var session = try PlainSession()
        try session.run("< Ben makes 100\n< time 1000\n< time 1000")
        let said = session.transcript.filter { !$0.hasPrefix("<") }.suffix(5)
        #expect(said.first == "You are Ann. help lists the commands.")
        #expect(said.last == "97 more changes by Ben.")
        #expect(said.count == 5)
    }

    @Test func `a long trip is listed by days at the start, and in full on request`() throws {
        var sample = try SampleTrip()
        for number in 0..<300 {
            try sample.apply(
                .add(.init(high: 5, low: UInt64(number)), SampleTrip.custom("Stop"), to: .end(day: 3)))
        }
        var session = try PlainSession(sample)
        try session.run("")
        #expect(session.transcript.count < 12)
        #expect(session.transcript.contains("Day 3, Mon 15 Jun 2026, 300 items."))
        session.type("list")
        #expect(session.transcript.contains("307. Beach.") || session.transcript.contains("309. Beach."))
        session.type("where Liberty")
        #expect(
            session.transcript.last
                == "Liberty Bell may go to 313 places on days 1 to 5; say where 4 on day 1 for those of one day."
        )
        session.type("where 4 on day 3")
        #expect(session.transcript.last == "301. Day 3, 301 of 301. After Stop.")
    }
}
