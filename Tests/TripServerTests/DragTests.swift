import TestSupport
import Testing

@testable import TripServer

/// The section “Drags” of Protocol/README.md.
@Suite struct DragTests {
    private static func item(_ number: Int) -> String { #"{"trip":"t","item":"\#(id(number))"}"# }

    @Test func `a leased item is refused to others with the holder's name; other items are not affected`()
        throws
    {
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
        // The same user on another connection counts as another.
        #expect(try server.client("ann").move(4, to: end(5)).reason == "item_held")
        // Moves of other items continue, also by the holder.
        #expect(try bob.move(5, to: before(4, day: 4)).version == 2)
        #expect(try ann.move(4, to: end(5)).version == 3)
        _ = try bob.beginDrag(5)
    }

    @Test(arguments: ["delta", "snapshot"])
    func `the gaps of a drag match the replica, however many updates precede its answer`(mode: String)
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
        let trip = try #require(try server.ask { $0.directory.id(of: .slug("t")) })
        try server.awaitReleases(2, of: trip)
        let second = try bob.post("item.move", LineClient.moving(6, to: start(5)))
        try server.awaitHeld(2)
        // One write to the disk makes both durable.
        server.held?.resume()
        _ = (try bob.reply(to: first), try bob.reply(to: second))
        let begun = try #require(try ann.reply(to: begin).result)
        let received = ann.takeNotes().compactMap { $0.params?["version"]?.int }.max()
        #expect(begun["version"]?.int == 3 && received == 3)
        let after = begun["gaps"]?.elements.filter { $0["day"]?.int == 5 }.map { $0["after"]?.string }
        #expect(after == [nil, id(6)])
    }

    @Test func `a drag's answer is not newer than the state sent before it, even to a slow reader`()
        throws
    {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        // More than a socket accepts at once.
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
        try bob.drain()
    }

