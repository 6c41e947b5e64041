import TestSupport
import Testing

@testable import TripServer

/// The fields of versions 1.1 to 1.3, over the wire and after restarts.
@Suite struct ItemFieldTests {
    /// All optional members of item 4 of the trip `t`.
    private static let fields =
        #""time":"19:30","place":"1 Main St","coordinate":{"lat":33.755,"lon":-84.4},"url":"https://example.org/a","#
        + #""reference":"AB12","source":{"name":"table","id":"row 7"}"#

    private func item(_ number: Int, of trip: LineClient) throws -> String {
        let items = try trip.result("trip.get", #"{"trip":"t"}"#)["items"]
        let item = try #require(items?.elements.first { $0["id"]?.string == id(number) })
        return String(decoding: item.rawBytes, as: UTF8.self)
    }

    private func update(_ number: Int, _ set: String) -> String {
        #"{"trip":"t","item":"\#(id(number))","set":\#(set)}"#
    }

    @Test func `a change by a 1.0 client preserves the fields that it does not know, even on disk`() throws {
        let directory = try TemporaryDirectory()
        let server = try TestServer(in: directory)
        let client = try server.client("ann")
        try client.makeTrip()
        try client.result("item.update", update(4, "{\(Self.fields)}"))
        try client.result("item.update", update(1, #"{"note":"gate 7","reference":"seat 9"}"#))
        // It sends the fields that it knows, and moves the item.
        try client.result("item.update", update(4, #"{"title":"Dinner","note":null}"#))
        _ = try client.move(4, to: end(5))
        let dinner = try item(4, of: client)
        #expect(dinner.contains(#""title":"Dinner",\#(Self.fields)}"#), "\(dinner)")
        #expect(try item(1, of: client).contains(#""note":"gate 7","reference":"seat 9"}"#))
        let next = try TestServer(in: try directory.copy())
        let again = try next.client("ann")
        #expect(try item(4, of: again) == dinner)
        try again.result("item.update", update(4, #"{"time":null,"coordinate":null,"source":null}"#))
        #expect(
            try item(4, of: again).contains(
                #""title":"Dinner","place":"1 Main St","url":"https://example.org/a","reference":"AB12"}"#))
        let third = try TestServer(in: try directory.copy())
        #expect(try item(4, of: third.client("ann")) == dinner, "the copy before is as it was")
    }

    @Test func `a change by a 1.2 client preserves the fields of 1.3, even on disk`() throws {
        let directory = try TemporaryDirectory()
        let server = try TestServer(in: directory)
        let client = try server.client("ann")
        try client.makeTrip()
        for number in [3, 4] {
            try client.result("item.update", update(number, #"{"time":"00:30","lateNight":true}"#))
        }
        try client.result("item.update", update(1, #"{"cancelled":true}"#))
        let old = try server.connect()
        try old.result(
            "hello",
            #"{"protocol":{"major":1,"minor":2},"client":{"name":"old","version":"1"},"user":"bob"}"#)
        try old.result("item.update", update(3, #"{"mode":"bus"}"#))
        try old.result("item.update", update(4, #"{"time":"01:00"}"#))
        _ = try old.move(4, to: end(5))
        try old.result("item.update", update(1, #"{"note":"x"}"#))
        func expectAll(_ reader: LineClient) throws {
            #expect(try item(3, of: reader).contains(#""time":"00:30","lateNight":true"#))
            #expect(try item(4, of: reader).contains(#""time":"01:00","lateNight":true"#))
            #expect(try item(1, of: reader).contains(#""cancelled":true"#))
        }
        try expectAll(old)
        let next = try TestServer(in: try directory.copy())
        try expectAll(try next.client("ann"))
        try client.result("item.update", update(4, #"{"lateNight":null}"#))
        #expect(try !item(4, of: client).contains("lateNight"))
    }

    @Test func `a change by a 1.1 client preserves the fields of 1.2, even on disk`() throws {
        let directory = try TemporaryDirectory()
        let server = try TestServer(in: directory)
        let client = try server.client("ann")
        try client.makeTrip()
        let travel =
            #""afterGame":"none","time":"09:00","timeZone":"America/Chicago","arrivalTimeZone":"America/Detroit""#
        let (stay, game) = (#""endTime":"11:00","nights":2"#, #""attending":false"#)
        try client.result("item.update", update(3, "{\(travel)}"))
        try client.result("item.update", update(4, "{\(stay)}"))
        try client.result("item.update", update(1, "{\(game)}"))
        let problem = "stay_outside_trip:\(id(4))"
        try client.result("trip.accept", #"{"trip":"t","problem":"\#(problem)","accepted":true}"#)
        let old = try server.connect()
        try old.result(
            "hello",
            #"{"protocol":{"major":1,"minor":1},"client":{"name":"old","version":"1"},"user":"bob"}"#)
        try old.result("item.update", update(3, #"{"mode":"bus","note":"x","beforeGame":"\#(id(2))"}"#))
        try old.result("item.update", update(4, #"{"title":"Hotel","place":"1 Main St"}"#))
        try old.result("item.update", update(1, #"{"title":"Cubs v Reds","durationMinutes":150}"#))
        try old.result("trip.update", #"{"trip":"t","name":"Renamed"}"#)
        func expectAll(_ reader: LineClient) throws {
            let moved = try item(3, of: reader)
            for member in travel.split(separator: ",") { #expect(moved.contains(member), "\(moved)") }
            #expect(moved.contains(#""mode":"bus""#) && moved.contains(#""beforeGame":"\#(id(2))""#))
            #expect(try item(4, of: reader).contains(#""nights":2"#))
            #expect(try item(4, of: reader).contains(#""endTime":"11:00""#))
            #expect(try item(1, of: reader).contains(game))
            let state = try reader.result("trip.get", #"{"trip":"t"}"#)
            #expect(state["trip"]?["acceptedProblems"]?.elements.compactMap(\.string) == [problem])
        }
        try expectAll(old)
        // The old client moves the stay and undoes that; undo restores also the fields that it does not know.
        _ = try old.move(4, to: end(4))
        try old.result("trip.undo", #"{"trip":"t"}"#)
        try expectAll(client)
        let next = try TestServer(in: try directory.copy())
        try expectAll(try next.client("ann"))
        // An old client can still close the open side with null.
        try old.result("item.update", update(3, #"{"afterGame":null}"#))
        #expect(try !item(3, of: client).contains("none"))
    }

    @Test(arguments: [
        ("item.add", #"{"trip":"t","item":{"kind":"custom","title":"x",\#(ItemFieldTests.fields)}}"#),
        (
            "trip.apply",
            #"{"trip":"t","ops":[{"op":"update","item":"\#(id(4))","set":{\#(ItemFieldTests.fields)}}]}"#
        ),
    ]) func `the answer and all subscribers get the fields`(method: String, params: String) throws {
        let server = try TestServer()
        let (ann, bob, cleo) = (try server.client("ann"), try server.client("bob"), try server.client("cleo"))
        try ann.makeTrip()
        try bob.result("trip.subscribe", #"{"trip":"t"}"#)
        try cleo.result("trip.subscribe", #"{"trip":"t","mode":"delta"}"#)
        #expect(try ann.call(method, params).text.contains(Self.fields))
        #expect(try bob.next("trip.snapshot").text.contains(Self.fields))
        #expect(try cleo.next("trip.delta").text.contains(Self.fields))
    }

    @Test func `a delta contains the problems that a time causes and ends, and undo reverts them`() throws {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        try bob.result("trip.subscribe", #"{"trip":"t","mode":"delta"}"#)
        func problems() throws -> [String]? {
            try bob.next("trip.delta").params?["problems"]?.elements.compactMap { $0["kind"]?.string }
        }
        try ann.result("item.update", update(4, #"{"time":"19:30"}"#))
        #expect(try problems() == [])
        try ann.result("item.update", update(5, #"{"time":"12:00"}"#))
        #expect(try problems() == ["out_of_time"])
        _ = try ann.move(5, to: before(4, day: 4))
        #expect(try problems() == [])
        _ = try ann.move(6, to: start(4))
        #expect(try problems() == nil, "what has no time makes none")
        try ann.result("trip.undo", #"{"trip":"t"}"#)
        _ = try problems()
        try ann.result("trip.undo", #"{"trip":"t"}"#)
        #expect(try problems() == ["out_of_time"])
        try ann.result("trip.undo", #"{"trip":"t"}"#)
        #expect(try problems() == [])
        #expect(try !item(5, of: ann).contains("time\":"))
    }

    @Test(arguments: [
        (4, #"{"time":"25:00"}"#, "invalid_params", "set.time"),
        (4, #"{"time":1930}"#, "invalid_params", "set.time"),
        (1, #"{"time":"19:30"}"#, "invalid_params", "set.time"),
        (3, #"{"place":"x"}"#, "invalid_params", "set.place"),
        (3, #"{"coordinate":{"lat":1,"lon":2}}"#, "invalid_params", "set.coordinate"),
        (4, #"{"coordinate":{"lat":91,"lon":2}}"#, "invalid_params", "set.coordinate.lat"),
        (1, #"{"coordinate":{"lat":1,"lon":-181}}"#, "invalid_params", "set.coordinate.lon"),
        (1, #"{"coordinate":{"lat":1}}"#, "invalid_params", "set.coordinate.lon"),
        (1, #"{"coordinate":"1 2"}"#, "invalid_params", "set.coordinate"),
        (1, #"{"url":"ftp://a"}"#, "invalid_params", "set.url"),
        (3, #"{"url":"https://a\u0000"}"#, "text_not_allowed", "set.url"),
        (3, #"{"source":{"name":"n"}}"#, "invalid_params", "set.source.id"),
        (3, #"{"source":{"name":" ","id":"i"}}"#, "invalid_params", "set.source.name"),
        (1, #"{"note":"a\tb"}"#, "text_not_allowed", "set.note"),
        (1, #"{"icon":"x"}"#, "invalid_params", "set.icon"),
    ]) func `an invalid value is refused with the field's name`(
        number: Int, set: String, reason: String, field: String
    ) throws {
        let server = try TestServer()
        let client = try server.client("ann")
        try client.makeTrip()
        let line = try client.call("item.update", update(number, set))
        #expect(line.reason == reason && line.data?["field"]?.string == field, "\(line)")
    }

    @Test(arguments: [
        ("url", "urlBytes", 2048, "https://"), ("reference", "referenceBytes", 200, ""),
        ("place", "placeBytes", 500, ""),
    ]) func `an exceeded limit is reported with its name and value`(
        field: String, limit: String, max: Int, start: String
    )
        throws
    {
        let server = try TestServer()
        let client = try server.client("ann")
        try client.makeTrip()
        let text = start + String(repeating: "n", count: max - start.utf8.count)
        try client.result("item.update", update(4, #"{"\#(field)":"\#(text)"}"#))
        let line = try client.call("item.update", update(4, #"{"\#(field)":"\#(text)n"}"#))
        #expect(line.reason == "limit_exceeded" && line.data?["limit"]?.string == limit)
        #expect(line.data?["max"]?.int == max && line.data?["field"]?.string == "set.\(field)")
    }
}
