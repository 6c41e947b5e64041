import LocalSystem
import TestSupport
import Testing
import TripProtocol

@testable import TripServer

/// Limits of connections and queues, and how connections and the daemon end.
@Suite(.serialized) struct LimitAndEndTests {
    @Test func `the number of subscriptions is limited, and unsubscribing allows another one`() throws {
        let client = try TestServer().connected()
        let limit = WireLimits.subscriptions
        for number in 0...limit { try client.makeTrip("s\(number)", items: "") }
        for number in 0..<limit { try client.subscribe("s\(number)") }
        let refused = try client.call("trip.subscribe", #"{"trip":"s\#(limit)"}"#)
        #expect(refused.reason == "limit_exceeded" && refused.data?["limit"]?.string == "subscriptions")
        try client.subscribe("s3", #","mode":"delta""#)
        try client.result("trip.unsubscribe", #"{"trip":"s3"}"#)
        try client.subscribe("s\(limit)")
        #expect(try client.reason("trip.subscribe", #"{"trip":"s3"}"#) == "limit_exceeded")
    }

    @Test func `the 257th connection gets an error and is closed, the others continue`() throws {
        let server = try TestServer()
        var clients: [LineClient] = []
        for _ in 0..<256 { clients.append(try server.connect()) }
        try clients.last?.drain()
        let over = try server.connect()
        let lines = try over.linesToEnd()
        #expect(lines.count == 1)
        #expect(lines.first?.json["id"]?.isNull == true)
        #expect(lines.first?.reason == "limit_exceeded")
        #expect(lines.first?.data?["limit"]?.string == "connections")
        #expect(lines.first?.data?["max"]?.int == 256)
        try clients.first?.drain()
        clients.removeLast()
        // There is space again as soon as the daemon has noticed the end.
        var isAdmitted = false
        for _ in 0..<1000 where !isAdmitted {
            let next = try server.connect()
            isAdmitted = (try? next.drain()) != nil
        }
        #expect(isAdmitted)
    }

    @Test func `a half-closed subscriber that disappears is removed`() throws {
        let server = try TestServer()
        let ann = try server.client("ann")
        for number in 0..<255 { try ann.makeTrip("q\(number)", items: "") }
        func wait(until holds: @escaping @Sendable (isolated Server) -> Bool) throws {
            var isSo = false
            for _ in 0..<20_000 where !isSo { isSo = try server.ask(holds) }
            try #require(isSo)
        }
        for _ in 0..<2 {
            // As many as the limit allows, each on its own idle trip: nothing is ever written to them, not
            // even presence.
            var silent: [LineClient] = []
            for number in 0..<255 {
                let client = try server.client("eve")
                try client.result("trip.subscribe", #"{"trip":"q\#(number)"}"#)
                client.closeWriting()
                silent.append(client)
            }
            // The end of their input is read before they are disconnected.
            try wait { $0.connections.values.count { $0.life == .halfClosed } == 255 }
            silent = []
            try wait { $0.connections.count == 1 }
        }
        let users = try ann.result("trip.subscribe", #"{"trip":"q0"}"#)["presence"]
        #expect(users?.count == 1)
    }

    @Test func `at most 256 requests of a connection are in flight, and all are answered`() throws {
        let server = try TestServer.held()
        let held = try #require(server.held)
        let (client, other) = (try server.client("ann"), try server.client("bob"))
        try client.makeTrip()
        held.hold()
        var text = ""
        for number in 0..<1000 {
            text += client.request("item.move", LineClient.moving(4, to: end(1 + number % 2))) + "\n"
        }
        try client.send(raw: Array(text.utf8))
        try server.awaitHeld(256)
        for _ in 0..<50 { try other.drain() }
        #expect(held.held.count == 256)
        held.resume()
        for number in 0..<1000 { #expect(try client.line().version == 2 + number) }
    }

    @Test
    func `a stopped reader does not affect others, uses bounded memory and gets the newest state`()
        throws
    {
        let server = try TestServer()
        let (stopped, mover, watcher) = (
            try server.client("ann"), try server.client("bob"), try server.client("carl")
        )
        let note = String(repeating: "n", count: 16_000)
        let items = (0..<60).map {
            #"{"item":{"id":"\#(id(100 + $0))","kind":"custom","title":"x","note":"\#(note)"}}"#
        }
        try mover.makeTrip("t", items: items.joined(separator: ","))
        try stopped.subscribe()
        try watcher.subscribe()
        var queued = 0
        for number in 0..<40 {
            #expect(try mover.move(100 + number, to: end(2)).version == 2 + number)
            while try watcher.next("trip.snapshot").version != 2 + number {}
            queued = max(queued, try mover.result("daemon.stats")["queuedBytes"]?.int ?? .max)
        }
        // One snapshot of 1 MB is being sent, and no more are queued.
        #expect(queued < 3 << 20)
        var last: Line?
        while last?.version != 41 {
            let next = try stopped.next("trip.snapshot")
            if let last { #expect(next.params?["previous"]?.int == last.version) }
            last = next
        }
        #expect((last?.params?["skipped"]?.int ?? 0) > 0)
        try stopped.drain()
    }

    @Test func `a trip larger than the queue's limit can be read`() throws {
        let client = try TestServer().connected()
        try client.makeTrip("t", items: "")
        let note = String(repeating: "n", count: 16_000)
        for batch in 0..<11 {
            let ops = (0..<60).map {
                #"{"op":"add","item":{"id":"\#(id(1000 + 60 * batch + $0))","kind":"custom","title":"x","note":"\#(note)"}}"#
            }
            try client.result("trip.apply", #"{"trip":"t","ops":[\#(ops.joined(separator: ","))]}"#)
        }
        let get = try client.post("trip.get", #"{"trip":"t"}"#)
        let subscribe = try client.post("trip.subscribe", #"{"trip":"t"}"#)
        let snapshot = try client.reply(to: get)
        #expect(snapshot.text.utf8.count > 10_000_000)
        #expect(snapshot.result?["items"]?.count == 660)
        #expect(try client.reply(to: subscribe).result?["snapshot"]?["items"]?.count == 660)
        #expect(try client.move(1000, to: end(5)).version == 13)
        #expect(try client.next("trip.snapshot").version == 13)
    }

    /// The trip `t` with 64 notes of 16 kB, and requests with answers of a megabyte each.
    private func large(
        _ client: LineClient, requests: Int, isDryRun: Bool = false
    ) throws -> String {
        let note = String(repeating: "n", count: 16_000)
        let items = (0..<64).map {
            #"{"item":{"id":"\#(id(1000 + $0))","kind":"custom","title":"x","note":"\#(note)"}}"#
        }
        try client.makeTrip("t", items: items.joined(separator: ","))
        var text = ""
        for round in 0..<requests {
            let ops = (0..<64).map {
                #"{"op":"update","item":"\#(id(1000 + $0))","set":{"title":"\#(round)"}}"#
            }
            text +=
                client.request(
                    "trip.apply",
                    #"{"trip":"t","dryRun":\#(isDryRun),"ops":[\#(ops.joined(separator: ","))]}"#) + "\n"
        }
        return text
    }

    @Test func `a reader with 8 MiB waiting that reads nothing gets slow_consumer after a whole line`()
        throws
    {
        let server = try TestServer.held()
        let held = try #require(server.held)
        let (slow, other) = (try server.client("ann"), try server.client("bob"))
        // Dry runs write nothing, but their answers wait for earlier writes.
        let text = try large(slow, requests: 12, isDryRun: true)
        held.hold()
        let bob = try server.client("carl")
        let add = try bob.post("item.add", #"{"trip":"t","item":\#(custom(900, "A"))}"#)
        try server.awaitHeld()
        try slow.send(raw: Array(text.utf8))
        // Answers that wait for the disk count: at 8 MiB of them reading stops.
        try server.wait { $0.connections.values.contains { $0.outbox.inFlight == 9 } }
        for _ in 0..<50 { try other.drain() }
        #expect(try server.ask { $0.connections.values.map(\.outbox.inFlight).max() } == 9)
        held.resume()
        #expect(try bob.reply(to: add).result != nil)
        while try server.ask({ $0.connections.values.contains { $0.life == .open && !$0.writes.isEmpty } }) {
        }
        while try server.ask({ $0.connections.values.allSatisfy { $0.life != .closing } }) {}
        let lines = try slow.linesToEnd()
        #expect(lines.count < 11)
        #expect(lines.last?.method == "goodbye")
        #expect(lines.last?.params?["reason"]?.string == "slow_consumer")
        #expect(lines.dropLast().allSatisfy { $0.result != nil })
        try other.drain()
    }

    @Test func `under memory pressure only connections beyond their share defer changes`()
        throws
    {
        let server = try TestServer.held(waitingBytes: 3 << 20)
        let held = try #require(server.held)
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        let text = try large(ann, requests: 6)
        held.hold()
        try ann.send(raw: Array(text.utf8))
        // A change counts with its answer and its record. The change that exceeds the limit is executed, the
        // next one waits.
        try server.awaitHeld(2)
        try bob.drain()
        try server.wait { $0.budget.waiting.count == 1 }
        let add = try bob.post("item.add", #"{"trip":"t","item":\#(custom(900, "A"))}"#)
        try server.awaitHeld(3)
        #expect(try server.ask { $0.budget.waiting.count } == 1)
        let get = try bob.post("trip.get", #"{"trip":"t"}"#)
        try server.wait { $0.budget.waiting.count == 2 }
        let carl = try server.client("carl")
        try carl.drain()
        try carl.result("trip.list")
        held.resume()
        for _ in 2...7 { #expect(try ann.line().result?["items"]?.count == 64) }
        #expect(try bob.reply(to: add).result?["item"] != nil)
        #expect(try bob.reply(to: get).result?["items"]?.count == 65)
        while try server.ask({ $0.budget.heldBytes }) != 0 {}
    }

    /// Otherwise clients that do not read could block all others for ever.
    @Test func `under memory pressure a reader that reads nothing gets slow_consumer`() throws {
        let server = try TestServer.held(waitingBytes: 5 << 19)
        let held = try #require(server.held)
        let (slow, bob) = (try server.client("ann"), try server.client("bob"))
        let text = try large(slow, requests: 3)
        held.hold()
        try slow.send(raw: Array(text.utf8))
        try server.awaitHeld(2)
        // The third waits for memory; it is not read any more while its earlier answers wait for it to read.
        try server.wait { $0.budget.waiting.count == 1 }
        held.resume()
        try server.wait { $0.budget.heldBytes > 5 << 19 && !$0.budget.hasWaiting }
        // 3 MB wait for a client that does not read; less than the limit for one connection. A change does
        // not wait for that.
        try bob.result("item.add", #"{"trip":"t","item":\#(custom(900, "A"))}"#)
        #expect(try server.ask { $0.connections.values.allSatisfy { $0.life == .open } })
        try bob.result("trip.get", #"{"trip":"t"}"#)
        #expect(try slow.linesToEnd().last?.params?["reason"]?.string == "slow_consumer")
    }

    @Test func `under memory pressure a reader that reads steadily, but too little, gets slow_consumer`()
        throws
    {
        let server = try TestServer.held(waitingBytes: 3 << 20)
        let (slow, bob) = (try server.client("ann"), try server.client("bob"))
        try bob.makeTrip("t", items: "")
        let note = String(repeating: "n", count: 16_000)
        for first in stride(from: 0, to: 250, by: 50) {
            let ops = (first..<first + 50).map {
                #"{"op":"add","item":{"id":"\#(id(1000 + $0))","kind":"custom","title":"x","note":"\#(note)"},"to":\#(end(5))}"#
            }
            try bob.result("trip.apply", #"{"trip":"t","ops":[\#(ops.joined(separator: ","))]}"#)
        }
        _ = try slow.post("trip.get", #"{"trip":"t"}"#)
        try server.wait { $0.budget.heldBytes > 3 << 20 }
        let get = try bob.post("trip.get", #"{"trip":"t"}"#)
        try server.wait { $0.budget.waiting.count == 1 }
        // At most a tenth of the 4 MB is read in total, so less than an eighth in each second at any speed.
        var budget = 400_000
        while try budget > 0 && server.ask({ $0.budget.hasWaiting }) {
            try slow.skip(bytes: 1)
            budget -= 1
        }
        #expect(try bob.reply(to: get).result?["items"]?.count == 250)
        #expect(
            try server.ask {
                $0.connections.values.allSatisfy {
                    $0.session.principal?.user != "ann" || $0.life == .closing
                }
            })
    }

    /// A snapshot is shared by all clients at the same version; here each is at a different version.
    @Test func `unread states are counted once each, and their readers are disconnected for others`()
        throws
    {
        let server = try TestServer.held(waitingBytes: 3 << 20)
        let client = try server.client("ann")
        try client.makeTrip("t", items: "")
        for first in stride(from: 0, to: 100, by: 50) {
            let ops = (first..<first + 50).map {
                #"{"op":"add","item":{"id":"\#(id(1000 + $0))","kind":"custom","title":"x","note":"\#(String(repeating: "n", count: 16_000))"},"to":\#(end(5))}"#
            }
            try client.result("trip.apply", #"{"trip":"t","ops":[\#(ops.joined(separator: ","))]}"#)
        }
        var readers: [LineClient] = []
        for number in 1...2 {
            // Two clients share the bytes of one version.
            for name in number == 1 ? ["reader", "twin"] : ["reader"] {
                let reader = try server.client("\(name) \(number)")
                _ = try reader.post("trip.get", #"{"trip":"t"}"#)
                readers.append(reader)
            }
            let waiting = readers.count
            try server.wait { $0.connections.values.count { !$0.writes.isEmpty } == waiting }
            #expect(try server.ask { $0.budget.heldBytes } / (1 << 20) == number * 1_600_000 / (1 << 20))
            // A change does not wait for clients that read nothing.
            let title = #""set":{"title":"t\#(number)"}"#
            try client.result("item.update", #"{"trip":"t","item":"\#(id(1000))",\#(title)}"#)
            #expect(try server.ask { $0.connections.count } == readers.count + 1)
        }
        // Another snapshot does, until enough of them are disconnected.
        try client.result("trip.get", #"{"trip":"t"}"#)
        #expect(try server.ask { $0.connections.count } <= readers.count)
        try server.wait { $0.budget.heldBytes <= 3 << 20 }
    }

    @Test
    func `many small readers and batches defer no change; the largest are disconnected for a snapshot`()
        throws
    {
        let server = try TestServer.held(waitingBytes: 14 << 20)
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        let batch = try ann.result("batch.open", #"{"trip":"t"}"#)["batch"]?.string ?? ""
        let note = String(repeating: "n", count: 16_000)
        let ops = (0..<50).map { _ in
            #"{"op":"add","item":{"kind":"custom","title":"x","note":"\#(note)"},"to":\#(end(1))}"#
        }
        for _ in 0..<15 {
            try ann.result("batch.add", #"{"batch":"\#(batch)","ops":[\#(ops.joined(separator: ","))]}"#)
        }
        // A socket's buffers hold a part of it.
        let readers = try (0..<10).map { try server.client("reader \($0)") }
        let name = String(repeating: "x", count: 60_000)
        for (number, reader) in readers.enumerated() {
            let text = #"{"jsonrpc":"2.0","id":"\#(name)","method":"ping"}"#
            for _ in 0..<8 + number { try reader.send(text) }
        }
        try server.wait { server in
            let answered = server.connections.values.reduce(0) {
                $0 + $1.writes.writtenCount + $1.answerBytes
            }
            return answered > 125 * 60_000 && server.budget.heldBytes > 14 << 20
        }
        #expect(try bob.move(4, to: end(5)).version == 2)
        #expect(try server.ask { !$0.budget.hasWaiting && $0.connections.count == 12 })
        // A snapshot waits until the largest connections are gone. The others stay.
        #expect(try bob.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 2)
        let open = try server.ask { server in
            Set(server.connections.values.filter { $0.life == .open }.compactMap(\.session.principal?.user))
        }
        #expect(open.isSuperset(of: ["ann", "bob", "reader 0"]))
        #expect(!open.contains("reader 9"))
    }

    @Test func `a half-closed connection that reads nothing is disconnected like any other`() throws {
        let server = try TestServer.held(waitingBytes: 5 << 19)
        let held = try #require(server.held)
        let (slow, bob) = (try server.client("ann"), try server.client("bob"))
        let text = try large(slow, requests: 3)
        held.hold()
        try slow.send(raw: Array(text.utf8))
        slow.closeWriting()
        try server.awaitHeld(2)
        // The third waits for memory; it is not read any more while its earlier answers wait for it to read.
        try server.wait { $0.budget.waiting.count == 1 }
        held.resume()
        try server.wait { $0.budget.heldBytes > 5 << 19 && !$0.budget.hasWaiting }
        try bob.result("trip.get", #"{"trip":"t"}"#)
    }

    /// A decoded request needs many times the memory of its line, so some of them wait as lines.
    @Test func `under memory pressure few large requests are parsed, and their text is not retained`() throws
    {
        let server = try TestServer.held(waitingBytes: 1 << 20)
        let held = try #require(server.held)
        let (ann, zoe) = (try server.client("ann"), try server.client("zoe"))
        let text = try large(ann, requests: 1)
        held.hold()
        try ann.send(raw: Array(text.utf8))
        try server.awaitHeld(1)
        let others = try (0..<12).map { try server.client("o\($0)") }
        let junk = String(repeating: "1,", count: 40_000)
        let gets = try others.map { other in
            try other.post("trip.history", #"{"trip":"t","limit":1,"junk":[\#(junk)1]}"#)
        }
        try server.wait { $0.budget.waiting.count >= 8 }
        for _ in 0..<50 { try zoe.drain() }
        #expect(try server.ask { $0.budget.waiting.count } <= 9)
        held.resume()
        for (other, get) in zip(others, gets) { #expect(try other.reply(to: get).result?["entries"] != nil) }
    }

    @Test func `a client that reads gets all its answers, however large`() throws {
        let server = try TestServer.held()
        let held = try #require(server.held)
        let client = try server.client("ann")
        let text = try large(client, requests: 40)
        held.hold()
        try client.send(raw: Array(text.utf8))
        try server.awaitHeld(4)
        held.resume()
        for round in 0..<40 { #expect(try client.line().version == 2 + round) }
        try client.drain()
    }

    @Test func `daemon.shutdown answers requests in flight and then sends goodbye to all`() throws {
        let server = try TestServer.held()
        let held = try #require(server.held)
        let (ann, bob, half) = (
            try server.client("ann"), try server.client("bob"), try server.client("carl")
        )
        let silent = try server.connect()
        try ann.makeTrip()
        try ann.subscribe()
        try half.subscribe()
        half.closeWriting()
        held.hold()
        let move = try bob.post("item.move", LineClient.moving(4, to: end(5)))
        try server.awaitHeld()
        let shutdown = try ann.post("daemon.shutdown")
        #expect(try ann.reply(to: shutdown).result?.count == 0)
        let first = try ann.linesToEnd()
        #expect(first.last?.params?["reason"]?.string == "shutting_down")
        held.resume()
        #expect(try bob.reply(to: move).version == 2)
        for client in [bob, half, silent] {
            let lines = try client.linesToEnd()
            #expect(lines.last?.method == "goodbye", "\(lines)")
            #expect(lines.last?.params?["reason"]?.string == "shutting_down")
            #expect(lines.count(where: { $0.method == "goodbye" }) == 1)
        }
        server.waitForEnd()
    }

    @Test func `a stop waits for the disk, and acknowledged changes exist afterwards`() throws {
        let directory = try TemporaryDirectory()
        let server = try TestServer(in: directory)
        let client = try server.client("ann")
        try client.makeTrip()
        var ids: [Int] = []
        for number in 0..<20 {
            ids.append(try client.post("item.move", LineClient.moving(4, to: end(1 + number % 2))))
        }
        server.askToStop()
        let lines = try client.linesToEnd()
        #expect(lines.last?.params?["reason"]?.string == "shutting_down")
        let acknowledged = lines.dropLast().compactMap(\.version).max() ?? 1
        server.waitForEnd()
        let next = try TestServer(in: try directory.copy())
        #expect(
            try next.client("ann").result("trip.get", #"{"trip":"t"}"#)["version"]?.int == acknowledged)
    }

    @Test func `a half-closed subscriber still gets changes`() throws {
        let server = try TestServer()
        let (half, mover) = (try server.client("ann"), try server.client("bob"))
        try half.makeTrip()
        try half.subscribe()
        half.closeWriting()
        _ = try mover.move(4, to: end(5))
        #expect(try half.next("trip.snapshot").version == 2)
    }
}
