import TestSupport
import Testing

@testable import TripServer

/// A server started with the files of an earlier server.
@Suite struct RecoveryTests {
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `after a kill during random edits every position is identical`(_ seed: UInt64) throws {
        let directory = try TemporaryDirectory()
        let server = try TestServer(in: directory)
        let client = try server.client("ann")
        try client.makeTrip()
        var workload = RandomChanges(seed: seed)
        for _ in 0..<150 {
            let (method, params) = workload.change()
            _ = try client.call(method, params)
        }
        let before = try client.result("trip.get", #"{"trip":"t"}"#).text
        let copy = try directory.copy()
        let next = try TestServer(in: copy)
        #expect(try next.client("bob").result("trip.get", #"{"trip":"t"}"#).text == before)
        // The journal accepts another commit, and another restart.
        let again = try next.client("ann")
        try again.result("item.add", #"{"trip":"t","item":{"kind":"custom","title":"after"}}"#)
        let after = try again.result("trip.get", #"{"trip":"t"}"#).text
        let third = try TestServer(in: try copy.copy())
        #expect(try third.client("bob").result("trip.get", #"{"trip":"t"}"#).text == after)
    }

    @Test func `a damaged journal is trip_corrupt with file and offset; other trips are served`() throws {
        let directory = try TemporaryDirectory()
        do {
            let server = try TestServer(in: directory)
            let client = try server.client("ann")
            try client.makeTrip("good", id: 91)
            try client.makeTrip("t", id: 92)
            for day in 1...4 { _ = try client.move(4, to: end(day)) }
        }
        let journal = directory.path + "/trips/\(id(92))/journal"
        var bytes = try readFile(journal)
        // In the middle of a move; the lines after it are complete, so it cannot be a torn end.
        let records = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 3)
        bytes[records[3].startIndex + 60] ^= 1
        try write(bytes, to: journal)
        let server = try TestServer(in: try directory.copy())
        let client = try server.client("ann")
        let trip =
            #"{"trip":"\#(id(92))","drag":"gone","item":"\#(id(4))","to":\#(end(1)),"ops":[{"op":"remove","item":"\#(id(4))"}],"set":{}}"#
        let methods = [
            "trip.get", "trip.update", "trip.delete", "trip.subscribe", "trip.unsubscribe", "trip.sync",
            "trip.apply", "item.move", "item.update", "item.remove", "item.gaps", "drag.begin",
            "drag.drop",
        ]
        for method in methods {
            let line = try client.call(method, trip)
            #expect(line.reason == "trip_corrupt", "\(method): \(line)")
            #expect(line.error?["code"]?.int == -32014)
            #expect(line.data?["file"]?.string?.hasSuffix("/trips/\(id(92))/journal") == true)
            #expect((line.data?["offset"]?.int ?? 0) > 0)
        }
        // Creating the trip again is refused, with the reason.
        let made = #"{"id":"\#(id(92))","name":"t","startDate":"2026-06-11","timeZone":"UTC","dayCount":5}"#
        #expect(try client.reason("trip.create", made) == "trip_corrupt")
        let rows = try client.result("trip.list")["trips"]?.elements.map { $0 } ?? []
        #expect(rows.map { $0["slug"]?.string } == ["good", "t"])
        #expect(rows.map { $0["state"]?.string } == ["ok", "corrupt"])
        #expect(try client.result("trip.get", #"{"trip":"good"}"#)["version"]?.int == 1)
        #expect(try client.result("item.remove", #"{"trip":"good","item":"\#(id(4))"}"#)["version"]?.int == 2)
        // The damaged file is unchanged.
        #expect(try readFile(server.directory.path + "/trips/\(id(92))/journal") == bytes)
    }

    @Test func `a deleted trip stays deleted, and its slug free`() throws {
        let directory = try TemporaryDirectory()
        do {
            let server = try TestServer(in: directory)
            let client = try server.client("ann")
            try client.makeTrip("t", id: 91)
            try client.result("trip.delete", #"{"trip":"t"}"#)
            try client.makeTrip("t", id: 92)
        }
        let client = try TestServer(in: try directory.copy()).connected()
        #expect(try client.result("trip.get", #"{"trip":"t"}"#)["trip"]?["id"]?.string == id(92))
        #expect(try client.reason("trip.get", #"{"trip":"\#(id(91))"}"#) == "trip_not_found")
    }

    @Test func `a drag does not survive the daemon, and its id is not reused`() throws {
        let directory = try TemporaryDirectory()
        let first = try TestServer(in: directory)
        let ann = try first.client("ann")
        try ann.makeTrip()
        let drag = try ann.beginDrag(4)
        let second = try TestServer(in: try directory.copy())
        let bob = try second.client("bob")
        let other = try bob.beginDrag(4)
        #expect(other != drag)
        #expect(try bob.reason("drag.drop", #"{"drag":"\#(drag)","to":\#(end(1))}"#) == "drag_not_found")
    }
}
