import TestSupport
import Testing

/// "Promises on order" of the protocol, each by its number.
@Suite struct OrderTests {
    @Test func `promise 1: 200 pipelined requests are answered in order`() throws {
        let server = try TestServer()
        let (client, other) = (try server.client("ann"), try server.client("bob"))
        try client.makeTrip()
        var random = SplitMix64(seed: 1)
        var posted: [(id: Int, method: String)] = []
        var text = ""
        for number in 0..<200 {
            let method: String
            let params: String
            switch random.below(8) {
            case 0: (method, params) = ("ping", "{}")
            case 1: (method, params) = ("trip.get", #"{"trip":"t"}"#)
            case 2: (method, params) = ("item.gaps", #"{"trip":"t","item":"\#(id(3))"}"#)
            case 3: (method, params) = ("item.move", LineClient.moving(1, to: end(1)))
            case 4: (method, params) = ("trip.list", "{}")
            case 5: (method, params) = ("trip.sync", #"{"trip":"t"}"#)
            default:
                (method, params) = (
                    "item.move", LineClient.moving(4 + number % 3, to: end(1 + random.below(5)))
                )
            }
            text += client.request(method, params) + "\n"
            posted.append((number, method))
        }
        try client.send(raw: Array(text.utf8))
        // Another client commits at the same time.
        for _ in 0..<20 { _ = try other.move(6, to: end(1 + random.below(5))) }
        var first: Int?
        for (number, method) in posted {
            let line = try client.line()
            let id = try #require(line.id)
            first = first ?? id - number
            #expect(id == (first ?? 0) + number, "\(method)")
        }
    }

    @Test func `promise 2: the answer to a change precedes any snapshot with it, even for its author`() throws
    {
        let client = try TestServer().connected()
        try client.makeTrip()
        try client.subscribe()
        var text = ""
        for number in 0..<50 {
            text += client.request("item.move", LineClient.moving(4, to: end(1 + number % 4))) + "\n"
        }
        try client.send(raw: Array(text.utf8))
        var (acknowledged, received) = (1, 1)
        while received < 51 {
            let line = try client.line()
            if line.method == "trip.snapshot" {
                let version = try #require(line.version)
                #expect(version <= acknowledged)
                #expect(version > received)
                #expect(line.params?["previous"]?.int == received)
                #expect(line.params?["skipped"]?.int == version - received - 1)
                #expect(line.params?["cause"]?["user"]?.string == "ann")
                received = version
            } else if line.method == nil {
                acknowledged = try #require(line.version)
            }
        }
    }

    @Test func `promise 2: an answer contains no effect of later requests of its connection`() throws {
        let server = try TestServer.held()
        let held = try #require(server.held)
        let (client, other) = (try server.client("ann"), try server.client("bob"))
        held.hold()
        // Creation, changes and reads in one batch of the disk.
        var text =
            client.request(
                "trip.create",
                #"{"name":"x","slug":"t","startDate":"2026-06-11","timeZone":"UTC","dayCount":5}"#) + "\n"
        text += client.request("item.add", #"{"trip":"t","item":\#(custom(4, "A"))}"#) + "\n"
        for method in ["trip.get", "trip.subscribe", "trip.sync", "trip.list"] {
            text += client.request(method, #"{"trip":"t"}"#) + "\n"
            text += client.request("item.move", LineClient.moving(4, to: end(2))) + "\n"
            text += client.request("item.move", LineClient.moving(4, to: end(3))) + "\n"
        }
        try client.send(text)
        try server.awaitHeld()
        for _ in 0..<100 { try other.drain() }
        held.resume()
        var acknowledged = 0
        var answers = 0
        while answers < 14 {
            let line = try client.line()
            let shown = [
                line.version, line.result?["snapshot"]?["version"]?.int,
                line.result?["trips"]?.elements.first { _ in true }?["version"]?.int,
            ].compactMap { $0 }.max()
            if line.method == nil { answers += 1 }
            let isChange = line.result?["item"] != nil || answers == 1
            if isChange {
                #expect(shown == acknowledged + 1, "\(line)")
                acknowledged = shown ?? 0
            } else if let shown {
                #expect(shown <= acknowledged, "\(line)")
                // Everything before it has arrived too.
                if line.method == nil { #expect(shown == acknowledged, "\(line)") }
            }
        }
    }

    @Test func `promise 3: versions ascend, and the member skipped is the number of omitted ones`() throws {
        let server = try TestServer.held()
        let held = try #require(server.held)
        let (client, watcher) = (try server.client("ann"), try server.client("bob"))
        try client.makeTrip()
        try watcher.subscribe()
        held.hold()
        var ids: [Int] = []
        for number in 0..<3 {
            ids.append(try client.post("item.move", LineClient.moving(4 + number, to: end(5))))
        }
        try server.awaitHeld(3)
        held.resume()
        for one in ids { _ = try client.reply(to: one) }
        let received = try watcher.next("trip.snapshot")
        #expect(received.version == 4)
        #expect(received.params?["previous"]?.int == 1)
        #expect(received.params?["skipped"]?.int == 2)
        #expect(received.params?.keys.prefix(3) == ["previous", "skipped", "cause"])
        #expect(received.params?.places.suffix(3) == ["5 04", "5 05", "5 06"])
        try watcher.drain()
        #expect(watcher.takeNotes("trip.snapshot").isEmpty)
    }

    @Test func `promise 4: a subscription is atomic`() throws {
        let server = try TestServer()
        let (client, watcher) = (try server.client("ann"), try server.client("bob"))
        try client.makeTrip()
        for round in 0..<20 {
            let move = try client.post("item.move", LineClient.moving(4, to: end(1 + round % 2)))
            let version = try #require(try watcher.subscribe()["snapshot"]?["version"]?.int)
            _ = try client.reply(to: move)
            try client.move(4, to: end(3)).result.map { _ in }
            var known = version
            while known < 3 + 2 * round {
                let received = try watcher.next("trip.snapshot")
                #expect(received.params?["previous"]?.int == known)
                known = try #require(received.version)
            }
            try watcher.result("trip.unsubscribe", #"{"trip":"t"}"#)
            #expect(watcher.takeNotes("trip.snapshot").isEmpty)
        }
    }

    @Test func `promise 5: no byte about a change is sent before it is durable`() throws {
        let server = try TestServer.held()
        let held = try #require(server.held)
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        let made = try ann.makeTrip()
        try bob.subscribe()
        held.hold()
        let move = try ann.post("item.move", LineClient.moving(4, to: end(5)))
        try server.awaitHeld()
        // Answers computed with the change wait too; those of other clients wait as long.
        let get = try ann.post("trip.get", #"{"trip":"t"}"#)
        let ping = try ann.post("ping")
        for _ in 0..<20 { try bob.drain() }
        #expect(bob.takeNotes("trip.snapshot").isEmpty)
        let third = try server.client("carl")
        let refused = try third.post("item.move", LineClient.moving(1, to: end(5)))
        let gaps = try third.post("item.gaps", #"{"trip":"t","item":"\#(id(4))"}"#)
        for _ in 0..<20 { try bob.drain() }
        held.resume()
        let reply = try ann.reply(to: move)
        #expect(reply.version == 2)
        #expect(try ann.reply(to: get).version == 2)
        _ = try ann.reply(to: ping)
        #expect(try bob.next("trip.snapshot").version == 2)
        #expect(try third.reply(to: refused).reason == "game_immovable")
        #expect(try third.reply(to: gaps).version == 2)
        #expect(made["version"]?.int == 1)
    }

    @Test func `promise 5: a failed change is never visible, and the trip continues from the durable state`()
        throws
    {
        let server = try TestServer.held()
        let held = try #require(server.held)
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        let made = try ann.makeTrip()
        try bob.subscribe()
        held.hold()
        let moves = [
            try ann.post("item.move", LineClient.moving(4, to: end(5), #","seq":1"#)),
            try ann.post("item.move", LineClient.moving(5, to: end(5), #","seq":2"#)),
        ]
        try server.awaitHeld(2)
        held.fail(.storageFull)
        for move in moves {
            let line = try ann.reply(to: move)
            #expect(line.reason == "storage_full")
            #expect(line.error?["code"]?.int == -32014)
        }
        try bob.drain()
        #expect(bob.takeNotes("trip.snapshot").isEmpty)
        #expect(try ann.result("trip.get", #"{"trip":"t"}"#).text == made.text)
        #expect(
            try ann.result("trip.list")["trips"]?.elements.first { _ in true }?["state"]?.string
                == "read_only")
        // The repeat is forgotten: the same number counts as new.
        #expect(try ann.move(4, to: end(5), #","seq":1"#).version == 2)
        #expect(try ann.result("trip.list")["trips"]?.elements.first { _ in true }?["state"]?.string == "ok")
        held.hold()
        let lost = try ann.post("item.move", LineClient.moving(6, to: end(5)))
        try server.awaitHeld()
        held.fail(.outcomeUnknown)
        #expect(try ann.reply(to: lost).reason == "outcome_unknown")
        #expect(try ann.move(6, to: end(5)).reason == "storage_failed")
        #expect(try ann.reason("trip.delete", #"{"trip":"t"}"#) == "storage_failed")
        #expect(try ann.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 2)
    }

    @Test func `a subscription starts from the durable state, even if earlier changes fail`() throws {
        let server = try TestServer.held()
        let held = try #require(server.held)
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        try ann.subscribe()
        held.hold()
        var asked = try #require(try bob.result("daemon.stats")["requests"]?.int)
        let lost = try ann.post("item.move", LineClient.moving(4, to: end(5)))
        let again = try ann.post("trip.subscribe", #"{"trip":"t"}"#)
        // Until both have been read.
        asked += 2
        repeat { asked += 1 } while try bob.result("daemon.stats")["requests"]?.int != asked
        held.fail(.storageFull)
        #expect(try ann.reply(to: lost).reason == "storage_full")
        #expect(try ann.reply(to: again).result?["snapshot"]?["version"]?.int == 1)
        #expect(try bob.move(4, to: end(5)).version == 2)
        #expect(try ann.next("trip.snapshot").version == 2)
    }

    @Test func `promise 6: a dragging client gets nothing of three moves, then one snapshot with all`() throws
    {
        let server = try TestServer()
        let (dragger, mover, watcher) = (
            try server.client("ann"), try server.client("bob"), try server.client("carl")
        )
        try dragger.makeTrip()
        try dragger.subscribe()
        try watcher.subscribe()
        let drag = try dragger.beginDrag(3)
        for number in 4...6 { #expect(try mover.move(number, to: end(5)).version == number - 2) }
        while try watcher.next("trip.snapshot").version != 4 {}
        try dragger.drain()
        #expect(dragger.takeNotes("trip.snapshot").isEmpty)
        let drop = try dragger.call("drag.drop", #"{"drag":"\#(drag)","to":\#(end(1))}"#)
        #expect(drop.version == 5)
        // Directly after the reply.
        let received = try dragger.line()
        #expect(received.method == "trip.snapshot")
        #expect(received.version == 5)
        #expect(received.params?["previous"]?.int == 1)
        #expect(received.params?["skipped"]?.int == 3)
        #expect(received.params?.places == ["1 01", "1 03", "3 02", "5 04", "5 05", "5 06"])
        try dragger.drain()
        #expect(dragger.takeNotes("trip.snapshot").isEmpty)
    }

    @Test func `promise 6: a refused drop or a cancel also sends the deferred updates, if there are any`()
        throws
    {
        let server = try TestServer()
        let (dragger, mover) = (try server.client("ann"), try server.client("bob"))
        try dragger.makeTrip()
        try dragger.subscribe()
        let refused = try dragger.beginDrag(3)
        _ = try mover.move(4, to: end(5))
        #expect(
            try dragger.reason("drag.drop", #"{"drag":"\#(refused)","to":\#(end(5))}"#)
                == "outside_valid_days")
        #expect(try dragger.line().version == 2)
        let cancelled = try dragger.beginDrag(3)
        _ = try mover.move(5, to: end(5))
        #expect(try dragger.result("drag.cancel", #"{"drag":"\#(cancelled)"}"#)["version"]?.int == 3)
        #expect(try dragger.next("trip.snapshot").version == 3)
        let idle = try dragger.beginDrag(3)
        try dragger.result("drag.cancel", #"{"drag":"\#(idle)"}"#)
        try dragger.drain()
        #expect(dragger.takeNotes("trip.snapshot").isEmpty)
    }

    @Test func `promise 6: trip.sync overrides the deferral, which then continues`() throws {
        let server = try TestServer()
        let (dragger, mover) = (try server.client("ann"), try server.client("bob"))
        try dragger.makeTrip()
        try dragger.subscribe()
        let drag = try dragger.beginDrag(3)
        _ = try mover.move(4, to: end(5))
        let sync = try dragger.call("trip.sync", #"{"trip":"t"}"#)
        #expect(sync.version == 2)
        #expect(dragger.takeNotes("trip.snapshot").map(\.version) == [2])
        _ = try mover.move(5, to: end(5))
        try dragger.drain()
        #expect(dragger.takeNotes("trip.snapshot").isEmpty)
        try dragger.result("drag.cancel", #"{"drag":"\#(drag)"}"#)
        let received = try dragger.next("trip.snapshot")
        #expect(received.params?["previous"]?.int == 2)
        #expect(received.version == 3)
    }

    @Test func `promise 6: a drag defers only subscriptions with deferral, and only those of its trip`()
        throws
    {
        let server = try TestServer()
        let (dragger, mover) = (try server.client("ann"), try server.client("bob"))
        try dragger.makeTrip()
        try dragger.makeTrip("u", items: #"{"item":\#(custom(4, "A"))}"#)
        try dragger.subscribe("t", #","deferWhileDragging":false"#)
        try dragger.subscribe("u")
        _ = try dragger.beginDrag(3)
        _ = try mover.move(4, to: end(5))
        #expect(try dragger.next("trip.snapshot").version == 2)
        try mover.result("item.move", #"{"trip":"u","item":"\#(id(4))","to":\#(end(2))}"#)
        #expect(try dragger.next("trip.snapshot").params?["trip"]?["slug"]?.string == "u")
        // A second subscription replaces the first, and begins paused.
        try dragger.subscribe("t")
        _ = try mover.move(5, to: end(5))
        try dragger.drain()
        #expect(dragger.takeNotes("trip.snapshot").isEmpty)
    }

    @Test func `subscriptions: a second replaces the first, unsubscribing ends it`() throws {
        let server = try TestServer()
        let (watcher, mover) = (try server.client("ann"), try server.client("bob"))
        try watcher.makeTrip()
        try watcher.subscribe()
        try watcher.subscribe()
        _ = try mover.move(4, to: end(5))
        #expect(try watcher.next("trip.snapshot").version == 2)
        try watcher.drain()
        #expect(watcher.takeNotes("trip.snapshot").isEmpty)
        try watcher.result("trip.unsubscribe", #"{"trip":"t"}"#)
        _ = try mover.move(5, to: end(5))
        try watcher.drain()
        #expect(watcher.takeNotes("trip.snapshot").isEmpty)
        #expect(try watcher.subscribe()["snapshot"]?["version"]?.int == 3)
    }
}
