import Testing

@testable import TripServer

/// PROTOCOL, Drags.
@Suite struct DragTests {
    private static func item(_ number: Int) -> String { #"{"trip":"t","item":"\#(id(number))"}"# }

    @Test func `a held item refuses others, with the holder's name; everything else goes on`() throws {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        _ = try ann.beginDrag(4)
        let attempts = [
            ("item.move", LineClient.moving(4, to: end(5))), ("item.remove", Self.item(4)),
            ("item.update", #"{"trip":"t","item":"\#(id(4))","set":{"title":"x"}}"#),
            ("drag.begin", Self.item(4)),
        ]
        for (method, params) in attempts {
            let line = try bob.call(method, params)
            #expect(line.reason == "item_held", "\(method)")
            #expect(line.data?["by"]?.string == "ann")
            #expect(line.error?["code"]?.int == -32012)
        }
        // The same user on another connection is another.
        #expect(try server.client("ann").move(4, to: end(5)).reason == "item_held")
        // Moves beside it, and of the holder itself, go on.
        #expect(try bob.move(5, to: before(4, day: 4)).version == 2)
        #expect(try ann.move(4, to: end(5)).version == 3)
        _ = try bob.beginDrag(5)
    }

    @Test(arguments: ["delta", "snapshot"])
    func `the gaps of a drag are those of the replica, however much is told before its answer`(mode: String)
        throws
    {
        let server = try TestServer.held()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        try ann.subscribe("t", #","mode":"\#(mode)""#)
        server.held?.hold()
        let first = try bob.post("item.move", LineClient.moving(5, to: end(1)))
        try server.awaitHeld()
        let begin = try ann.post("drag.begin", Self.item(4))
        let trip = try #require(try server.ask { $0.registry.id(of: .slug("t")) })
        try server.awaitReleases(2, of: trip)
        let second = try bob.post("item.move", LineClient.moving(6, to: start(5)))
        try server.awaitHeld(2)
        // One write of the disk brings both.
        server.held?.letGo()
        _ = (try bob.reply(to: first), try bob.reply(to: second))
        let begun = try #require(try ann.reply(to: begin).result)
        let told = ann.takeNotes().compactMap { $0.params?["version"]?.int }.max()
        #expect(begun["version"]?.int == 3 && told == 3)
        let after = begun["gaps"]?.elements.filter { $0["day"]?.int == 5 }.map { $0["after"]?.string }
        #expect(after == [nil, id(6)])
    }

    @Test func `a drag's answer is not newer than what is told before it, however slowly that is read`()
        throws
    {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        // More than a socket takes at once.
        for first in stride(from: 100, to: 160, by: 30) {
            let ops = (first..<first + 30).map {
                #"{"op":"add","item":{"id":"\#(id($0))","kind":"custom","title":"x","note":"\#(String(repeating: "n", count: 16_000))"},"to":\#(end(5))}"#
            }
            try ann.result("trip.apply", #"{"trip":"t","ops":[\#(ops.joined(separator: ","))]}"#)
        }
        try ann.subscribe()
        try bob.result("item.move", LineClient.moving(5, to: end(1)))
        let begin = try ann.post("drag.begin", Self.item(4))
        try server.wait { $0.connections.values.contains { !$0.writes.isEmpty } }
        for day in [2, 3, 1, 2] { try bob.result("item.move", LineClient.moving(5, to: end(day))) }
        let begun = try ann.reply(to: begin)
        #expect(begun.version == ann.takeNotes("trip.snapshot").last?.version)
        try bob.settle()
    }

    @Test func `games, missing items, and one drag a connection and trip`() throws {
        let client = try TestServer().connected()
        try client.makeTrip()
        try client.makeTrip("u", items: #"{"item":\#(custom(4, "A"))}"#)
        #expect(try client.reason("drag.begin", Self.item(1)) == "game_immovable")
        #expect(try client.reason("drag.begin", Self.item(99)) == "item_not_found")
        _ = try client.beginDrag(4)
        for number in [4, 5] {
            let line = try client.call("drag.begin", Self.item(number))
            #expect(line.reason == "already_dragging")
            #expect(line.error?["code"]?.int == -32012)
        }
        _ = try client.beginDrag(4, trip: "u")
    }

    @Test("`gaps: false` leaves out what the client has worked out, and nothing else")
    func withoutGaps() throws {
        let client = try TestServer().connected()
        try client.makeTrip()
        let item = #""trip":"t","item":"\#(id(4))""#
        let whole = try client.result("drag.begin", "{\(item)}")
        #expect(whole.keys == ["drag", "leaseMilliseconds", "version", "validDays", "barriers", "gaps"])
        try client.result("drag.cancel", #"{"drag":"\#(whole["drag"]?.string ?? "")"}"#)
        for value in ["true", "null"] {
            let told = try client.result("drag.begin", #"{\#(item),"gaps":\#(value)}"#)
            #expect(told["gaps"]?.text == whole["gaps"]?.text)
            try client.result("drag.cancel", #"{"drag":"\#(told["drag"]?.string ?? "")"}"#)
        }
        #expect(try client.reason("drag.begin", #"{\#(item),"gaps":0}"#) == "invalid_params")
        let brief = try client.result("drag.begin", #"{\#(item),"gaps":false}"#)
        #expect(brief.keys == ["drag", "leaseMilliseconds", "version"])
        try client.result(
            "drag.drop", #"{"drag":"\#(brief["drag"]?.string ?? "")","to":\#(end(5))}"#)
    }

    @Test(
        "what a drag's answer rests on is told before it, also to who defers, and what comes then is not",
        arguments: ["snapshot", "delta"], [true, false])
    func toldBeforeTheDrag(mode: String, defers: Bool) throws {
        let server = try TestServer.held()
        let held = try #require(server.held)
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        try ann.subscribe("t", #","mode":"\#(mode)","deferWhileDragging":\#(defers)"#)
        held.hold()
        let moves = try [4, 5].map { try bob.post("item.move", LineClient.moving($0, to: end(5))) }
        try server.awaitHeld(2)
        let begin = try ann.post("drag.begin", Self.item(6))
        // Asked behind it: carried out when it is answered.
        let behind = try ann.post("item.move", LineClient.moving(3, to: end(1)))
        try server.client("carl").settle()
        held.letGo()
        for (index, move) in moves.enumerated() { #expect(try bob.reply(to: move).version == 2 + index) }
        let first = try ann.next("trip.\(mode)")
        #expect(first.version == (mode == "delta" ? 2 : 3))
        if mode == "delta" { #expect(try ann.next("trip.delta").version == 3) }
        var answer = try ann.line()
        while answer.method == "trip.presence" { answer = try ann.line() }
        #expect(answer.id == begin)
        #expect(answer.version == 3)
        #expect(try ann.reply(to: behind).version == 4)
        try ann.settle()
        #expect(ann.takeNotes("trip.\(mode)").map(\.version) == (defers ? [] : [4]))
    }

    @Test func `a drag that ended, never was or is another's is drag_not_found`() throws {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        let drag = try ann.beginDrag(4)
        func expectNotFound(_ client: LineClient, _ drag: String) throws {
            #expect(
                try client.reason("drag.hover", #"{"drag":"\#(drag)","over":\#(end(1))}"#) == "drag_not_found"
            )
            #expect(try client.reason("drag.cancel", #"{"drag":"\#(drag)"}"#) == "drag_not_found")
            #expect(
                try client.reason("drag.drop", #"{"drag":"\#(drag)","trip":"t","to":\#(end(1))}"#)
                    == "drag_not_found")
        }
        try expectNotFound(bob, drag)
        try ann.result("drag.hover", #"{"drag":"\#(drag)"}"#)
        try ann.result("drag.drop", #"{"drag":"\#(drag)","to":\#(end(5))}"#)
        try expectNotFound(ann, drag)
        try expectNotFound(ann, "")
    }

    @Test func `a refused drop ends the drag and leaves the item`() throws {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        for (placement, more, reason) in [
            (end(5), "", "outside_valid_days"), (end(9), "", "day_out_of_range"),
            (after(99, day: 1), "", "item_not_found"), (after(4, day: 1), "", "anchor_moved"),
            (end(2), #","ifVersion":9"#, "version_conflict"),
        ] {
            let drag = try ann.beginDrag(3)
            #expect(try ann.reason("drag.drop", #"{"drag":"\#(drag)","to":\#(placement)\#(more)}"#) == reason)
            #expect(try ann.reason("drag.drop", #"{"drag":"\#(drag)","to":\#(end(2))}"#) == "drag_not_found")
        }
        #expect(try bob.move(3, to: end(1)).version == 2)
    }

    @Test func `a lease runs out, its holder is told, and a later drop is lease_expired`() throws {
        let server = try TestServer(leaseTime: .milliseconds(40))
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        try ann.subscribe()
        let drag = try ann.beginDrag(4)
        _ = try bob.move(5, to: end(5))
        let ended = try ann.next("drag.ended")
        #expect(ended.params?["drag"]?.string == drag)
        #expect(ended.params?["item"]?.string == id(4))
        #expect(ended.params?["reason"]?.string == "expired")
        // The state withheld meanwhile follows.
        #expect(try ann.next("trip.snapshot").version == 2)
        let late = try ann.call("drag.drop", #"{"drag":"\#(drag)","to":\#(end(5))}"#)
        #expect(late.reason == "lease_expired")
        #expect(late.error?["code"]?.int == -32012)
        #expect(try bob.move(4, to: end(5)).version == 3)
        #expect(try ann.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 3)
    }

    @Test func `a drop after the lease has ended is lease_expired, also before that is told`() throws {
        let server = try TestServer.held(leaseTime: .seconds(1))
        let held = try #require(server.held)
        let (ann, bob, carl) = (
            try server.client("ann"), try server.client("bob"), try server.client("carl")
        )
        try ann.makeTrip()
        try ann.subscribe()
        try carl.subscribe()
        let drag = try ann.beginDrag(4)
        try carl.awaitPresence { $0 == ["ann drags 04", "carl"] }
        held.hold()
        let move = try bob.post("item.move", LineClient.moving(5, to: end(5)))
        try server.awaitHeld()
        // The drag is over, and drag.ended waits for the move.
        try carl.awaitPresence { $0 == ["ann", "carl"] }
        #expect(try ann.reason("drag.drop", #"{"drag":"\#(drag)","to":\#(end(5))}"#) == "lease_expired")
        #expect(try ann.reason("drag.hover", #"{"drag":"\#(drag)"}"#) == "lease_expired")
        #expect(ann.takeNotes("drag.ended").isEmpty)
        held.letGo()
        #expect(try bob.reply(to: move).version == 2)
        #expect(try ann.next("drag.ended").params?["reason"]?.string == "expired")
        #expect(try ann.next("trip.snapshot").version == 2)
    }

    @Test func `a lease that has run out is free for another at once`() throws {
        let server = try TestServer(leaseTime: .milliseconds(40))
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        _ = try ann.beginDrag(4)
        _ = try ann.next("drag.ended")
        _ = try bob.beginDrag(4)
    }

    @Test func `a connection's end frees its item, and presence says so`() throws {
        let server = try TestServer()
        let bob = try server.client("bob")
        try bob.makeTrip()
        try bob.subscribe()
        do {
            let ann = try server.client("ann")
            try ann.subscribe()
            _ = try ann.beginDrag(4)
            try bob.awaitPresence { $0.contains("ann drags 04") }
            #expect(try bob.move(4, to: end(5)).reason == "item_held")
            // Killed in the middle of a line.
            try ann.send(raw: Array(#"{"jsonrpc":"2.0","id":7,"method":"drag.dr"#.utf8))
        }
        try bob.awaitPresence { $0 == ["bob"] }
        #expect(try bob.move(4, to: end(5)).version == 2)
    }

    @Test func `the holder who removes its item is told that its drag is over, and so are the others`() throws
    {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        try ann.subscribe()
        try bob.subscribe()
        let drag = try ann.beginDrag(4)
        try bob.awaitPresence { $0.contains("ann drags 04") }
        #expect(try ann.result("item.remove", Self.item(4))["version"]?.int == 2)
        let ended = try ann.next("drag.ended")
        #expect(ended.params?["drag"]?.string == drag)
        #expect(ended.params?["reason"]?.string == "item_removed")
        #expect(try ann.next("trip.snapshot").version == 2)
        #expect(try ann.reason("drag.drop", #"{"drag":"\#(drag)","to":\#(end(5))}"#) == "drag_not_found")
        try bob.awaitPresence { $0 == ["ann", "bob"] }
        _ = try ann.beginDrag(5)
    }

    @Test func `a trip deleted in the middle of a drag`() throws {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip(id: 90)
        try ann.subscribe()
        let drag = try ann.beginDrag(4)
        try bob.result("trip.delete", #"{"trip":"t"}"#)
        let ended = try ann.next("drag.ended")
        #expect(ended.params?["reason"]?.string == "trip_deleted")
        #expect(ended.params?["drag"]?.string == drag)
        let deleted = try ann.next("trip.deleted")
        #expect(deleted.params?["trip"]?.string == id(90))
        #expect(deleted.params?.keys == ["trip"])
        #expect(try ann.reason("drag.hover", #"{"drag":"\#(drag)"}"#) == "drag_not_found")
        #expect(try ann.reason("drag.drop", #"{"drag":"\#(drag)","to":\#(end(5))}"#) == "drag_not_found")
        #expect(try ann.reason("trip.sync", #"{"trip":"t"}"#) == "trip_not_found")
        // A new trip of the same name is another trip, and the drag's slot is free.
        try ann.makeTrip()
        _ = try ann.beginDrag(4)
    }

    @Test func `a drag outlives its item's displacement and re-spacing`() throws {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        let drag = try ann.beginDrag(4)
        try bob.result("trip.update", #"{"trip":"t","dayCount":3}"#)
        let dropped = try ann.result("drag.drop", #"{"drag":"\#(drag)","to":\#(start(1))}"#)
        #expect(dropped["item"]?["day"]?.int == 1)
    }

    @Test(arguments: ["snapshot", "delta"])
    func `what was deferred follows the drop's answer at once, whatever is asked behind it`(mode: String)
        throws
    {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        try bob.subscribe("t", #","mode":"\#(mode)""#)
        for round in 0..<20 {
            let drag = try bob.beginDrag(4)
            _ = try ann.move(5, to: round.isMultiple(of: 2) ? end(1) : end(2))
            bob.takeNotes()
            let drop = try bob.post(
                "drag.drop", #"{"drag":"\#(drag)","to":\#(round.isMultiple(of: 2) ? end(5) : end(3))}"#)
            let ping = try bob.post("ping")
            let begin = try bob.post("drag.begin", Self.item(4))
            var order: [String] = []
            while order.last != "begin" {
                let line = try bob.line()
                switch line.id {
                case drop: order.append("drop")
                case ping: order.append("ping")
                case begin:
                    order.append("begin")
                    let next = line.result?["drag"]?.string ?? ""
                    try bob.result("drag.cancel", #"{"drag":"\#(next)"}"#)
                default: if line.method != "trip.presence" { order.append(line.method ?? "?") }
                }
            }
            #expect(order == ["drop", "trip.\(mode)", "ping", "begin"])
        }
    }

    /// The answer alone is more than a socket and a window take, so what is to follow it waits for room.
    @Test(arguments: ["snapshot", "delta"])
    func `what was deferred follows the drop's answer also where that leaves no room`(mode: String) throws {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        try bob.subscribe("t", #","mode":"\#(mode)""#)
        let drag = try bob.beginDrag(4)
        bob.takeNotes()
        let long = String(repeating: "i", count: 600_000)
        try bob.send(
            #"{"jsonrpc":"2.0","id":"\#(long)","method":"drag.drop","params":{"drag":"\#(drag)","to":\#(end(5))}}"#
        )
        let get = try bob.post("trip.get", #"{"trip":"t"}"#)
        let move = try bob.post("item.move", LineClient.moving(5, to: end(5)))
        // The drop is done, and the daemon has had every chance to go on to what is behind it.
        try ann.subscribe()
        while try ann.result("trip.sync", #"{"trip":"t"}"#)["version"]?.int == 1 {}
        for _ in 0..<20 { try ann.settle() }
        var order: [String] = []
        while order.last != "move" {
            let line = try bob.line()
            switch line.id {
            case get: order.append("get \(line.version ?? 0)")
            case move: order.append("move")
            default:
                if line.method == nil {
                    order.append("drop")
                } else if line.method != "trip.presence" {
                    order.append("\(line.method ?? "") \(line.version ?? 0)")
                }
            }
        }
        #expect(order == ["drop", "trip.\(mode) 2", "get 2", "move"])
        #expect(try bob.next("trip.\(mode)").version == 3)
    }
}

/// Presence: who is here, who drags what and where.
@Suite struct PresenceTests {
    @Test func `who comes, drags, hovers and goes is told to all subscribers`() throws {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob", role: "viewer"))
        try ann.makeTrip()
        try ann.subscribe()
        let first = try bob.subscribe()["presence"]?.elements.map { $0 } ?? []
        #expect(first.map { $0["user"]?.string } == ["ann", "bob"])
        #expect(first.map { $0["role"]?.string } == ["editor", "viewer"])
        try ann.awaitPresence { $0 == ["ann", "bob"] }
        let drag = try ann.beginDrag(4)
        try bob.awaitPresence { $0 == ["ann drags 04", "bob"] }
        try ann.result("drag.hover", #"{"drag":"\#(drag)","over":\#(before(5, day: 4))}"#)
        let over = #"{"day":4,"before":"\#(id(5))"}"#
        try bob.awaitPresence { $0 == ["ann drags 04 over \(over)", "bob"] }
        // One who comes now sees it at once.
        let carl = try server.client("carl")
        let users = try carl.subscribe()["presence"]
        #expect(users?.elements.first { _ in true }?["drag"]?["over"]?.text == over)
        try ann.result("drag.drop", #"{"drag":"\#(drag)","to":\#(end(5))}"#)
        try bob.awaitPresence { $0 == ["ann", "bob", "carl"] }
        try carl.result("trip.unsubscribe", #"{"trip":"t"}"#)
        try bob.awaitPresence { $0 == ["ann", "bob"] }
    }

    @Test func `presence comes to one who drags, too`() throws {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        try ann.subscribe()
        _ = try ann.beginDrag(4)
        try bob.subscribe()
        try ann.awaitPresence { $0 == ["ann drags 04", "bob"] }
    }
}

extension LineClient {
    /// Waits until presence is told as `isExpected` wants it: names in order, with what they drag.
    func awaitPresence(_ isExpected: ([String]) -> Bool) throws {
        while true {
            let users = try #require(try next("trip.presence").params?["users"])
            var names: [String] = []
            for user in users.elements {
                var name = user["user"]?.string ?? ""
                if let drag = user["drag"] { name += " drags \(drag["item"]?.string?.suffix(2) ?? "")" }
                if let over = user["drag"]?["over"] { name += " over \(over.text)" }
                names.append(name)
            }
            if isExpected(names) { return }
        }
    }
}
