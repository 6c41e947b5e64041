import Foundation
import JSONLine
import TestSupport
import Testing
import TripProtocol

/// Every message of both sides must match `openrpc.json`: those of the transcripts, and those of
/// conversations that use every method, every notification and every reason that can be provoked.
@Suite struct ConversationTests {
    /// Reserved for bugs of the daemon and for several accounts; they cannot be provoked here.
    private static let unprovoked: Set = ["internal_error", "shutting_down", "access_denied"]

    @Test func `every message matches the schema, and every name of the schema occurs`() throws {
        let schema = try ProtocolSchema()
        let audit = Audit(schema)
        for name in try Transcript.all() { try Replay.run(Transcript(name: name), audit) }
        try Self.edit(audit)
        try Self.meetLimits(audit)
        try Self.breakDisks(audit)
        try Self.comeToAnEnd(audit)
        #expect(audit.answeredMethods == Set(schema.methodNames))
        #expect(audit.notifications == Set(schema.notificationNames))
        #expect(audit.reasons == Set(schema.errorCodes.keys).subtracting(Self.unprovoked))
        #expect(audit.lineCount > 500)
    }

    private static func item(_ number: Int) -> String { #""trip":"t","item":"\#(id(number))""# }

    /// A trip `t` with games in Rome on day 1 (item 1) and Oslo on day 3 (2), and a walk on day 1 (3).
    private static func makeTrip(_ client: LineClient) throws {
        let games = [(1, "Rome", "11T18:00:00+02:00"), (2, "Oslo", "13T12:00:00.5Z")].map {
            number, city, time in
            #"{"item":{"id":"\#(id(number))","kind":"game","gameId":"g\#(number)","title":"Game","city":"\#(city)","#
                + #""venue":"Arena","timeZone":"Europe/\#(city)","startsAt":"2026-06-\#(time)","durationMinutes":90}}"#
        }
        let walk = #"{"item":{"id":"\#(id(3))","kind":"custom","title":"Walk","icon":"🚶","city":"Rome"}}"#
        try client.makeTrip("t", items: (games + [walk]).joined(separator: ","))
    }

    /// Typical edits, and refused ones.
    private static func edit(_ audit: Audit) throws {
        let server = try LiveServer(audit)
        let (ann, bob, val) = (
            try server.client("ann"), try server.client("bob"), try server.client("val", role: "viewer")
        )
        try makeTrip(ann)
        try bob.result("trip.subscribe", #"{"trip":"t","mode":"delta","deferWhileDragging":false}"#)
        try val.result("trip.subscribe", #"{"trip":"t"}"#)
        let train =
            #"{"id":"\#(id(4))","kind":"travel","fromCity":"Rome","toCity":"Oslo","mode":"train","#
            + #""durationMinutes":600,"note":"a\nb","afterGame":"\#(id(1))","beforeGame":"\#(id(2))"}"#
        try ann.result("item.add", #"{"trip":"t","item":\#(train),"seq":1,"ifVersion":1}"#)
        try bob.next("trip.delta")
        try ann.result(
            "item.add",
            #"{"trip":"t","item":{"kind":"custom","title":"Nap"},"to":{"day":2,"at":"start"},"dryRun":true}"#)
        try ann.result(
            "item.update", #"{\#(item(3)),"set":{"cost":{"amount":0.5,"currency":"EUR"},"icon":null}}"#)
        try ann.result(
            "item.update", #"{\#(item(1)),"set":{"startsAt":"2026-06-12t09:00:00z","timeZone":null}}"#)
        try ann.result(
            "item.update", #"{\#(item(4)),"set":{"mode":null,"afterGame":null,"fromCity":"Bergen"}}"#)
        #expect(try ann.reason("item.update", #"{\#(item(4)),"set":{"day":1}}"#) == "invalid_params")
        #expect(
            try ann.reason(
                "item.add", #"{"trip":"t","item":{"kind":"travel","fromCity":"Oslo","toCity":"Rome"}}"#)
                == "no_valid_position")
        #expect(try ann.reason("trip.update", #"{"trip":"t","name":"a\u0000b"}"#) == "text_not_allowed")
        // Orders without room between them make the daemon re-space.
        for number in 10..<13 {
            try ann.result(
                "item.add",
                #"{"trip":"t","item":{"id":"\#(id(number))","kind":"custom","title":"x"},"to":{"day":5,"sortOrder":\#(number == 12 ? "1e-11" : "\(number - 10)e-11")}}"#
            )
        }
        let moved = try ann.result("item.move", #"{\#(item(10)),"to":{"day":5,"before":"\#(id(12))"}}"#)
        #expect(moved["respaced"]?.elements.compactMap(\.int) == [5])
        try ann.result(
            "trip.update", #"{"trip":"t","dayCount":4,"startDate":"2026-06-10","timeZone":"Asia/Tokyo"}"#)
        try ann.result("trip.undo", #"{"trip":"t","seq":2}"#)
        try ann.result("trip.redo", #"{"trip":"t","seq":3}"#)
        let history = try val.result("trip.history", #"{"trip":"t","limit":500}"#)
        #expect(history["entries"]?.count == 11)
        for (method, params) in [
            ("item.remove", "{\(item(3))}"), ("drag.begin", "{\(item(3))}"),
            ("trip.delete", #"{"trip":"t"}"#),
            ("trip.undo", #"{"trip":"t"}"#),
            ("item.move", #"{\#(item(3)),"to":{"day":1,"at":"end"},"dryRun":true}"#),
        ] {
            #expect(try val.reason(method, params) == "read_only", "\(method)")
        }
        let drag = try ann.result("drag.begin", "{\(item(3))}")["drag"]?.excerpt ?? ""
        try ann.result("drag.hover", #"{"drag":\#(drag),"over":{"day":2,"before":"\#(id(1))"}}"#)
        try ann.result("item.remove", "{\(item(3))}")
        try ann.next("drag.ended")
        let other = try ann.result("drag.begin", "{\(item(4))}")["drag"]?.excerpt ?? ""
        try bob.result(
            "trip.apply",
            #"{"trip":"t","ops":[{"op":"trip","name":"U"},{"op":"update","item":"\#(id(2))","set":{"city":null}}]}"#
        )
        try ann.result(
            "drag.drop", #"{"drag":\#(other),"to":{"day":2,"at":"end"},"trip":"t","seq":4,"dryRun":true}"#)
        try ann.result("drag.drop", #"{"drag":\#(other),"to":{"day":2,"at":"end"},"trip":"t","seq":4}"#)
        try ann.result("daemon.stats")
        try val.result("trip.list")
        try val.result("trip.sync", #"{"trip":"t"}"#)
        try val.next("trip.snapshot")
        try ann.result("trip.unsubscribe", #"{"trip":"t"}"#)
        try ann.result("drag.begin", "{\(item(4))}")
        try bob.result("trip.delete", #"{"trip":"t"}"#)
        try ann.next("drag.ended")
        try val.next("trip.deleted")
    }

    /// Exceeds limits.
    private static func meetLimits(_ audit: Audit) throws {
        let client = try LiveServer(audit).client("ann")
        try makeTrip(client)
        let marks = "a" + String(repeating: "\u{301}", count: 9)
        let operations = Array(repeating: #"{"op":"remove","item":"\#(id(3))"}"#, count: 129).joined(
            separator: ",")
        for (method, params) in [
            ("item.update", #"{\#(item(3)),"set":{"title":"\#(String(repeating: "x", count: 513))"}}"#),
            ("item.update", #"{\#(item(3)),"set":{"note":"\#(String(repeating: "x", count: 16_385))"}}"#),
            ("item.update", #"{\#(item(3)),"set":{"title":"\#(marks)"}}"#),
            ("trip.update", #"{"trip":"t","dayCount":367}"#),
            ("trip.apply", #"{"trip":"t","ops":[\#(operations)]}"#),
        ] {
            #expect(try client.reason(method, params) == "limit_exceeded", "\(method)")
        }
    }

    /// Disks that are full, fail, or return damaged data.
    private static func breakDisks(_ audit: Audit) throws {
        let server = try LiveServer(audit)
        let client = try server.client("ann")
        try makeTrip(client)
        let move = #"{\#(item(3)),"to":{"day":2,"at":"end"}}"#
        server.failNextChange(.storageFull)
        #expect(try client.reason("item.move", move) == "storage_full")
        #expect(
            try client.result("trip.list")["trips"]?.elements.map { $0["state"]?.string } == ["read_only"])
        try client.result("item.move", move)
        server.failNextChange(.outcomeUnknown)
        #expect(try client.reason("item.remove", "{\(item(3))}") == "outcome_unknown")
        #expect(try client.reason("item.remove", "{\(item(3))}") == "storage_failed")
        try client.result("trip.get", #"{"trip":"t"}"#)
        let journals = server.journals
        try server.restart {
            for journal in journals {
                // The second line is the record that created the trip. A later line shows that the end is not
                // torn.
                var bytes = try Data(contentsOf: journal)
                let line = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
                bytes[line + 60] ^= 1
                try bytes.write(to: journal)
            }
        }
        let next = try server.client("ann")
        let id = journals.first?.deletingLastPathComponent().lastPathComponent ?? ""
        #expect(try next.reason("trip.get", #"{"trip":"\#(id)"}"#) == "trip_corrupt")
        try next.result("trip.list")
    }

    /// Connections closed by the daemon.
    private static func comeToAnEnd(_ audit: Audit) throws {
        let silent = try LiveServer(audit, handshakeTime: .milliseconds(20)).connect()
        let line = try silent.next("goodbye")
        #expect(line.reason == "handshake_timeout")
        #expect(try silent.linesToEnd().isEmpty)
    }
}
