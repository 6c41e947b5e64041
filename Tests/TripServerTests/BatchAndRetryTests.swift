import TestSupport
import Testing

@Suite struct BatchTests {
    private static func remove(_ number: Int) -> String { #"{"op":"remove","item":"\#(id(number))"}"# }

    @Test func `a delta names its user by the bytes of the name, also if two names are canonically equal`()
        throws
    {
        let server = try TestServer()
        let client = "11111111-1111-4111-8111-111111111111"
        let (composed, decomposed) = ("Jos\u{E9}", "Jose\u{301}")
        let first = try server.client(composed, client: client)
        try first.makeTrip()
        let (second, bob) = (try server.client(decomposed, client: client), try server.client("bob"))
        try bob.subscribe("t", #","mode":"delta""#)
        for (day, (mover, name)) in [(first, composed), (second, decomposed), (first, composed)].enumerated()
        {
            try mover.result("item.move", LineClient.moving(4, to: end(2 + day)))
            let user = try bob.next("trip.delta").params?["cause"]?["user"]?.string
            #expect(user.map { Array($0.utf8) } == Array(name.utf8))
        }
    }

    @Test func `a batch is one version and one broadcast, and each operation sees the earlier ones`() throws {
        let server = try TestServer()
        let (client, watcher) = (try server.client("ann"), try server.client("bob"))
        try client.makeTrip()
        try watcher.subscribe()
        let ops = [
            #"{"op":"add","item":\#(custom(7, "D")),"to":\#(end(5))}"#,
            #"{"op":"move","item":"\#(id(4))","to":\#(after(7, day: 5))}"#,
            #"{"op":"update","item":"\#(id(5))","set":{"title":"BB"}}"#, Self.remove(6),
            #"{"op":"trip","name":"New"}"#,
        ]
        let result = try client.result("trip.apply", #"{"trip":"t","ops":[\#(ops.joined(separator: ","))]}"#)
        #expect(result.keys == ["version", "items"])
        #expect(result["version"]?.int == 2)
        #expect(result["items"]?.places.sorted() == ["4 05", "5 04", "5 07"])
        let received = try watcher.next("trip.snapshot")
        #expect(received.version == 2)
        #expect(received.params?["previous"]?.int == 1)
        #expect(received.params?["cause"]?["method"]?.string == "trip.apply")
        #expect(received.params?["trip"]?["name"]?.string == "New")
        #expect(received.params?.places == ["1 01", "2 03", "3 02", "4 05", "5 07", "5 04"])
        try watcher.drain()
        #expect(watcher.takeNotes("trip.snapshot").isEmpty)
    }

    @Test func `a batch whose last operation fails changes nothing, and the error has its index`() throws {
        let client = try TestServer().connected()
        let before = try client.makeTrip()
        var ops = (0..<56).map { #"{"op":"add","item":\#(custom(100 + $0, "x")),"to":\#(end(5))}"# }
        ops.append(#"{"op":"move","item":"\#(id(1))","to":\#(end(5))}"#)
        let refused = try client.call("trip.apply", #"{"trip":"t","ops":[\#(ops.joined(separator: ","))]}"#)
        #expect(refused.reason == "game_immovable")
        #expect(refused.data?["opIndex"]?.int == 56)
        let malformed = try client.call(
            "trip.apply", #"{"trip":"t","ops":[\#(Self.remove(4)),{"op":"move"}]}"#)
        #expect(malformed.data?["opIndex"]?.int == 1)
        #expect(try client.result("trip.get", #"{"trip":"t"}"#).text == before.text)
        let full = Array(ops.prefix(56)) + (0..<72).map { #"{"op":"add","item":\#(custom(200 + $0, "x"))}"# }
        #expect(full.count == 128)
        let done = try client.result("trip.apply", #"{"trip":"t","ops":[\#(full.joined(separator: ","))]}"#)
        #expect(done["items"]?.count == 128)
        #expect(done["version"]?.int == 2)
    }

    @Test func `a batch that touches a leased item is refused`() throws {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        _ = try ann.beginDrag(4)
        let refused = try bob.call(
            "trip.apply", #"{"trip":"t","ops":[\#(Self.remove(5)),\#(Self.remove(4))]}"#)
        #expect(refused.reason == "item_held")
        #expect(refused.data?["opIndex"]?.int == 1)
        #expect(refused.data?["by"]?.string == "ann")
    }
}

@Suite struct RetryTests {
    private let mine = id(70)

    @Test func `a retry gets the same answer and changes nothing; other clients have their own seq`() throws {
        let server = try TestServer()
        let ann = try server.client("ann", client: mine)
        try ann.makeTrip()
        let first = try #require(try ann.move(4, to: end(5), #","seq":5"#).result)
        try ann.move(5, to: end(5)).result.map { _ in }
        #expect(try ann.move(4, to: end(5), #","seq":5"#).result?.text == first.text)
        // After a reconnect, with the members in another order.
        let again = try server.client("ann", client: mine)
        let reordered = #"{"seq":5, "to":{"at":"end","day":5},"item":"\#(id(4))","trip":"t"}"#
        #expect(try again.result("item.move", reordered).text == first.text)
        #expect(try again.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 3)
        // Another client has its own numbers.
        let bob = try server.client("bob")
        #expect(try bob.move(6, to: end(5), #","seq":5"#).version == 4)
    }

    @Test func `a reused sequence number and a too old one are refused`() throws {
        let client = try TestServer().connected()
        try client.makeTrip()
        #expect(try client.move(4, to: end(5), #","seq":5"#).version == 2)
        let reuse = try client.move(4, to: start(5), #","seq":5"#)
        #expect(reuse.reason == "seq_reuse")
        #expect(reuse.error?["code"]?.int == -32012)
        #expect(try client.reason("item.remove", #"{"trip":"t","item":"\#(id(4))","seq":5}"#) == "seq_reuse")
        // A refusal is not cached, and number 8 makes all lower numbers too old.
        #expect(try client.move(4, to: end(9), #","seq":7"#).reason == "day_out_of_range")
        #expect(try client.move(5, to: end(5), #","seq":8"#).version == 3)
        let old = try client.move(4, to: end(9), #","seq":7"#)
        #expect(old.reason == "seq_too_old")
        #expect(old.error?["code"]?.int == -32012)
        #expect(try client.move(4, to: end(5), #","seq":5"#).version == 2)
        #expect(try client.move(4, to: end(5), #","seq":-3"#).reason == "seq_too_old")
    }

    @Test func `the last 256 answers are cached, and earlier changes are known to be applied`() throws {
        let client = try TestServer().connected()
        try client.makeTrip()
        var ids: [Int] = []
        for seq in 1...520 {
            ids.append(
                try client.post("item.move", LineClient.moving(4, to: end(1 + seq % 2), #","seq":\#(seq)"#)))
        }
        for one in ids { _ = try client.reply(to: one) }
        let made = try #require(try client.move(4, to: end(2), #","seq":1"#).result)
        #expect(made.keys == ["version", "repeated"])
        #expect(made["version"]?.int == 2 && made["repeated"]?.bool == true)
        let kept = try client.move(4, to: end(1 + 300 % 2), #","seq":300"#)
        #expect(kept.version == 301 && kept.result?["item"] != nil)
        #expect(try client.move(4, to: end(1), #","seq":0"#).reason == "seq_too_old")
    }

    @Test func `answers are cached across a restart`() throws {
        let directory = try TemporaryDirectory()
        let draft =
            #"{"id":"\#(id(90))","name":"x","slug":"s","startDate":"2026-06-11","timeZone":"UTC","dayCount":2}"#
        let add = #"{"trip":"s","item":\#(custom(4, "A")),"seq":3}"#
        let (created, added): (String, String)
        do {
            let server = try TestServer(in: directory)
            let ann = try server.client("ann", client: mine)
            created = try ann.result("trip.create", draft).text
            added = try ann.result("item.add", add).text
        }
        let server = try TestServer(in: try directory.copy())
        let ann = try server.client("ann", client: mine)
        #expect(try ann.result("item.add", add).text == added)
        #expect(try ann.reason("item.add", #"{"trip":"s","item":\#(custom(5, "A")),"seq":3}"#) == "seq_reuse")
        #expect(
            try ann.reason("item.add", #"{"trip":"s","item":\#(custom(5, "A")),"seq":2}"#) == "seq_too_old")
        #expect(try ann.result("trip.create", draft)["version"]?.int == 2)
        #expect(created.contains(#""version":1"#))
        #expect(try server.client("bob").reason("trip.create", draft) == "duplicate_id")
    }

    @Test func `a drop can be retried by its trip after its drag has ended`() throws {
        let server = try TestServer()
        let ann = try server.client("ann", client: mine)
        try ann.makeTrip()
        let drag = try ann.beginDrag(4)
        let drop = #"{"drag":"\#(drag)","trip":"t","to":\#(end(5)),"seq":1}"#
        let first = try ann.result("drag.drop", drop)
        #expect(try ann.result("drag.drop", drop).text == first.text)
        let again = try server.client("ann", client: mine)
        #expect(try again.result("drag.drop", drop).text == first.text)
        #expect(
            try again.reason("drag.drop", #"{"drag":"\#(drag)","trip":"t","to":\#(end(4)),"seq":1}"#)
                == "seq_reuse")
        #expect(
            try again.reason("drag.drop", #"{"drag":"\#(drag)","trip":"t","to":\#(end(5)),"seq":2}"#)
                == "drag_not_found")
        #expect(
            try again.reason("drag.drop", #"{"drag":"\#(drag)","to":\#(end(5)),"seq":1}"#) == "invalid_params"
        )
        // A dry run gets no cached answer: there is no drag to try.
        #expect(
            try again.reason(
                "drag.drop", #"{"drag":"\#(drag)","trip":"t","to":\#(end(5)),"seq":1,"dryRun":true}"#)
                == "drag_not_found")
        let viewer = try server.client("ann", role: "viewer", client: mine)
        #expect(try viewer.reason("drag.drop", drop) == "drag_not_found")
        #expect(try again.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 2)
    }

    @Test func `a retry waits until the original change is durable`() throws {
        let server = try TestServer.held()
        let held = try #require(server.held)
        let (ann, again) = (try server.client("ann", client: mine), try server.client("ann", client: mine))
        try ann.makeTrip()
        held.hold()
        let first = try ann.post("item.move", LineClient.moving(4, to: end(5), #","seq":1"#))
        try server.awaitHeld()
        let second = try again.post("item.move", LineClient.moving(4, to: end(5), #","seq":1"#))
        let ping = try again.post("ping")
        held.resume()
        let answer = try ann.reply(to: first)
        #expect(try again.reply(to: second).result?.text == answer.result?.text)
        #expect(answer.version == 2)
        _ = try again.reply(to: ping)
    }
}
