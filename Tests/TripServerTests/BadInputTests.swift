import JSONLine
import TestSupport
import Testing

@testable import TripServer

/// Invalid input of clients: each error has its reason, and the connection stays open.
@Suite struct BadInputTests {
    /// The reason of a refusal, after which the connection still answers.
    private static func refusal(
        _ client: LineClient, _ method: String, _ params: String, _ reason: String
    ) throws -> JSONNode {
        let line = try client.call(method, params)
        #expect(line.reason == reason, "\(method): \(line)")
        try client.drain()
        return try #require(line.data)
    }

    @Test(arguments: [(2, "server"), (0, "client")])
    func `version mismatch: the error names the older side, and the connection may retry`(
        major: Int, older: String
    )
        throws
    {
        let server = try TestServer()
        let client = try server.connect()
        let hello =
            #"{"protocol":{"major":\#(major),"minor":3},"client":{"name":"test","version":"1"},"user":"ann"}"#
        let data = try Self.refusal(client, "hello", hello, "unsupported_protocol")
        #expect(data["older"]?.string == older)
        #expect(data["client"]?["major"]?.int == major)
        #expect(data["client"]?["minor"]?.int == 3)
        #expect(data["server"]?["major"]?.int == 1)
        try client.hello("ann")
        try client.makeTrip()
    }

    @Test func `a drop after its lease has expired is refused`() throws {
        let server = try TestServer(leaseTime: .milliseconds(40))
        let client = try server.client("ann")
        try client.makeTrip()
        let drag = try client.beginDrag(4)
        _ = try client.next("drag.ended")
        let drop = #"{"drag":"\#(drag)","to":\#(end(5)),"trip":"t","seq":1}"#
        _ = try Self.refusal(client, "drag.drop", drop, "lease_expired")
        #expect(try client.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 1)
    }

