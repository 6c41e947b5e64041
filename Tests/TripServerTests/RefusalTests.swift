import TestSupport
import Testing

/// Every reason for a refusal, with its code and data, and their order of precedence.
@Suite struct RefusalTests {
    @Test func `each placement rule has its reason and data`() throws {
        let client = try TestServer().connected()
        try client.makeTrip()
        for day in [0, -1, 6, 1_000_000] {
            #expect(try client.move(4, to: end(day)).reason == "day_out_of_range")
        }
        let game = try client.move(1, to: end(2))
        #expect(game.reason == "game_immovable")
        #expect(game.error?["code"]?.int == -32011)
        let outside = try client.move(3, to: end(5))
        #expect(outside.reason == "outside_valid_days")
        #expect(outside.data?["validDays"]?.elements.map(\.int) == [1, 3])
        let early = try client.move(3, to: before(1, day: 1))
        #expect(early.reason == "before_departure_game")
        #expect(early.data?["games"]?.elements.map(\.string) == [id(1)])
        let late = try client.move(3, to: after(2, day: 3))
        #expect(late.reason == "after_arrival_game")
        #expect(late.data?["games"]?.elements.map(\.string) == [id(2)])
        #expect(late.error?["message"]?.string?.isEmpty == false)
        #expect(
            try client.reason("item.add", #"{"trip":"t","item":\#(travel(9, "Detroit", "Chicago"))}"#)
                == "no_valid_position")
        #expect(
            try client.reason(
                "item.add", #"{"trip":"t","item":\#(travel(9, "Detroit", "Chicago")),"to":\#(end(2))}"#)
                == "no_valid_position")
        #expect(try client.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 1)
    }

