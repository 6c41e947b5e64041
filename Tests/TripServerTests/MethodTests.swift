import JSONLine
import TestSupport
import Testing

/// The shape of every method's answer, as the table of the protocol defines it.
@Suite struct MethodTests {
    private static let itemKeys = ["id", "day", "sortOrder", "version", "modifiedAt", "modifiedBy", "kind"]

    @Test func `trip.create and trip.get return a snapshot`() throws {
        let client = try TestServer().connected()
        let made = try client.makeTrip(id: 90)
        #expect(made.keys == ["trip", "epoch", "version", "items", "problems"])
        #expect(made["version"]?.int == 1)
        let header = try #require(made["trip"])
        #expect(header.keys == ["id", "slug", "name", "startDate", "timeZone", "dayCount"])
        #expect(header["id"]?.string == id(90))
        #expect(header["slug"]?.string == "t")
        #expect(header["name"]?.string == "Trip t")
        #expect(header["startDate"]?.string == "2026-06-11")
        #expect(header["timeZone"]?.string == "UTC")
        #expect(header["dayCount"]?.int == 5)
        #expect(made.places == ["1 01", "2 03", "3 02", "4 04", "4 05", "4 06"])
        for item in made["items"]?.elements.map({ $0 }) ?? [] {
            #expect(Array(item.keys.prefix(7)) == Self.itemKeys)
            #expect(item["version"]?.int == 1)
            #expect(item["modifiedBy"]?.string == "ann")
            let at = try #require(item["modifiedAt"]?.string)
            #expect(at.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
        }
        #expect(try client.result("trip.get", #"{"trip":"t"}"#).text == made.text)
        #expect(try client.result("trip.get", #"{"trip":"\#(id(90))"}"#).text == made.text)
    }

