import JSONLine
import TestSupport
import Testing
import TripModel
import TripProtocol

@testable import TripServer

private let mine = "aaaaaaaa-0000-4000-8000-000000000001"

/// The definition of the same request, and forbidden members of a new item.
@Suite struct SameRequestTests {
    private static func mark(_ method: TripProtocol.Method, _ params: String) throws -> UInt64 {
        let node = try JSONDocument(parsing: Array(params.utf8)).root
        return try Request(method, params: node).fingerprint(method, node)
    }

    private static let item = #""kind":"custom","title":"A","id":"\#(id(9))""#

    @Test(arguments: [
        (
            TripProtocol.Method.moveItem,
            #"{"trip":"t","item":"\#(id(4))","to":{"day":1,"at":"end"},"seq":1}"#,
            #"{"trip":"t","item":"\#(id(4))","to":{"day":1,"at":"end","after":null},"seq":1,"dryRun":false,"ifVersion":null}"#
        ),
        (
            .addItem, #"{"trip":"t","item":{\#(item)},"seq":1}"#,
            #"{"trip":"t","item":{\#(item),"note":null},"to":null,"seq":1,"ifItemVersion":null}"#
        ),
        (
            .addItem, #"{"trip":"t","item":{\#(item)},"seq":1}"#,
            #"{"trip":"t","item":{\#(item)},"to":{"day":1,"at":"end"},"seq":1}"#
        ),
        (
            .apply, #"{"trip":"t","ops":[{"op":"add","item":{\#(item)}}],"seq":1}"#,
            #"{"trip":"t","ops":[{"op":"add","item":{\#(item),"cost":null},"to":{"day":1,"at":"end"}}],"seq":1}"#
        ),
        (
            .createTrip,
            #"{"id":"\#(id(1))","name":"x","startDate":"2026-06-11","timeZone":"UTC","dayCount":2}"#,
            #"{"id":"\#(id(1))","name":"x","startDate":"2026-06-11","timeZone":"UTC","dayCount":2,"slug":null,"items":[],"dryRun":false}"#
        ),
        (.undo, #"{"trip":"t","seq":1}"#, #"{"trip":"t","seq":1,"dryRun":null}"#),
        (
            .drop, #"{"trip":"t","drag":"d","to":{"day":2,"at":"end"},"seq":1}"#,
            #"{"trip":"t","drag":"d","to":{"day":2,"at":"end","sortOrder":null},"seq":1,"dryRun":false}"#
        ),
    ])
    func `null and an explicit default equal an omitted member`(
        method: TripProtocol.Method, short: String, long: String
    ) throws {
        #expect(try Self.mark(method, short) == Self.mark(method, long))
        #expect(try Self.mark(method, short) != 0)
    }

    @Test func `a significant null and a value other than the default count`() throws {
        func update(_ set: String) throws -> UInt64 {
            try Self.mark(.updateItem, #"{"trip":"t","item":"\#(id(4))","set":{\#(set)},"seq":1}"#)
        }
        #expect(try update(#""note":null"#) != update(""))
        func add(_ kind: String, _ to: String) throws -> UInt64 {
            let item =
                kind == "custom"
                ? #""kind":"custom","title":"A""# : #""kind":"travel","fromCity":"a","toCity":"b""#
            return try Self.mark(.addItem, #"{"trip":"t","item":{\#(item)}\#(to),"seq":1}"#)
        }
        #expect(try add("custom", #","to":{"day":2,"at":"end"}"#) != add("custom", ""))
        #expect(try add("custom", #","to":{"day":1,"at":"start"}"#) != add("custom", ""))
        #expect(try add("travel", #","to":{"day":1,"at":"end"}"#) != add("travel", ""))
        #expect(
            try Self.mark(.moveItem, #"{"trip":"t","item":"\#(id(4))","to":{"day":1,"at":"end"},"seq":1}"#)
                != Self.mark(
                    .moveItem, #"{"trip":"t","item":"\#(id(4))","to":{"day":1,"at":"start"},"seq":1}"#))
    }

    /// Journals store fingerprints, so these values, which another implementation of FNV-1a computed, must not change.
    @Test(arguments: [
        (
            TripProtocol.Method.moveItem, #"{"seq":1,"trip":"t","item":"i4","to":{"day":1,"at":"end"}}"#,
            0xB01E8078689BD55E as UInt64
        ),
        (
            .updateItem,
            #"{"trip":"t", "item":"i4", "set":{"title":"A\u0041\/\n","cost":1.50,"note":null}, "seq":7}"#,
            0x4FBA9B358720D8AB
        ),
        (
            .apply, #"{"trip":"t","seq":-0,"ops":[],"x":{},"big":123456789012345678,"é":[1,[2,-3]],"e":1e2}"#,
            0xAD41AE6299FA8A0B
        ),
    ])
    func `the fingerprint is the hash of the method and the canonical parameters`(
        method: TripProtocol.Method, text: String, expected: UInt64
    ) throws {
        let node = try JSONDocument(parsing: Array(text.utf8)).root
        var fingerprint = Fingerprint(of: method.rawValue.utf8)
        #expect(node.meaning(after: fingerprint).value == expected)
        fingerprint.add(node.canonicalBytes())
        #expect(fingerprint.value == expected)
    }

    @Test func `a retry with explicit defaults gets the answer`() throws {
        let server = try TestServer()
        let ann = try server.client("ann", client: mine)
        try ann.makeTrip()
        let first = try ann.move(4, to: end(5), #","seq":1"#)
        let again = try ann.move(4, to: end(5), #","seq":1,"dryRun":false,"ifVersion":null"#)
        #expect(again.result?.text == first.result?.text)
        #expect(first.version == 2)
    }

    @Test func `a drop with a seq needs its trip, and keeps its drag if that is missing`() throws {
        let server = try TestServer()
        let ann = try server.client("ann", client: mine)
        try ann.makeTrip()
        let drag = try ann.beginDrag(4)
        let line = try ann.call("drag.drop", #"{"drag":"\#(drag)","to":\#(end(5)),"seq":1}"#)
        #expect(line.reason == "invalid_params")
        #expect(line.data?["field"]?.string == "trip")
        #expect(
            try ann.result("drag.drop", #"{"drag":"\#(drag)","to":\#(end(5)),"seq":1,"trip":"t"}"#)[
                "version"]?
                .int == 2)
    }

    @Test(arguments: [
        (#""kind":"custom","title":"A","day":3"#, "day"),
        (#""kind":"custom","title":"A","sortOrder":1"#, "sortOrder"),
        (#""kind":"custom","title":"A","version":1"#, "version"),
        (#""kind":"custom","title":"A","modifiedBy":"x""#, "modifiedBy"),
        (#""kind":"custom","title":"A","modifiedAt":"2026-06-11T19:00:00.000Z""#, "modifiedAt"),
        (#""kind":"custom","title":"A","venue":"x""#, "venue"),
        (#""kind":"travel","fromCity":"a","toCity":"b","title":"x""#, "title"),
        (#""kind":"game","gameId":"g","title":"x","startsAt":"2026-06-11T18:00:00Z","icon":"x""#, "icon"),
    ])
    func `a new item with unknown fields is refused`(item: String, field: String) throws {
        let server = try TestServer()
        let ann = try server.client("ann")
        try ann.makeTrip()
        let alone = try ann.call("item.add", #"{"trip":"t","item":{\#(item)}}"#)
        #expect(alone.reason == "invalid_params")
        #expect(alone.data?["field"]?.string == "item.\(field)")
        let batch = try ann.call("trip.apply", #"{"trip":"t","ops":[{"op":"add","item":{\#(item)}}]}"#)
        #expect(batch.data?["field"]?.string == "ops[0].item.\(field)")
        let made = try ann.call(
            "trip.create",
            #"{"name":"x","startDate":"2026-06-11","timeZone":"UTC","dayCount":2,"items":[{"item":{\#(item)}}]}"#
        )
        #expect(made.data?["field"]?.string == "items[0].item.\(field)")
        // Unknown members are ignored as always, and null counts as absent.
        try ann.result(
            "item.add",
            #"{"trip":"t","item":{"kind":"custom","title":"A","mood":"x","day":null,"venue":null}}"#)
    }

    @Test func `the seq of a rolled-back change can be used again, and a refused one is too old`() throws {
        let server = try TestServer.held()
        let held = try #require(server.held)
        let ann = try server.client("ann", client: mine)
        try ann.makeTrip()
        held.hold()
        let first = try ann.post("item.move", LineClient.moving(4, to: end(5), #","seq":5"#))
        try server.awaitHeld()
        held.fail(.storageFull)
        #expect(try ann.reply(to: first).reason == "storage_full")
        held.resume()
        #expect(try ann.move(5, to: end(5), #","seq":5"#).version == 2)
        #expect(try ann.move(5, to: end(4), #","seq":4"#).reason == "seq_too_old")
    }
}
