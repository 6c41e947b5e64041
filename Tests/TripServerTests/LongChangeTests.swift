import JSONLine
import TestSupport
import Testing
import TripModel
import TripProtocol

@testable import TripServer

private let mine = "aaaaaaaa-0000-4000-8000-000000000001"

/// Changes that are uploaded in several lines.
@Suite struct LongChangeTests {
    private static func open(_ client: LineClient, _ trip: String = "t") throws -> String {
        try #require(try client.result("batch.open", #"{"trip":"\#(trip)"}"#)["batch"]?.string)
    }

    private static func adding(_ batch: String, _ ops: [String]) -> String {
        #"{"batch":"\#(batch)","ops":[\#(ops.joined(separator: ","))]}"#
    }

    private static func add(_ number: Int, day: Int = 5) -> String {
        #"{"op":"add","item":\#(custom(number, "x\(number)")),"to":\#(end(day))}"#
    }

    private static func commit(_ batch: String, _ more: String = "") -> String {
        #"{"batch":"\#(batch)"\#(more)}"#
    }

    @Test func `no batch is opened on a trip whose deletion is in flight`() throws {
        let server = try TestServer.held()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        server.held?.hold()
        let deletion = try ann.post("trip.delete", #"{"trip":"t"}"#)
        try server.awaitHeld()
        let batches = try (0..<9).map { _ in try bob.post("batch.open", #"{"trip":"t"}"#) }
        try server.awaitOwed(9)
        #expect(try server.ask { $0.connections.values.allSatisfy { $0.batches.count == 0 } })
        server.held?.resume()
        #expect(try ann.reply(to: deletion).result != nil)
        for batch in batches { #expect(try bob.reply(to: batch).reason == "trip_not_found") }
    }

    @Test func `a batch of several lines is one change, one notification and one undo`() throws {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        try bob.subscribe("t", #","mode":"delta""#)
        let batch = try Self.open(ann)
        try ann.result("batch.add", Self.adding(batch, [Self.add(20), Self.add(21)]))
        try ann.result(
            "batch.add",
            Self.adding(batch, [#"{"op":"move","item":"\#(id(21))","to":\#(before(20, day: 5))}"#]))
        #expect(try ann.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 1)
        let rehearsed = try ann.result("batch.commit", Self.commit(batch, #","dryRun":true"#))
        #expect(rehearsed["version"]?.int == 1)
        #expect(rehearsed["items"]?.count == 2)
        let made = try ann.result("batch.commit", Self.commit(batch, #","ifVersion":1"#))
        #expect(made.keys == ["version", "items"])
        #expect(made["version"]?.int == 2)
        let delta = try bob.next("trip.delta")
        #expect(delta.params?["upserts"]?.count == 2)
        #expect(delta.params?["cause"]?["method"]?.string == "batch.commit")
        #expect(try ann.reason("batch.commit", Self.commit(batch)) == "batch_not_found")
        #expect(try ann.result("trip.undo", #"{"trip":"t"}"#)["version"]?.int == 3)
        #expect(try ann.result("trip.get", #"{"trip":"t"}"#)["items"]?.count == 6)
    }

    @Test func `a refused operation is reported by its index in the whole batch, and nothing is applied`()
        throws
    {
        let server = try TestServer()
        let ann = try server.client("ann")
        try ann.makeTrip()
        let batch = try Self.open(ann)
        try ann.result("batch.add", Self.adding(batch, (20..<30).map { Self.add($0) }))
        try ann.result("batch.add", Self.adding(batch, [Self.add(30), Self.add(20)]))
        let line = try ann.call("batch.commit", Self.commit(batch))
        #expect(line.reason == "duplicate_id")
        #expect(line.data?["opIndex"]?.int == 11)
        #expect(try ann.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 1)
        #expect(try ann.reason("batch.commit", Self.commit(batch)) == "batch_not_found")
    }

    @Test func `a batch belongs to its connection, and ends when it is dropped`() throws {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        let batch = try Self.open(ann)
        #expect(try bob.reason("batch.add", Self.adding(batch, [Self.add(20)])) == "batch_not_found")
        #expect(try bob.reason("batch.drop", Self.commit(batch)) == "batch_not_found")
        try ann.result("batch.drop", Self.commit(batch))
        #expect(try ann.reason("batch.commit", Self.commit(batch)) == "batch_not_found")
    }

    @Test func `a batch expires`() throws {
        let server = try TestServer(batchTime: .milliseconds(40))
        let ann = try server.client("ann")
        try ann.makeTrip()
        let batch = try Self.open(ann)
        // On a busy machine its time may be over by now.
        _ = try ann.call("batch.add", Self.adding(batch, [Self.add(20)]))
        try server.wait { server in server.connections.values.allSatisfy { $0.batches.count == 0 } }
        #expect(try ann.reason("batch.commit", Self.commit(batch)) == "batch_not_found")
        #expect(try server.ask { $0.budget.heldBytes } < 4096)
    }

    @Test func `an empty batch and a batch of a deleted trip change nothing`() throws {
        let server = try TestServer()
        let ann = try server.client("ann")
        try ann.makeTrip()
        #expect(try ann.reason("batch.open", #"{"trip":"no"}"#) == "trip_not_found")
        let batch = try Self.open(ann)
        let line = try ann.call("batch.commit", Self.commit(batch))
        #expect(line.reason == "invalid_params")
        #expect(line.data?["field"]?.string == "batch")
        #expect(try ann.reason("batch.add", Self.adding(batch, [])) == "invalid_params")
        try ann.result("batch.add", Self.adding(batch, [Self.add(20)]))
        try ann.result("trip.delete", #"{"trip":"t"}"#)
        #expect(try ann.reason("batch.commit", Self.commit(batch)) == "trip_not_found")
    }

    @Test func `a batch that exceeds a limit is refused, and can continue`() throws {
        let server = try TestServer()
        let ann = try server.client("ann")
        try ann.makeTrip()
        let many = try (0..<WireLimits.batches).map { _ in try Self.open(ann) }
        let over = try ann.call("batch.open", #"{"trip":"t"}"#)
        #expect(over.data?["limit"]?.string == "batches")
        for batch in many.dropFirst() { try ann.result("batch.drop", Self.commit(batch)) }
        let batch = many[0]
        let piece = Array(repeating: #"{"op":"remove","item":"\#(id(4))"}"#, count: TripLimits.operations)
        #expect(
            try ann.call("batch.add", Self.adding(batch, piece + piece)).data?["limit"]?.string == "ops")
        for _ in 0..<(WireLimits.batchOperations / TripLimits.operations) {
            _ = try ann.post("batch.add", Self.adding(batch, piece))
        }
        let last = try ann.post("batch.add", Self.adding(batch, piece))
        var line = try ann.line()
        while line.id != last {
            #expect(line.result != nil, "\(line)")
            line = try ann.line()
        }
        #expect(line.data?["limit"]?.string == "batchOps")
        #expect(line.data?["max"]?.int == WireLimits.batchOperations)
        try ann.result("batch.drop", Self.commit(batch))
        let note = String(repeating: "x", count: 16_000)
        let fat = #"{"op":"update","item":"\#(id(4))","set":{"note":"\#(note)"}}"#
        let next = try Self.open(ann)
        var refused: Line?
        for _ in 0..<20 where refused == nil {
            let line = try ann.call("batch.add", Self.adding(next, Array(repeating: fat, count: 60)))
            if line.error != nil { refused = line }
        }
        #expect(refused?.data?["limit"]?.string == "changeBytes")
        #expect(try server.ask { $0.budget.heldBytes } < 20 << 20)
    }

    @Test func `ten thousand operations are one change`() throws {
        let server = try TestServer()
        let ann = try server.client("ann", client: mine)
        try ann.makeTrip("t", items: "")
        var batch = try Self.open(ann)
        for first in stride(from: 1, through: 10_000, by: 125) {
            _ = try ann.post("batch.add", Self.adding(batch, (first..<first + 125).map { Self.add($0) }))
        }
        var last = try ann.post("batch.commit", Self.commit(batch, #","seq":1"#))
        var line = try ann.line()
        while line.id != last { line = try ann.line() }
        #expect(line.version == 2)
        #expect(line.result?["items"]?.count == 10_000)
        // Its answer is too long for the cache.
        batch = try Self.open(ann)
        for first in stride(from: 1, through: 10_000, by: 100) {
            _ = try ann.post("batch.add", Self.adding(batch, (first..<first + 100).map { Self.add($0) }))
        }
        last = try ann.post("batch.commit", Self.commit(batch, #","seq":1"#))
        repeat { line = try ann.line() } while line.id != last
        #expect(line.result?.text == #"{"version":2,"repeated":true}"#)
        #expect(try ann.result("trip.undo", #"{"trip":"t"}"#)["version"]?.int == 3)
    }

    @Test func `a retry is recognized by its operations, not by its batch or its lines`() throws {
        let directory = try TemporaryDirectory()
        let ops = (20..<26).map { Self.add($0) }
        func make(_ client: LineClient, _ pieces: [Int], _ more: String) throws -> Line {
            let batch = try Self.open(client)
            var rest = ops[...]
            for count in pieces {
                try client.result("batch.add", Self.adding(batch, Array(rest.prefix(count))))
                rest = rest.dropFirst(count)
            }
            return try client.call("batch.commit", Self.commit(batch, more))
        }
        let first: String
        do {
            let server = try TestServer(in: directory)
            let ann = try server.client("ann", client: mine)
            try ann.makeTrip()
            first = try #require(make(ann, [6], #","seq":1"#).result?.text)
            let again = try server.client("ann", client: mine)
            #expect(try make(again, [1, 2, 3], #","seq":1"#).result?.text == first)
            #expect(try make(again, [1, 2, 2], #","seq":1"#).reason == "seq_reuse")
            #expect(try make(again, [6], #","seq":1,"ifVersion":1"#).reason == "seq_reuse")
        }
        let server = try TestServer(in: try directory.copy())
        let ann = try server.client("ann", client: mine)
        #expect(try make(ann, [3, 3], #","seq":1,"dryRun":false,"ifVersion":null"#).result?.text == first)
        #expect(try ann.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 2)
    }

    @Test func `a commit with a seq can be retried unchanged`() throws {
        let server = try TestServer()
        let ann = try server.client("ann", client: mine)
        try ann.makeTrip()
        func bring(_ op: String) throws -> String {
            let batch = try Self.open(ann)
            try ann.result("batch.add", Self.adding(batch, [op]))
            return batch
        }
        let batch = try bring(Self.add(20))
        // Both are sent before the first is answered.
        let sent = try (0..<2).map { _ in try ann.post("batch.commit", Self.commit(batch, #","seq":1"#)) }
        let first = try #require(ann.reply(to: sent[0]).result?.text)
        #expect(try ann.reply(to: sent[1]).result?.text == first)
        #expect(try ann.result("batch.commit", Self.commit(batch, #","seq":1,"dryRun":false"#)).text == first)
        #expect(try ann.reason("batch.commit", Self.commit(batch, #","seq":1,"ifVersion":1"#)) == "seq_reuse")
        for other in ["", #","seq":2"#, #","seq":1,"dryRun":true"#] {
            #expect(try ann.reason("batch.commit", Self.commit(batch, other)) == "batch_not_found")
        }
        #expect(try ann.reason("batch.add", Self.adding(batch, [Self.add(21)])) == "batch_not_found")
        // A refused one used no number and was not applied.
        let refused = try bring(Self.add(20))
        #expect(try ann.reason("batch.commit", Self.commit(refused, #","seq":2"#)) == "duplicate_id")
        #expect(try ann.reason("batch.commit", Self.commit(refused, #","seq":2"#)) == "batch_not_found")
        // Other operations with the number of the first are a different request here too.
        let another = try bring(Self.add(21))
        #expect(try ann.reason("batch.commit", Self.commit(another, #","seq":1"#)) == "seq_reuse")
        #expect(try ann.reason("batch.commit", Self.commit(another, #","seq":1"#)) == "seq_reuse")
        var last = batch
        for seq in 2..<(2 + BatchTable.remembered) {
            last = try bring(#"{"op":"update","item":"\#(id(20))","set":{"title":"\#(seq)"}}"#)
            try ann.result("batch.commit", Self.commit(last, #","seq":\#(seq)"#))
        }
        #expect(try ann.reason("batch.commit", Self.commit(batch, #","seq":1"#)) == "batch_not_found")
        try ann.result("trip.delete", #"{"trip":"t"}"#)
        let number = 1 + BatchTable.remembered
        #expect(try ann.reason("batch.commit", Self.commit(last, #","seq":\#(number)"#)) == "trip_not_found")
    }

    @Test func `a commit waits for its trip like any change, even if its connection is closed`() throws {
        let disk = try TestServer(idleTime: .milliseconds(1))
        let ann = try disk.client("ann")
        try ann.makeTrip()
        let batch = try Self.open(ann)
        try ann.result("batch.add", Self.adding(batch, [Self.add(20)]))
        try disk.wait { $0.directory.openCount == 0 }
        #expect(try ann.result("batch.commit", Self.commit(batch))["version"]?.int == 2)
        #expect(try disk.ask { $0.budget.committingBytes } == 0)
    }

    @Test func `the commit of a batch obeys leases, is durable and is deferred in a drag like any change`()
        throws
    {
        let server = try TestServer.held()
        let held = try #require(server.held)
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        try bob.subscribe("t", #","mode":"delta","deferWhileDragging":false"#)
        let drag = try bob.beginDrag(4)
        let batch = try Self.open(ann)
        try ann.result(
            "batch.add", Self.adding(batch, [Self.add(20), #"{"op":"remove","item":"\#(id(4))"}"#]))
        let line = try ann.call("batch.commit", Self.commit(batch))
        #expect(line.reason == "item_held")
        #expect(line.data?["opIndex"]?.int == 1)
        try bob.result("drag.cancel", #"{"drag":"\#(drag)"}"#)
        bob.takeNotes()
        let next = try Self.open(ann)
        try ann.result("batch.add", Self.adding(next, [Self.add(20)]))
        held.hold()
        let commit = try ann.post("batch.commit", Self.commit(next))
        let get = try ann.post("trip.get", #"{"trip":"t"}"#)
        try server.awaitHeld()
        // No subscriber gets the update before it is durable.
        try bob.drain()
        #expect(bob.takeNotes("trip.delta").isEmpty)
        held.resume()
        #expect(try ann.reply(to: commit).version == 2)
        #expect(try ann.reply(to: get).version == 2)
        #expect(try bob.next("trip.delta").version == 2)
    }
}