    @Test func `trip.list contains every trip, with all members of the protocol`() throws {
        let server = try TestServer()
        let client = try server.client("ann")
        try client.makeTrip("b")
        try client.makeTrip("a")
        let watcher = try server.client("bob")
        try watcher.subscribe("a")
        let trips = try #require(try client.result("trip.list")["trips"])
        #expect(trips.count == 2)
        let rows = trips.elements.map { $0 }
        #expect(
            rows.first?.keys == [
                "id", "slug", "name", "startDate", "timeZone", "dayCount", "version", "itemCount",
                "subscribers", "state",
            ])
        let row = try #require(rows.first { $0["slug"]?.stringEquals("a") == true })
        #expect(row["itemCount"]?.int == 6)
        #expect(row["subscribers"]?.int == 1)
        #expect(row["version"]?.int == 1)
        #expect(row["state"]?.string == "ok")
    }

    @Test func `item.add, item.move, item.update and item.remove return the item and the version`() throws {
        let client = try TestServer().connected()
        try client.makeTrip()
        let added = try client.result("item.add", #"{"trip":"t","item":\#(custom(7, "D"))}"#)
        #expect(added.keys == ["version", "item"])
        #expect(added["version"]?.int == 2)
        #expect(added["item"]?["day"]?.int == 1)
        #expect(added["item"]?["version"]?.int == 2)
        let anonymous = try client.result("item.add", #"{"trip":"t","item":{"kind":"custom","title":"E"}}"#)
        #expect(anonymous["item"]?["id"]?.string?.count == 36)
        let moved = try #require(try client.move(4, to: after(5, day: 4)).result)
        #expect(moved.keys == ["version", "item"])
        #expect(moved["item"]?["id"]?.string == id(4))
        #expect(moved["item"]?["sortOrder"]?.double == 2.5)
        let updated = try client.result(
            "item.update",
            #"{"trip":"t","item":"\#(id(4))","set":{"title":"AA","note":"n\nm","cost":{"amount":2.5,"currency":"EUR"},"unknown":1}}"#
        )
        #expect(updated.keys == ["version", "item"])
        #expect(updated["item"]?["title"]?.string == "AA")
        #expect(updated["item"]?["note"]?.string == "n\nm")
        #expect(updated["item"]?["cost"]?["amount"]?.double == 2.5)
        let cleared = try client.result(
            "item.update", #"{"trip":"t","item":"\#(id(4))","set":{"note":null,"cost":null}}"#)
        #expect(cleared["item"]?["note"] == nil)
        #expect(cleared["item"]?["cost"] == nil)
        let removed = try client.result("item.remove", #"{"trip":"t","item":"\#(id(4))"}"#)
        #expect(removed.keys == ["version"])
        #expect(removed["version"]?.int == 7)
    }

    @Test func `trip.update returns the header and the displaced items`() throws {
        let client = try TestServer().connected()
        try client.makeTrip()
        let result = try client.result("trip.update", #"{"trip":"t","name":"New","dayCount":3}"#)
        #expect(result.keys == ["version", "trip", "moved"])
        #expect(result["version"]?.int == 2)
        #expect(result["trip"]?["name"]?.string == "New")
        #expect(result["moved"]?.places == ["3 04", "3 05", "3 06"])
        #expect(result["moved"]?.elements.allSatisfy { $0["version"]?.int == 2 } == true)
    }

    @Test func `re-spacing is reported by its day`() throws {
        let client = try TestServer().connected()
        try client.makeTrip(
            "t",
            items: #"{"item":\#(custom(4, "A")),"to":{"day":4,"sortOrder":1}},"#
                + #"{"item":\#(custom(5, "B")),"to":{"day":4,"sortOrder":1.00000000001}},"#
                + #"{"item":\#(custom(6, "C")),"to":\#(end(5))}"#)
        let result = try #require(try client.move(6, to: after(4, day: 4)).result)
        #expect(result.keys == ["version", "item", "respaced"])
        #expect(result["respaced"]?.elements.map(\.int) == [4])
    }

    @Test func `item.gaps contains every gap with its verdict`() throws {
        let client = try TestServer().connected()
        try client.makeTrip()
        let gaps = try client.result("item.gaps", #"{"trip":"t","item":"\#(id(3))"}"#)
        #expect(gaps.keys == ["version", "validDays", "barriers", "gaps"])
        #expect(gaps["validDays"]?.elements.map(\.int) == [1, 3])
        #expect(gaps["barriers"]?.elements.map(\.string) == [id(1), id(2)])
        let list = gaps["gaps"]?.elements.map { $0 } ?? []
        // A day has one gap more than items, without the dragged item.
        #expect(list.count == 5 + 5)
        #expect(list.first?.keys == ["day", "after", "before", "valid", "reason"])
        #expect(list.first?["after"]?.isNull == true)
        #expect(list.first?["reason"]?.string == "before_departure_game")
        #expect(list.last?["reason"]?.string == "outside_valid_days")
        let custom = try client.result("item.gaps", #"{"trip":"t","item":"\#(id(4))"}"#)
        #expect(custom["validDays"]?.elements.map(\.int) == [1, 5])
        #expect(custom["barriers"]?.count == 0)
        #expect(
            custom["gaps"]?.elements.allSatisfy { $0["valid"]?.bool == true && $0["reason"] == nil } == true)
        let game = try client.result("item.gaps", #"{"trip":"t","item":"\#(id(1))"}"#)
        #expect(game["validDays"]?.isNull == true)
        #expect(
            game["gaps"]?.elements.allSatisfy { $0["reason"]?.stringEquals("game_immovable") == true } == true
        )
    }

    @Test func `drag.begin, drag.hover, drag.cancel and drag.drop have the documented answers`() throws {
        let client = try TestServer(leaseTime: .milliseconds(15_000)).connected()
        try client.makeTrip()
        let begun = try client.result("drag.begin", #"{"trip":"t","item":"\#(id(3))"}"#)
        #expect(begun.keys == ["drag", "leaseMilliseconds", "version", "validDays", "barriers", "gaps"])
        #expect(begun["leaseMilliseconds"]?.int == 15_000)
        let gaps = try client.result("item.gaps", #"{"trip":"t","item":"\#(id(3))"}"#)
        for name in ["version", "validDays", "barriers", "gaps"] {
            #expect(begun.member(named: name)?.text == gaps.member(named: name)?.text)
        }
        let drag = try #require(begun["drag"]?.string)
        #expect(try client.result("drag.hover", #"{"drag":"\#(drag)"}"#).count == 0)
        #expect(try client.result("drag.hover", #"{"drag":"\#(drag)","over":\#(end(2))}"#).count == 0)
        let cancelled = try client.result("drag.cancel", #"{"drag":"\#(drag)"}"#)
        #expect(cancelled.keys == ["version"])
        #expect(cancelled["version"]?.int == 1)
        let second = try client.beginDrag(4)
        #expect(second != drag)
        let dropped = try client.result("drag.drop", #"{"drag":"\#(second)","to":\#(end(5))}"#)
        #expect(dropped.keys == ["version", "item"])
        #expect(dropped["item"]?["day"]?.int == 5)
    }

    @Test
    func
        `trip.subscribe, trip.unsubscribe, trip.sync, trip.delete and daemon.stats have the documented answers`()
        throws
    {
        let client = try TestServer().connected()
        let made = try client.makeTrip(id: 90)
        let subscribed = try client.subscribe()
        #expect(subscribed.keys == ["snapshot", "presence"])
        #expect(subscribed["snapshot"]?.text == made.text)
        let presence = subscribed["presence"]?.elements.map { $0 } ?? []
        #expect(presence.count == 1)
        #expect(presence.first?.keys == ["connectionId", "user", "role"])
        #expect(presence.first?["user"]?.string == "ann")
        let synced = try client.result("trip.sync", #"{"trip":"t"}"#)
        #expect(synced.keys == ["epoch", "version"])
        #expect(synced["epoch"]?.string == made["epoch"]?.string)
        #expect(synced["version"]?.int == 1)
        #expect(try client.result("trip.unsubscribe", #"{"trip":"t"}"#).count == 0)
        #expect(try client.result("trip.unsubscribe", #"{"trip":"t"}"#).count == 0)
        let stats = try client.result("daemon.stats")
        #expect(stats["connections"]?.int == 1)
        #expect(stats["trips"]?.int == 1)
        for name in ["queuedBytes", "skippedSnapshots", "commits", "syncs", "syncMicroseconds"] {
            #expect(stats.member(named: name)?.int != nil, "\(name)")
        }
        #expect(try client.result("trip.delete", #"{"trip":"t"}"#).count == 0)
        #expect(try client.reason("trip.get", #"{"trip":"t"}"#) == "trip_not_found")
        #expect(try client.reason("trip.get", #"{"trip":"\#(id(90))"}"#) == "trip_not_found")
        #expect(try client.result("trip.list")["trips"]?.count == 0)
    }

    @Test func `a change without an effect is a noop and not sent to others`() throws {
        let server = try TestServer()
        let (client, watcher) = (try server.client("ann"), try server.client("bob"))
        try client.makeTrip()
        try watcher.subscribe()
        let place = LineClient.moving(5, to: after(4, day: 4))
        let noops = [
            ("item.move", place), ("item.move", LineClient.moving(5, to: after(5, day: 4))),
            ("item.update", #"{"trip":"t","item":"\#(id(4))","set":{"title":"A"}}"#),
            ("item.update", #"{"trip":"t","item":"\#(id(4))","set":{}}"#),
            ("trip.update", #"{"trip":"t","name":"Trip t","slug":"t"}"#), ("trip.update", #"{"trip":"t"}"#),
            (
                "trip.apply",
                #"{"trip":"t","ops":[{"op":"move","item":"\#(id(5))","to":\#(start(4))},{"op":"move","item":"\#(id(5))","to":{"day":4,"sortOrder":2}}]}"#
            ),
        ]
        for (method, params) in noops {
            let result = try client.result(method, params)
            #expect(result["version"]?.int == 1, "\(method) \(params)")
            #expect(result["noop"]?.bool == true, "\(method) \(params)")
        }
        let drag = try client.beginDrag(5)
        let dropped = try client.result("drag.drop", #"{"drag":"\#(drag)","to":\#(after(4, day: 4))}"#)
        #expect(dropped["noop"]?.bool == true)
        #expect(dropped["item"]?["id"]?.string == id(5))
        #expect(try client.move(5, to: end(5)).version == 2)
        let received = try watcher.next("trip.snapshot")
        #expect(received.params?["previous"]?.int == 1)
        #expect(received.params?["skipped"]?.int == 0)
    }

    @Test func `a dry run returns the result and uses up no seq or version`() throws {
        let server = try TestServer()
        let (client, watcher) = (try server.client("ann"), try server.client("bob"))
        let made = try client.makeTrip()
        try watcher.subscribe()
        let dry = #","dryRun":true,"seq":1"#
        let moved = try #require(try client.move(4, to: end(5), dry).result)
        #expect(moved["version"]?.int == 1)
        #expect(moved["noop"] == nil)
        #expect(moved["item"]?["day"]?.int == 5)
        let added = try client.result("item.add", #"{"trip":"t","item":\#(custom(9, "N"))\#(dry)}"#)
        #expect(added["version"]?.int == 1)
        #expect(added["item"]?["id"]?.string == id(9))
        let short = try client.result("trip.update", #"{"trip":"t","dayCount":2\#(dry)}"#)
        #expect(short["trip"]?["dayCount"]?.int == 2)
        #expect(short["moved"]?.count == 3)
        #expect(
            try client.result("item.remove", #"{"trip":"t","item":"\#(id(4))"\#(dry)}"#)["version"]?.int == 1)
        #expect(
            try client.result(
                "trip.apply", #"{"trip":"t","ops":[{"op":"remove","item":"\#(id(4))"}]\#(dry)}"#)["items"]?
                .count == 0)
        #expect(try client.move(4, to: end(6), dry).reason == "day_out_of_range")
        let drag = try client.beginDrag(4)
        let dropped = try client.result(
            "drag.drop", #"{"drag":"\#(drag)","trip":"t","to":\#(end(5))\#(dry)}"#)
        #expect(dropped["item"]?["day"]?.int == 5)
        // The drag continues.
        try client.result("drag.cancel", #"{"drag":"\#(drag)"}"#)
        #expect(try client.result("trip.get", #"{"trip":"t"}"#).text == made.text)
        // The sequence number is unused.
        #expect(try client.move(4, to: end(5), #","seq":1"#).version == 2)
        #expect(try watcher.next("trip.snapshot").params?["previous"]?.int == 1)
    }
}
