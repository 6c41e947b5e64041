import JSONLine
import TestSupport
import Testing

@testable import TripServer

/// The daemon's check of text, with the corpus of unsafe text in every text field.
@Suite struct HostileTextTests {
    private static func json(_ text: String) -> String {
        var json = JSONWriter()
        json.value(text)
        return String(decoding: json.take(), as: UTF8.self)
    }

    @Test(arguments: HostileText.all)
    func `text with control, bidirectional or invisible characters is refused everywhere`(
        hostile: HostileText
    ) throws {
        let server = try TestServer()
        let client = try server.client("ann")
        try client.makeTrip()
        let text = Self.json(hostile.text)
        let requests: [(String, String)] = [
            (
                "trip.create",
                #"{"name":\#(text),"slug":"s","startDate":"2026-06-11","timeZone":"UTC","dayCount":2}"#
            ),
            ("trip.update", #"{"trip":"t","name":\#(text)}"#),
            ("item.add", #"{"trip":"t","item":{"id":"\#(id(50))","kind":"custom","title":\#(text)}}"#),
            ("item.update", #"{"trip":"t","item":"\#(id(4))","set":{"note":\#(text)}}"#),
            ("item.update", #"{"trip":"t","item":"\#(id(4))","set":{"place":\#(text)}}"#),
            ("item.update", #"{"trip":"t","item":"\#(id(4))","set":{"reference":\#(text)}}"#),
            ("item.update", #"{"trip":"t","item":"\#(id(1))","set":{"venue":\#(text)}}"#),
            ("item.update", #"{"trip":"t","item":"\#(id(3))","set":{"mode":\#(text)}}"#),
        ]
        for (method, params) in requests {
            let line = try client.call(method, params)
            if hostile.isRefused {
                #expect(["text_not_allowed", "limit_exceeded"].contains(line.reason), "\(method): \(line)")
                // The error itself must be safe to show.
                #expect(HostileText.trouble(in: line.error?["message"]?.string ?? "") == [])
            } else if line.reason != "limit_exceeded" {
                #expect(line.reason == nil, "\(method): \(line)")
            }
        }
        for link in [hostile.text, "https://a.b/" + hostile.text] where hostile.isRefused {
            let params = #"{"trip":"t","item":"\#(id(4))","set":{"url":\#(Self.json(link))}}"#
            #expect(try client.call("item.update", params).error != nil)
        }
        let name = #"{"protocol":{"major":1,"minor":1},"client":{"name":"n","version":"1"},"user":\#(text)}"#
        if hostile.isRefused {
            #expect(try server.connect().call("hello", name).error != nil)
            #expect(try server.connect().call("session.restrict", #"{"user":\#(text)}"#).error != nil)
        }
    }
}
