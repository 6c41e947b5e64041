import TestSupport
import Testing

@testable import TripServer

/// `said`, what an item's source said last: stored with the item, and sent on request only.
@Suite struct SaidTests {
    private static let source = #""source":{"name":"league","id":"camp"}"#
    private static let said = #""said":{"title":"Camp","date":"2026-06-14","kept":["title","day"]}"#

    private func item(_ number: Int, of client: LineClient, said: Bool) throws -> String {
        let params = said ? #"{"trip":"t","said":true}"# : #"{"trip":"t"}"#
        let items = try client.result("trip.get", params)["items"]
        let item = try #require(items?.elements.first { $0["id"]?.string == id(number) })
        return String(decoding: item.rawBytes, as: UTF8.self)
    }

    private func update(_ number: Int, _ set: String) -> String {
        #"{"trip":"t","item":"\#(id(number))","set":\#(set)}"#
    }

    @Test func `the last imported values are sent only on request`() throws {
        let server = try TestServer()
        let (ann, bob, cleo) = (try server.client("ann"), try server.client("bob"), try server.client("cleo"))
        try ann.makeTrip()
        try bob.result("trip.subscribe", #"{"trip":"t"}"#)
        try cleo.result("trip.subscribe", #"{"trip":"t","mode":"delta"}"#)
        let added =
            #"{"trip":"t","item":{"id":"\#(id(9))","kind":"custom","title":"Camp",\#(Self.source),\#(Self.said)}}"#
        #expect(try !ann.call("item.add", added).text.contains("said"))
        #expect(try !bob.next("trip.snapshot").text.contains("said"))
        #expect(try !cleo.next("trip.delta").text.contains("said"))
        #expect(try !item(9, of: ann, said: false).contains("said"))
        #expect(try item(9, of: ann, said: true).hasSuffix("\(Self.source),\(Self.said)}"))
        #expect(try !item(4, of: ann, said: true).contains("said"), "it costs other items nothing")
        let history = try ann.call("trip.history", #"{"trip":"t"}"#).text
        #expect(!history.contains("said"))
    }

    @Test
    func `the last imported values survive restarts, undo, and changes by clients that do not know them`()
        throws
    {
        let directory = try TemporaryDirectory()
        let server = try TestServer(in: directory)
        let client = try server.client("ann")
        try client.makeTrip()
        try client.result("item.update", update(4, "{\(Self.source),\(Self.said)}"))
        try client.result("item.update", update(4, #"{"title":"Ours","note":"x"}"#))
        try client.result("item.update", update(4, #"{"title":"Own",\#(Self.source)}"#))
        _ = try client.move(4, to: end(5))
        #expect(try item(4, of: client, said: true).contains(Self.said))
        let restarted = try TestServer(in: try directory.copy())
        let again = try restarted.client("ann")
        #expect(try item(4, of: again, said: true).contains(Self.said))
        try client.result("item.update", update(4, #"{\#(Self.source),"said":{"title":"Camp 2"}}"#))
        try client.result("trip.undo", #"{"trip":"t"}"#)
        #expect(try item(4, of: client, said: true).contains(Self.said))
        // Another source replaces all values.
        try client.result("item.update", update(4, #"{"source":{"name":"other","id":"camp"}}"#))
        #expect(try !item(4, of: client, said: true).contains("said"))
    }

    @Test(arguments: [
        (#"{"source":{"name":"n","id":"i"},"said":{"durationMinutes":-1}}"#, "invalid_params"),
        (#"{"source":{"name":"n","id":"i"},"said":{"time":"25:00"}}"#, "invalid_params"),
        (#"{"source":{"name":"n","id":"i"},"said":{"title":"a\u0000"}}"#, "text_not_allowed"),
        (#"{"source":{"name":"n","id":"i"},"said":{"date":"tomorrow"}}"#, "invalid_params"),
        (#"{"source":{"name":"n","id":"i"},"said":[]}"#, "invalid_params"),
        (#"{"said":{"title":"x"}}"#, "invalid_params"),
    ]) func `last imported values that no import can create are refused`(set: String, reason: String) throws {
        let server = try TestServer()
        let client = try server.client("ann")
        try client.makeTrip()
        let line = try client.call("item.update", update(4, set))
        #expect(line.reason == reason, "\(line)")
    }
}
