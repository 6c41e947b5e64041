import JSONLine
import TestSupport
import Testing

@testable import TripServer

@Suite struct HistoryTests {
    private static func entries(_ client: LineClient, _ more: String = "") throws -> [JSONNode] {
        try client.result("trip.history", #"{"trip":"t"\#(more)}"#)["entries"]?.elements.map(\.self) ?? []
    }

    @Test func `a history line contains its items, and each field before and after`() throws {
        let server = try TestServer()
        let ann = try server.client("ann")
        try ann.makeTrip()
        try ann.result(
            "item.update",
            #"{"trip":"t","item":"\#(id(4))","set":{"title":"Z","cost":{"amount":2,"currency":"EUR"},"durationMinutes":5}}"#
        )
        try ann.result("item.update", #"{"trip":"t","item":"\#(id(4))","set":{"cost":null,"time":"09:30"}}"#)
        try ann.result("trip.update", #"{"trip":"t","name":"New","dayCount":6}"#)
        _ = try ann.move(5, to: end(5))
        let lines = try Self.entries(ann)
        #expect(
            lines.map { $0["items"]?.text } == [
                #"["\#(id(5))"]"#, "[]", #"["\#(id(4))"]"#, #"["\#(id(4))"]"#,
            ])
        let fields = lines.map { line in line["ops"]?.elements.map { $0["fields"]?.text ?? "-" } ?? [] }
        #expect(
            fields == [
                ["-"],
                [
                    #"[{"field":"name","before":"Trip t","after":"New"},"#
                        + #"{"field":"dayCount","before":5,"after":6}]"#
                ],
                [
                    #"[{"field":"cost","before":{"amount":2,"currency":"EUR"},"after":null},"#
                        + #"{"field":"time","before":null,"after":"09:30"}]"#
                ],
                [
                    #"[{"field":"title","before":"A","after":"Z"},"#
                        + #"{"field":"durationMinutes","before":null,"after":5},"#
                        + #"{"field":"cost","before":null,"after":{"amount":2,"currency":"EUR"}}]"#
                ],
            ])
    }

    @Test func `since is a version or a time`() throws {
        let server = try TestServer()
        let ann = try server.client("ann")
        try ann.makeTrip()
        for day in 1...5 { _ = try ann.move(4, to: end(day)) }
        let versions = try Self.entries(ann).compactMap { $0["version"]?.int }
        #expect(versions == [6, 5, 4, 3, 2])
        #expect(try Self.entries(ann, #","since":4"#).compactMap { $0["version"]?.int } == [6, 5])
        #expect(try Self.entries(ann, #","since":4,"before":6"#).compactMap { $0["version"]?.int } == [5])
        // The tests' clock is at 2026-05-28.
        #expect(try Self.entries(ann, #","since":"2026-05-28T00:00:00Z""#).count == 5)
        #expect(try Self.entries(ann, #","since":"2026-06-28T02:00:00+02:00""#).isEmpty)
        for wrong in ["1.5", "true", #""yesterday""#, "{}"] {
            let line = try ann.call("trip.history", #"{"trip":"t","since":\#(wrong)}"#)
            #expect(line.reason == "invalid_params" && line.data?["field"]?.string == "since")
        }
    }

    @Test func `a long answer is cut, and continues with before`() throws {
        let server = try TestServer()
        let ann = try server.client("ann")
        try ann.makeTrip()
        for number in 0..<100 {
            let note = String(repeating: number % 2 == 0 ? "x" : "y", count: 16_000)
            _ = try ann.result("item.update", #"{"trip":"t","item":"\#(id(4))","set":{"note":"\#(note)"}}"#)
        }
        let first = try Self.entries(ann, #","limit":500"#)
        #expect((30..<99).contains(first.count))
        var versions = first.compactMap { $0["version"]?.int }
        while let last = versions.last {
            let more = try Self.entries(ann, #","limit":500,"before":\#(last)"#)
            if more.isEmpty { break }
            versions += more.compactMap { $0["version"]?.int }
        }
        #expect(versions == Array((2...101).reversed()))
    }
}