    @Test func `a hover on another connection's drag is refused`() throws {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        let drag = try ann.beginDrag(4)
        let hover = #"{"drag":"\#(drag)","over":\#(end(5))}"#
        _ = try Self.refusal(bob, "drag.hover", hover, "drag_not_found")
        _ = try Self.refusal(bob, "drag.drop", #"{"drag":"\#(drag)","to":\#(end(5))}"#, "drag_not_found")
        _ = try Self.refusal(bob, "drag.cancel", #"{"drag":"\#(drag)"}"#, "drag_not_found")
        try ann.result("drag.hover", hover)
    }

    @Test(arguments: ["delta", "snapshot"])
    func `a subscription since a future, foreign, zero or negative version gets a snapshot or an error`(
        mode: String
    )
        throws
    {
        let client = try TestServer().connected()
        let made = try client.makeTrip()
        let epoch = try #require(made["epoch"]?.string)
        func reason(_ epoch: String, _ version: String) throws -> String? {
            let result = try client.subscribe(
                "t", #","mode":"\#(mode)","since":{"epoch":"\#(epoch)","version":\#(version)}"#)
            #expect(result["snapshot"]?["version"]?.int == 1)
            return result["reason"]?.string
        }
        #expect(try reason(epoch, "2") == "ahead")
        #expect(try reason(epoch, "9007199254740991") == "ahead")
        #expect(try reason("another", "1") == "epoch_changed")
        #expect(try reason("", "0") == "epoch_changed")
        let behind = mode == "delta" ? "behind" : nil
        #expect(try reason(epoch, "0") == behind)
        #expect(try reason(epoch, "-7") == behind)
        _ = try Self.refusal(
            client, "trip.subscribe", #"{"trip":"t","since":{"epoch":"\#(epoch)","version":1.0}}"#,
            "invalid_params")
        let known = try client.subscribe("t", #","since":{"epoch":"\#(epoch)","version":1}"#)
        #expect(known["upToDate"]?.bool == true)
    }

    @Test func `a failing 57th operation refuses the whole batch`() throws {
        let client = try TestServer().connected()
        let before = try client.makeTrip()
        try client.subscribe()
        var ops = (0..<56).map { #"{"op":"add","item":\#(custom(100 + $0, "x")),"to":\#(end(5))}"# }
        ops.append(#"{"op":"move","item":"\#(id(4))","to":\#(after(99, day: 5))}"#)
        ops.append(#"{"op":"remove","item":"\#(id(5))"}"#)
        let batch = #"{"trip":"t","ops":[\#(ops.joined(separator: ","))]}"#
        let data = try Self.refusal(client, "trip.apply", batch, "item_not_found")
        #expect(data["opIndex"]?.int == 56)
        #expect(client.takeNotes("trip.snapshot").isEmpty)
        #expect(try client.result("trip.get", #"{"trip":"t"}"#).text == before.text)
    }

    @Test func `a reused seq with other content, and a seq that is too old, are refused`() throws {
        let client = try TestServer().connected()
        try client.makeTrip()
        #expect(try client.move(4, to: end(5), #","seq":7"#).version == 2)
        _ = try Self.refusal(
            client, "item.move", LineClient.moving(4, to: end(1), #","seq":7"#), "seq_reuse")
        _ = try Self.refusal(
            client, "item.move", LineClient.moving(4, to: end(1), #","seq":6"#), "seq_too_old")
        #expect(try client.move(4, to: end(5), #","seq":7"#).version == 2)
        #expect(try client.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 2)
    }

    @Test func `errors contain no characters that control a terminal`() throws {
        let client = try TestServer().connected()
        try client.makeTrip()
        let text = #"x\u001b[31m\u202e\u009b\n"#
        for (method, params) in [
            ("no\(text)", "{}"), ("trip.get", #"{"trip":"\#(text)"}"#),
            ("drag.hover", #"{"drag":"\#(text)"}"#),
            ("drag.drop", #"{"drag":"\#(text)","to":{"day":1,"at":"end"},"trip":"\#(text)"}"#),
            ("trip.update", #"{"trip":"t","timeZone":"\#(text)"}"#),
            ("trip.update", #"{"trip":"t","slug":"\#(text)"}"#),
            ("item.add", #"{"trip":"t","item":{"kind":"\#(text)"}}"#),
            ("trip.apply", #"{"trip":"t","ops":[{"op":"\#(text)"}]}"#),
            ("trip.subscribe", #"{"trip":"t","mode":"\#(text)"}"#),
        ] {
            let line = try client.call(method, params)
            let message = try #require(line.error?["message"]?.string)
            #expect(
                message.unicodeScalars.allSatisfy {
                    $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0.value != 0x202E
                }, "\(message)")
        }
    }

    @Test func `undo and redo of an empty history are refused`() throws {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        _ = try Self.refusal(ann, "trip.undo", #"{"trip":"t"}"#, "nothing_to_undo")
        _ = try ann.move(4, to: end(5))
        _ = try Self.refusal(ann, "trip.redo", #"{"trip":"t"}"#, "nothing_to_redo")
        _ = try Self.refusal(bob, "trip.undo", #"{"trip":"t"}"#, "nothing_to_undo")
        try ann.result("trip.undo", #"{"trip":"t"}"#)
        _ = try Self.refusal(ann, "trip.undo", #"{"trip":"t"}"#, "nothing_to_undo")
        try ann.result("trip.redo", #"{"trip":"t"}"#)
    }
}

/// Statements of Protocol/README.md that client authors rely on.
@Suite struct HandbookTests {
    @Test func `raw UTF-8 in strings is returned unchanged`() throws {
        let client = try TestServer().connected()
        try client.makeTrip("t", items: "")
        let title = "Zürich 東京 🏨 👨‍👩‍👧"
        try client.result("item.add", #"{"trip":"t","item":\#(custom(4, title))}"#)
        let line = try client.call("trip.get", #"{"trip":"t"}"#)
        #expect(line.text.contains(title), "raw, not escaped")
    }

    @Test func `a subscriber by slug gets ids in notifications, and headers in snapshots`() throws {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        let trip = id(90)
        try ann.makeTrip("t", id: 90)
        try ann.subscribe("t", #","mode":"delta""#)
        try bob.subscribe("t")
        _ = try ann.move(4, to: end(5))
        #expect(try ann.next("trip.delta").params?["trip"]?.string == trip)
        #expect(try bob.next("trip.snapshot").params?["trip"]?["id"]?.string == trip)
        #expect(try ann.next("trip.presence").params?["trip"]?.string == trip)
        try ann.result("trip.delete", #"{"trip":"t"}"#)
        #expect(try bob.next("trip.deleted").params?["trip"]?.string == trip)
    }

    @Test func `a seq may start anywhere and must ascend, even after a restart`() throws {
        let server = try TestServer()
        let client = try server.client("ann", client: id(70))
        try client.makeTrip()
        #expect(try client.move(4, to: end(5), #","seq":-9007199254740991"#).version == 2)
        #expect(try client.move(4, to: end(1), #","seq":-4"#).version == 3)
        #expect(try client.move(4, to: end(2), #","seq":1000"#).version == 4)
        // Neither a refusal nor a change without effect is cached, so lower numbers stay free.
        #expect(try client.move(1, to: end(2), #","seq":2000"#).reason == "game_immovable")
        #expect(try client.move(4, to: end(2), #","seq":3000"#).result?["noop"]?.bool == true)
        let next = try TestServer(in: try server.directory.copy())
        let again = try next.client("ann", client: id(70))
        #expect(try again.move(4, to: end(3), #","seq":999"#).reason == "seq_too_old")
        #expect(try again.move(4, to: end(2), #","seq":1000"#).version == 4)
        #expect(try again.move(4, to: end(3), #","seq":1001"#).version == 5)
    }

    @Test func `a retried drop needs the same drag, the same place and a seq`() throws {
        let server = try TestServer()
        let ann = try server.client("ann", client: id(70))
        try ann.makeTrip()
        let (first, second) = (try ann.beginDrag(4), "another")
        func drop(_ drag: String, _ place: String, _ more: String) -> String {
            #"{"drag":"\#(drag)","to":\#(place),"trip":"t"\#(more)}"#
        }
        try ann.result("drag.drop", drop(first, end(5), #","seq":1"#))
        #expect(try ann.result("drag.drop", drop(first, end(5), #","seq":1"#))["version"]?.int == 2)
        #expect(try ann.reason("drag.drop", drop(second, end(5), #","seq":1"#)) == "seq_reuse")
        #expect(try ann.reason("drag.drop", drop(first, end(1), #","seq":1"#)) == "seq_reuse")
        let third = try ann.beginDrag(4)
        try ann.result("drag.drop", drop(third, end(1), ""))
        #expect(try ann.reason("drag.drop", drop(third, end(1), "")) == "drag_not_found")
        #expect(try ann.reason("drag.drop", drop(third, end(1), #","seq":2"#)) == "drag_not_found")
    }

    @Test func `nothing about the trip is sent between a drop's answer and the deferred state`() throws {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        try ann.subscribe()
        for round in 0..<30 {
            let drag = try ann.beginDrag(4)
            _ = try bob.move(5, to: end(1 + round % 2))
            // The drop and bob's changes also send presence.
            try bob.subscribe()
            try bob.result("trip.unsubscribe", #"{"trip":"t"}"#)
            let drop = try ann.post("drag.drop", #"{"drag":"\#(drag)","to":\#(end(2 + round % 2))}"#)
            _ = try ann.reply(to: drop)
            #expect(try ann.line().method == "trip.snapshot")
        }
    }
}
