import TestSupport
import Testing

/// Changes of a large header.
@Suite struct HeaderRecordTests {
    @Test func `rates and ideas are read back from the journal`() throws {
        let directory = try TemporaryDirectory()
        let server = try TestServer(in: directory)
        let client = try server.client("ann", client: id(700))
        try client.makeTrip("t", id: 91)
        try client.result("trip.update", #"{"trip":"t","rates":"JPY:0.0061 EUR"}"#)
        let idea = #"{"kind":"custom","title":"Tea","cost":{"amount":30,"currency":"EUR"},"time":"10:00"}"#
        let answer = try client.result(
            "trip.todo", #"{"trip":"t","todo":{"id":"\#(id(800))","item":\#(idea)}}"#)
        let header = try #require(answer["trip"]).text
        #expect(header.contains(#""todo":[{"id":"\#(id(800))","text":"Tea","item":\#(idea)}]"#), "\(header)")
        #expect(header.contains(#""rates":"JPY:0.0061 EUR""#))
        let restarted = try TestServer(in: try directory.copy())
        let next = try restarted.client("ann", client: id(700))
        #expect(try next.result("trip.get", #"{"trip":"t"}"#)["trip"]?.text == header)
    }

    @Test
    func `a change of one entry of a long list writes a small record, and its repeat gets the same answer`()
        throws
    {
        let directory = try TemporaryDirectory()
        let server = try TestServer(in: directory)
        let client = try server.client("ann", client: id(700))
        try client.makeTrip("t", id: 91)
        let text = String(repeating: "x", count: 500)
        for number in 0..<100 {
            try client.result(
                "trip.todo", #"{"trip":"t","todo":{"id":"\#(id(800 + number))","text":"\#(text)"}}"#)
        }
        let journal = directory.path + "/trips/\(id(91))/journal"
        let size = try readFile(journal).count
        let changes = [
            #""todo":{"id":"\#(id(850))","done":true}"#, #""todo":{"id":"\#(id(851))","text":"y"}"#,
            #""todo":{"id":"\#(id(852))","removed":true}"#,
        ]
        var answers: [String] = []
        for (index, change) in changes.enumerated() {
            answers.append(
                try client.result("trip.todo", #"{"trip":"t",\#(change),"seq":\#(index + 1)}"#).text)
        }
        answers.append(try client.result("trip.update", #"{"trip":"t","name":"Other","seq":4}"#).text)
        #expect(answers.allSatisfy { $0.utf8.count > 50_000 }, "the answer has the whole list")
        #expect(try readFile(journal).count - size < 2500)
        let restarted = try TestServer(in: try directory.copy())
        let next = try restarted.client("ann", client: id(700))
        for (index, change) in changes.enumerated() {
            let again = try next.result("trip.todo", #"{"trip":"t",\#(change),"seq":\#(index + 1)}"#)
            #expect(again.text == answers[index])
        }
        #expect(try next.result("trip.update", #"{"trip":"t","name":"Other","seq":4}"#).text == answers[3])
    }
}