    @Test func `missing items, missing trips and moved anchors have their own reasons`() throws {
        let client = try TestServer().connected()
        try client.makeTrip()
        for trip in ["nope", id(99), "", "No Slug", "T"] {
            for method in [
                "trip.get", "trip.delete", "trip.subscribe", "trip.unsubscribe", "trip.sync", "trip.update",
            ] {
                let line = try client.call(method, #"{"trip":"\#(trip)"}"#)
                #expect(line.reason == "trip_not_found")
                #expect(line.error?["code"]?.int == -32010)
            }
        }
        for method in ["item.gaps", "item.remove", "drag.begin"] {
            #expect(try client.reason(method, #"{"trip":"t","item":"\#(id(99))"}"#) == "item_not_found")
        }
        #expect(try client.move(99, to: end(1)).reason == "item_not_found")
        #expect(try client.move(4, to: after(99, day: 4)).reason == "item_not_found")
        let moved = try client.move(4, to: after(3, day: 4))
        #expect(moved.reason == "anchor_moved")
        #expect(moved.error?["code"]?.int == -32012)
        for method in ["drag.hover", "drag.cancel"] {
            let line = try client.call(method, #"{"drag":"nope"}"#)
            #expect(line.reason == "drag_not_found")
            #expect(line.error?["code"]?.int == -32010)
        }
        #expect(try client.reason("drag.drop", #"{"drag":"nope","to":\#(end(1))}"#) == "drag_not_found")
    }

    @Test func `invalid fields are reported by their path`() throws {
        let client = try TestServer().connected()
        try client.makeTrip()
        let item = #""trip":"t","item":"\#(id(4))""#
        let create = #""name":"n","startDate":"2026-06-11","timeZone":"UTC""#
        let table: [(String, String, String)] = [
            ("trip.get", "{}", "trip"), ("item.move", #"{"trip":"t"}"#, "item"),
            ("item.move", #"{"trip":"t","item":"x","to":\#(end(1))}"#, "item"),
            ("item.move", "{\(item)}", "to"),
            ("item.move", #"{\#(item),"to":{"day":1.0,"at":"end"}}"#, "to.day"),
            ("item.move", #"{\#(item),"to":{"day":1,"sortOrder":1e16}}"#, "to.sortOrder"),
            ("item.move", #"{\#(item),"to":\#(end(1)),"ifVersion":"1"}"#, "ifVersion"),
            ("item.add", #"{"trip":"t","item":{"kind":"boat"}}"#, "item.kind"),
            ("item.add", #"{"trip":"t","item":{"kind":"custom","title":" "}}"#, "item.title"),
            (
                "item.add",
                #"{"trip":"t","item":\#(game(9, "Rome", "2026-06-12T10:00:00Z")),"to":\#(end(2))}"#, "to"
            ),
            (
                "item.add",
                #"{"trip":"t","item":{"kind":"travel","fromCity":"a","toCity":"b","afterGame":"\#(id(4))"}}"#,
                "item.afterGame"
            ),
            ("item.update", #"{\#(item),"set":{"title":""}}"#, "set.title"),
            ("item.update", #"{\#(item),"set":{"title":null}}"#, "set.title"),
            ("item.update", #"{\#(item),"set":{"venue":"v"}}"#, "set.venue"),
            ("item.update", #"{\#(item),"set":{"day":2}}"#, "set.day"),
            ("item.update", #"{\#(item),"set":{"id":"\#(id(7))"}}"#, "set.id"),
            ("item.update", #"{\#(item),"set":{"kind":"game"}}"#, "set.kind"),
            ("item.update", #"{\#(item),"set":{"sortOrder":1}}"#, "set.sortOrder"),
            ("item.update", #"{\#(item),"set":{"version":1}}"#, "set.version"),
            ("item.update", "{\(item)}", "set"), ("trip.update", #"{"trip":"t","dayCount":0}"#, "dayCount"),
            ("trip.update", #"{"trip":"t","slug":"No!"}"#, "slug"),
            ("trip.update", #"{"trip":"t","slug":"\#(id(5))"}"#, "slug"),
            ("trip.update", #"{"trip":"t","timeZone":"Mars/Base"}"#, "timeZone"),
            ("trip.create", "{\(create)}", "dayCount"),
            ("trip.create", #"{\#(create),"dayCount":0}"#, "dayCount"),
            ("trip.create", #"{\#(create),"dayCount":1,"slug":"-a"}"#, "slug"),
            (
                "trip.create",
                #"{\#(create),"dayCount":1,"items":[{"item":\#(custom(4, "A"))},{"item":{"kind":"custom"}}]}"#,
                "items[1].item.title"
            ),
            (
                "trip.create", #"{\#(create),"dayCount":1,"items":[{"item":{"kind":"custom","title":""}}]}"#,
                "items[0].item.title"
            ),
            (
                "trip.create",
                #"{\#(create),"dayCount":1,"items":[{"item":\#(game(9, "Rome", "2026-06-12T10:00:00Z")),"to":\#(end(1))}]}"#,
                "items[0].to"
            ),
            ("trip.apply", #"{"trip":"t","ops":[]}"#, "ops"), ("trip.apply", #"{"trip":"t"}"#, "ops"),
            ("trip.apply", #"{"trip":"t","ops":[{"op":"swim"}]}"#, "ops[0].op"),
            (
                "trip.apply", #"{"trip":"t","ops":[{"op":"add","item":{"kind":"custom","title":""}}]}"#,
                "ops[0].item.title"
            ),
            ("trip.apply", #"{"trip":"t","ops":[{"op":"trip","dayCount":0}]}"#, "ops[0].dayCount"),
            (
                "trip.apply", #"{"trip":"t","ops":[{"op":"update","item":"\#(id(4))","set":{"mode":"x"}}]}"#,
                "ops[0].set.mode"
            ),
            (
                "trip.apply",
                #"{"trip":"t","ops":[{"op":"add","item":\#(game(9, "Rome", "2026-06-12T10:00:00Z")),"to":\#(end(1))}]}"#,
                "ops[0].to"
            ),
            ("trip.subscribe", #"{"trip":"t","mode":"video"}"#, "mode"),
            ("drag.hover", "{}", "drag"), ("drag.drop", #"{"drag":"x"}"#, "to"),
        ]
        for (method, params, field) in table {
            let line = try client.call(method, params)
            #expect(line.reason == "invalid_params", "\(method) \(params): \(line)")
            #expect(line.data?["field"]?.string == field, "\(method) \(params): \(line)")
            #expect(line.error?["code"]?.int == -32602)
        }
        #expect(try client.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 1)
    }

    @Test func `exceeded limits and forbidden text have their reason and data`() throws {
        let client = try TestServer().connected()
        try client.makeTrip()
        func text(_ count: Int) -> String { String(repeating: "x", count: count) }
        func set(_ field: String, _ value: String) throws -> Line {
            try client.call(
                "item.update", #"{"trip":"t","item":"\#(id(4))","set":{"\#(field)":"\#(value)"}}"#)
        }
        let table = [
            ("title", 512, "textBytes"), ("city", 512, "textBytes"), ("icon", 32, "iconBytes"),
            ("note", 16_384, "noteBytes"),
        ]
        for (field, maximum, name) in table {
            #expect(try set(field, text(maximum)).result != nil)
            let line = try set(field, text(maximum + 1))
            #expect(line.reason == "limit_exceeded")
            #expect(line.error?["code"]?.int == -32013)
            #expect(line.data?["limit"]?.string == name)
            #expect(line.data?["max"]?.int == maximum)
        }
        #expect(
            try set("title", "e" + String(repeating: "\u{301}", count: 9)).data?["limit"]?.string
                == "combiningMarks")
        for bad in [#"\u0000"#, #"\u007f"#, #"\u009b"#, #"\u2028"#, #"\u202a"#, #"\u2069"#, #"\t"#, #"\n"#] {
            let line = try set("title", bad)
            #expect(line.reason == "text_not_allowed", "\(bad)")
            #expect(line.error?["code"]?.int == -32011)
        }
        #expect(try set("note", #"a\nb"#).result != nil)
        #expect(try set("note", #"a\tb"#).reason == "text_not_allowed")
        let family = "👩‍👧 e\u{301}"
        #expect(
            try set("title", family).result?["item"]?["title"]?.string?.unicodeScalars.elementsEqual(
                family.unicodeScalars) == true)
        let days = try client.call("trip.update", #"{"trip":"t","dayCount":367}"#)
        #expect(days.data?["limit"]?.string == "days")
        #expect(
            try client.result("trip.update", #"{"trip":"t","dayCount":366}"#)["trip"]?["dayCount"]?.int == 366
        )
        let op = #"{"op":"move","item":"\#(id(5))","to":\#(end(2))}"#
        let many = Array(repeating: op, count: 129).joined(separator: ",")
        let ops = try client.call("trip.apply", #"{"trip":"t","ops":[\#(many)]}"#)
        #expect(ops.reason == "limit_exceeded")
        #expect(ops.data?["limit"]?.string == "ops")
        #expect(ops.data?["max"]?.int == 128)
    }

    @Test func `a viewer is refused every change, but a missing item is reported first`() throws {
        let server = try TestServer()
        let (editor, viewer) = (try server.client("ann"), try server.client("eve", role: "viewer"))
        try editor.makeTrip()
        let table = [
            ("item.add", #"{"trip":"T","item":\#(custom(9, "N"))}"#),
            ("item.move", #"{"trip":"T","item":"I","to":\#(end(5))}"#),
            ("item.update", #"{"trip":"T","item":"I","set":{"title":"x"}}"#),
            ("item.remove", #"{"trip":"T","item":"I"}"#),
            ("trip.update", #"{"trip":"T","name":"x"}"#), ("trip.delete", #"{"trip":"T"}"#),
            ("trip.apply", #"{"trip":"T","ops":[{"op":"remove","item":"I"}]}"#),
            ("drag.begin", #"{"trip":"T","item":"I"}"#),
        ]
        for (method, template) in table {
            func params(_ trip: String, _ item: Int) -> String {
                template.replacing(#""T""#, with: "\"\(trip)\"").replacing(#""I""#, with: "\"\(id(item))\"")
            }
            let line = try viewer.call(method, params("t", 4))
            #expect(line.reason == "read_only", "\(method): \(line)")
            #expect(line.error?["code"]?.int == -32015)
            #expect(try viewer.reason(method, params("nope", 4)) == "trip_not_found")
            if template.contains(#""I""#) {
                #expect(try viewer.reason(method, params("t", 99)) == "item_not_found", "\(method)")
            }
            let dry = params("t", 4).dropLast() + #","dryRun":true}"#
            #expect(try viewer.reason(method, String(dry)) == "read_only", "\(method)")
            let both = params("t", 4).dropLast() + #","ifVersion":77}"#
            #expect(try viewer.reason(method, String(both)) == "read_only", "\(method)")
        }
        // Access is checked before other rules.
        #expect(try viewer.move(1, to: end(9)).reason == "read_only")
        #expect(try viewer.reason("daemon.shutdown") == "read_only")
        #expect(
            try viewer.reason(
                "trip.create", #"{"name":"n","startDate":"2026-06-11","timeZone":"UTC","dayCount":1}"#)
                == "read_only")
        #expect(try viewer.reason("drag.drop", #"{"drag":"x","to":\#(end(1))}"#) == "drag_not_found")
        try viewer.subscribe()
        try viewer.result("item.gaps", #"{"trip":"t","item":"\#(id(4))"}"#)
        try viewer.result("trip.sync", #"{"trip":"t"}"#)
        #expect(try editor.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 1)
    }

    @Test func `a lease is checked before the version, and the version before the rules`() throws {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        let drag = try ann.beginDrag(4)
        let held = try bob.move(4, to: end(9), #","ifVersion":7,"ifItemVersion":8"#)
        #expect(held.reason == "item_held")
        #expect(held.data?["by"]?.string == "ann")
        #expect(held.error?["code"]?.int == -32012)
        try ann.result("drag.cancel", #"{"drag":"\#(drag)"}"#)
        let trip = try bob.move(4, to: end(9), #","ifVersion":7"#)
        #expect(trip.reason == "version_conflict")
        #expect(trip.data?["expected"]?.int == 7)
        #expect(trip.data?["actual"]?.int == 1)
        let item = try bob.move(4, to: end(9), #","ifVersion":1,"ifItemVersion":3"#)
        #expect(item.reason == "version_conflict")
        #expect(item.data?["expected"]?.int == 3)
        #expect(item.data?["actual"]?.int == 1)
        #expect(
            try bob.move(4, to: end(9), #","ifVersion":1,"ifItemVersion":1"#).reason == "day_out_of_range")
        #expect(try bob.move(99, to: end(9), #","ifVersion":7"#).reason == "item_not_found")
        #expect(try bob.move(4, to: end(5), #","ifVersion":1,"ifItemVersion":1"#).version == 2)
        #expect(try bob.move(5, to: end(5), #","ifItemVersion":1"#).version == 3)
        #expect(try bob.reason("trip.delete", #"{"trip":"t","ifVersion":1}"#) == "version_conflict")
        #expect(
            try bob.reason("trip.update", #"{"trip":"t","name":"x","ifVersion":1}"#) == "version_conflict")
        try bob.result("trip.delete", #"{"trip":"t","ifVersion":3}"#)
    }

    @Test func `ids and gameIds in use are duplicate_id, those of removed items are free`() throws {
        let client = try TestServer().connected()
        try client.makeTrip()
        #expect(
            try client.reason("item.add", #"{"trip":"t","item":\#(custom(4, "again"))}"#) == "duplicate_id")
        #expect(
            try client.reason(
                "item.add", #"{"trip":"t","item":\#(game(9, "Rome", "2026-06-12T10:00:00Z", gameID: "g1"))}"#)
                == "duplicate_id")
        try client.result("item.remove", #"{"trip":"t","item":"\#(id(4))"}"#)
        try client.result("item.add", #"{"trip":"t","item":\#(custom(4, "again"))}"#)
        try client.result("item.remove", #"{"trip":"t","item":"\#(id(1))"}"#)
        try client.result(
            "item.add", #"{"trip":"t","item":\#(game(9, "Rome", "2026-06-12T10:00:00Z", gameID: "g1"))}"#)
    }
}