    @Test func `games and missing items are refused, and a second drag per connection and trip`() throws {
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

    @Test func `gaps: false omits exactly the gaps, which the client can compute`() throws {
        let client = try TestServer().connected()
        try client.makeTrip()
        let item = #""trip":"t","item":"\#(id(4))""#
        let whole = try client.result("drag.begin", "{\(item)}")
        #expect(whole.keys == ["drag", "leaseMilliseconds", "version", "validDays", "barriers", "gaps"])
        try client.result("drag.cancel", #"{"drag":"\#(whole["drag"]?.string ?? "")"}"#)
        for value in ["true", "null"] {
            let received = try client.result("drag.begin", #"{\#(item),"gaps":\#(value)}"#)
            #expect(received["gaps"]?.text == whole["gaps"]?.text)
            try client.result("drag.cancel", #"{"drag":"\#(received["drag"]?.string ?? "")"}"#)
        }
        #expect(try client.reason("drag.begin", #"{\#(item),"gaps":0}"#) == "invalid_params")
        let brief = try client.result("drag.begin", #"{\#(item),"gaps":false}"#)
        #expect(brief.keys == ["drag", "leaseMilliseconds", "version"])
        try client.result(
            "drag.drop", #"{"drag":"\#(brief["drag"]?.string ?? "")","to":\#(end(5))}"#)
    }

    @Test(arguments: ["snapshot", "delta"], [true, false])
    func `the state that a drag's answer depends on precedes it, and later states are deferred`(
        mode: String, defers: Bool
    ) throws {
        let server = try TestServer.held()
        let held = try #require(server.held)
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        try ann.subscribe("t", #","mode":"\#(mode)","deferWhileDragging":\#(defers)"#)
        held.hold()
        let moves = try [4, 5].map { try bob.post("item.move", LineClient.moving($0, to: end(5))) }
        try server.awaitHeld(2)
        let begin = try ann.post("drag.begin", Self.item(6))
        // Requested behind it: executed after its answer.
        let behind = try ann.post("item.move", LineClient.moving(3, to: end(1)))
        try server.client("carl").drain()
        held.resume()
        for (index, move) in moves.enumerated() { #expect(try bob.reply(to: move).version == 2 + index) }
        let first = try ann.next("trip.\(mode)")
        #expect(first.version == (mode == "delta" ? 2 : 3))
        if mode == "delta" { #expect(try ann.next("trip.delta").version == 3) }
        var answer = try ann.line()
        while answer.method == "trip.presence" { answer = try ann.line() }
        #expect(answer.id == begin)
        #expect(answer.version == 3)
        #expect(try ann.reply(to: behind).version == 4)
        try ann.drain()
        #expect(ann.takeNotes("trip.\(mode)").map(\.version) == (defers ? [] : [4]))
    }

    @Test func `an ended, unknown or foreign drag is drag_not_found`() throws {
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

    @Test func `a refused drop ends the drag and leaves the item in place`() throws {
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

    @Test func `an expired lease is reported to its holder, and a later drop is lease_expired`() throws {
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
        // The update that was held back follows.
        #expect(try ann.next("trip.snapshot").version == 2)
        let late = try ann.call("drag.drop", #"{"drag":"\#(drag)","to":\#(end(5))}"#)
        #expect(late.reason == "lease_expired")
        #expect(late.error?["code"]?.int == -32012)
        #expect(try bob.move(4, to: end(5)).version == 3)
        #expect(try ann.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 3)
    }

    @Test func `a drop after the expiry is lease_expired, even before the holder is notified`() throws {
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
        // The drag is over, and `drag.ended` waits for the move.
        try carl.awaitPresence { $0 == ["ann", "carl"] }
        #expect(try ann.reason("drag.drop", #"{"drag":"\#(drag)","to":\#(end(5))}"#) == "lease_expired")
        #expect(try ann.reason("drag.hover", #"{"drag":"\#(drag)"}"#) == "lease_expired")
        #expect(ann.takeNotes("drag.ended").isEmpty)
        held.resume()
        #expect(try bob.reply(to: move).version == 2)
        #expect(try ann.next("drag.ended").params?["reason"]?.string == "expired")
        #expect(try ann.next("trip.snapshot").version == 2)
    }

    @Test func `an expired lease can be granted to another client at once`() throws {
        let server = try TestServer(leaseTime: .milliseconds(40))
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        _ = try ann.beginDrag(4)
        _ = try ann.next("drag.ended")
        _ = try bob.beginDrag(4)
    }

    @Test func `the end of a connection releases its item and updates presence`() throws {
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

    @Test func `the removal of a dragged item by its holder ends the drag, also for the others`() throws {
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

    @Test func `deleting the trip ends its drags`() throws {
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
        // A new trip of the same name is another trip, and the drag's limit is free again.
        try ann.makeTrip()
        _ = try ann.beginDrag(4)
    }

    @Test func `a drag survives the displacement and re-spacing of its item`() throws {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        let drag = try ann.beginDrag(4)
        try bob.result("trip.update", #"{"trip":"t","dayCount":3}"#)
        let dropped = try ann.result("drag.drop", #"{"drag":"\#(drag)","to":\#(start(1))}"#)
        #expect(dropped["item"]?["day"]?.int == 1)
    }

    @Test(arguments: ["snapshot", "delta"])
    func `the deferred updates follow the drop's answer directly, whatever is requested later`(mode: String)
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

    /// The answer alone is larger than a socket and its buffer, so the lines after it wait for space.
    @Test(arguments: ["snapshot", "delta"])
    func `the deferred updates follow the drop's answer even if the write window is full`(mode: String) throws
    {
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
        // The drop is done, and the daemon had time to continue with the lines after it.
        try ann.subscribe()
        while try ann.result("trip.sync", #"{"trip":"t"}"#)["version"]?.int == 1 {}
        for _ in 0..<20 { try ann.drain() }
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

/// Presence: connected users, and their drags and targets.
@Suite struct PresenceTests {
    @Test func `joins, drags, hovers and leaves are sent to all subscribers`() throws {
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
        // A new subscriber sees it at once.
        let carl = try server.client("carl")
        let users = try carl.subscribe()["presence"]
        #expect(users?.elements.first { _ in true }?["drag"]?["over"]?.text == over)
        try ann.result("drag.drop", #"{"drag":"\#(drag)","to":\#(end(5))}"#)
        try bob.awaitPresence { $0 == ["ann", "bob", "carl"] }
        try carl.result("trip.unsubscribe", #"{"trip":"t"}"#)
        try bob.awaitPresence { $0 == ["ann", "bob"] }
    }

    @Test func `presence is also sent to a dragging client`() throws {
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
    /// Waits until presence matches `isExpected`: names in order, with the dragged items.
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
