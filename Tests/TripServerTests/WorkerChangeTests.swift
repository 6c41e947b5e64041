import JSONLine
import LocalSystem
import TestSupport
import Testing
import TripModel
import TripProtocol

@testable import TripServer

/// A change of many items is prepared on a worker, and only its trip waits for it.
@Suite(.timeLimit(.minutes(10))) struct WorkerChangeTests {
    private let queue = WorkQueue.stepped()
    private let server: TestServer
    private let ann: LineClient
    private let bob: LineClient

    /// A trip `t` of twenty items, in which a change of the dates is long; and `s`, of six.
    init() throws {
        server = try TestServer.held(workQueue: queue, longChange: 20)
        (ann, bob) = (try server.client("ann"), try server.client("bob"))
        let items = (0..<20).map { #"{"item":\#(custom(100 + $0, "x")),"to":\#(end(5))}"# }
        try ann.makeTrip("t", items: items.joined(separator: ","))
        try ann.makeTrip("s")
    }

    private static let shorter = #"{"trip":"t","dayCount":3}"#

    /// Requests a change that is prepared on a worker, and not applied before the queue is stepped.
    private func askForLong() throws -> Int {
        let asked = try ann.post("trip.update", Self.shorter)
        try server.wait { $0.offload.running == 1 }
        return asked
    }

    @Test func `a long change does not wait for drafts of other clients`() throws {
        let items = (0..<200).map { #"{"item":{"kind":"custom","title":"\#($0)"}}"# }.joined(separator: ",")
        let drafts = try (0..<3).map { number in
            let eve = try server.client("eve\(number)")
            let asked = try eve.post(
                "trip.create",
                #"{"name":"E","startDate":"2026-06-11","timeZone":"UTC","dayCount":3,"items":[\#(items)]}"#)
            try server.wait { $0.offload.draftsInWork == number + 1 }
            return (eve, asked)
        }
        let asked = try askForLong()
        #expect(queue.step())
        #expect(try ann.reply(to: asked).version == 2)
        #expect(try server.ask { $0.offload.draftsInWork } == 3)
        while queue.step() { try bob.drain() }
        for (eve, asked) in drafts { #expect(try eve.reply(to: asked).result != nil) }
    }

    @Test func `the two job classes of the queue alternate, each in its own order`() {
        let done = Guarded("")
        func add(_ name: String, for waiters: WorkQueue.Waiters) {
            queue.add(for: waiters) { done.withLock { $0 += name } }
        }
        for name in ["a", "b", "c", "d"] { add(name, for: .one) }
        for name in ["1", "2", "3"] { add(name, for: .many) }
        for _ in 0..<5 { #expect(queue.step()) }
        add("4", for: .many)
        while queue.step() {}
        #expect(done.withLock { $0 } == "1a2b3c4d")
    }

    @Test func `during a long change other trips continue, and later requests for its trip wait`() throws {
        let asked = try askForLong()
        let read = try bob.post("trip.get", #"{"trip":"t"}"#)
        let behind = try bob.post("ping")
        #expect(try ann.post("item.remove", #"{"trip":"t","item":"\#(id(100))"}"#) > asked)
        let eve = try server.client("eve")
        #expect(try eve.result("item.add", #"{"trip":"s","item":\#(custom(50, "y"))}"#)["version"]?.int == 2)
        #expect(try eve.result("trip.list")["trips"]?.count == 2)
        #expect(queue.step() && !queue.step())
        #expect(try ann.reply(to: asked).version == 2)
        #expect(try ann.line().version == 3)
        let seen = try bob.reply(to: read).result
        #expect(seen?["version"]?.int == 2)
        #expect(seen?["trip"]?["dayCount"]?.int == 3)
        #expect(try bob.reply(to: behind).result != nil)
    }

    @Test func `the journal record of a long change is encoded on the worker`() throws {
        server.held?.hold()
        let asked = try askForLong()
        #expect(queue.step())
        try server.awaitHeld()
        let request = try #require(server.held?.held.first?.request)
        guard case .appendEncoded(let records) = request else {
            Issue.record("\(request) is encoded on the loop")
            return
        }
        #expect(records.count == 1 && records.end.version == 2)
        server.held?.resume()
        #expect(try ann.reply(to: asked).version == 2)
    }

    @Test func `a long undo runs on a worker, and its retry gets the first answer`() throws {
        let change = #"{"trip":"t","dayCount":3,"seq":1}"#
        let asked = try ann.post("trip.update", change)
        try server.wait { $0.offload.running == 1 }
        #expect(queue.step())
        let first = try ann.reply(to: asked)
        let again = try ann.post("trip.update", change)
        try server.wait { $0.offload.running == 1 }
        #expect(queue.step())
        #expect(try ann.reply(to: again).result?.canonicalBytes() == first.result?.canonicalBytes())
        let undo = try ann.post("trip.undo", #"{"trip":"t"}"#)
        try server.wait { $0.offload.running == 1 }
        #expect(queue.step())
        #expect(try ann.reply(to: undo).version == 3)
        #expect(try ann.result("trip.get", #"{"trip":"t"}"#)["trip"]?["dayCount"]?.int == 5)
    }

    @Test func `a drag continues during a long change, and ends if its holder disconnects`() throws {
        let eve = try server.client("eve")
        try eve.subscribe("t")
        let drag = try #require(
            try eve.result("drag.begin", #"{"trip":"t","item":"\#(id(105))"}"#)["drag"]?.string)
        try bob.subscribe("t")
        let other = try #require(
            try bob.result("drag.begin", #"{"trip":"t","item":"\#(id(106))"}"#)["drag"]?.string)
        let asked = try askForLong()
        let hover = try bob.post("drag.hover", #"{"drag":"\#(other)","over":\#(start(1))}"#)
        let dropped = try bob.post("drag.drop", #"{"drag":"\#(other)","to":\#(start(1))}"#)
        try eve.send(
            #"{"jsonrpc":"2.0","id":900,"method":"drag.hover","params":{"drag":"\#(drag)","over":\#(start(2))}}"#
        )
        try server.ask { server in
            let holder = server.connections.values.first { $0.session.principal?.user == "eve" }
            if let holder { server.close(holder) }
        }
        let users = try server.ask { $0.connections.values.compactMap(\.session.principal?.user).sorted() }
        #expect(users == ["ann", "bob"])
        #expect(queue.step())
        #expect(try ann.reply(to: asked).version == 2)
        #expect(try bob.reply(to: hover).result != nil)
        #expect(try bob.reply(to: dropped).version == 3)
        let trip = try #require(try server.ask { $0.directory.id(of: .slug("t")) })
        try server.wait {
            $0.servedTrip(trip)?.read { $0.room.leases.isEmpty && $0.room.connections.count == 1 } == true
        }
    }

    @Test func `a long change starts when the changes in flight are durable or rolled back`()
        throws
    {
        for isStored in [true, false] {
            server.held?.hold()
            let first = try bob.post("item.add", #"{"trip":"t","item":\#(custom(isStored ? 60 : 61, "z"))}"#)
            try server.awaitHeld()
            let asked = try ann.post("trip.update", #"{"trip":"t","dayCount":\#(isStored ? 3 : 4)}"#)
            let trip = try #require(try server.ask { $0.directory.id(of: .slug("t")) })
            try server.awaitReleases(2, of: trip)
            #expect(!queue.step())
            if isStored { server.held?.resume() } else { server.held?.fail(.storageFull) }
            try server.wait { $0.offload.running == 1 }
            #expect(queue.step())
            #expect(try bob.reply(to: first).reason == (isStored ? nil : "storage_full"))
            #expect(try ann.reply(to: asked).version == (isStored ? 3 : 4))
        }
    }

    @Test(arguments: ["drag.hover", "drag.drop", "drag.cancel"])
    func `a drag request that arrived in time is accepted, even if it runs late`(method: String) throws {
        let leaseTime = Duration.seconds(600)
        let server = try TestServer.held(leaseTime: leaseTime, workQueue: queue, longChange: 40)
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        let drag = try bob.beginDrag(4)
        let asked = try ann.post("trip.update", #"{"trip":"t","name":"x","dayCount":6}"#)
        try server.wait { $0.offload.running == 1 }
        // With the same result as without a worker.
        let leaseEnd = try server.ask { $0.loop.now } + leaseTime
        let place = method == "drag.hover" ? #","over":\#(start(1))"# : #","to":\#(start(1))"#
        let hover = try bob.post(method, #"{"drag":"\#(drag)"\#(method == "drag.cancel" ? "" : place)}"#)
        try server.wait { $0.directory.waiting.values.contains { $0.count == 1 } }
        let trip = try #require(try server.ask { $0.directory.id(of: .slug("t")) })
        try server.ask { server in server.deliver(.tick, to: trip, at: leaseEnd) }
        #expect(queue.step())
        #expect(try ann.reply(to: asked).version == 2)
        #expect(try bob.reply(to: hover).reason == nil)
    }

    @Test func `of the waiting requests, long changes run last`() throws {
        let first = try askForLong()
        let eve = try server.client("eve")
        let second = try eve.post("trip.update", #"{"trip":"t","dayCount":4}"#)
        let waiting = { @Sendable (count: Int) in
            { @Sendable (server: isolated Server) in server.directory.waiting.values.first?.count == count }
        }
        try server.wait(until: waiting(1))
        let short = try bob.post("item.move", LineClient.moving(101, to: end(1)))
        try server.wait(until: waiting(2))
        #expect(queue.step())
        #expect(try ann.reply(to: first).version == 2)
        #expect(try bob.reply(to: short).version == 3)
        try server.wait { $0.offload.running == 1 }
        #expect(queue.step())
        #expect(try eve.reply(to: second).version == 4)
    }

    @Test func `a stopping server executes and answers all requests that were read`() throws {
        let first = try askForLong()
        let others = try (0..<4).map { try server.client("eve\($0)") }
        // Another long change, short ones and a disconnected client wait behind the long change.
        let long = try bob.post("trip.update", #"{"trip":"t","dayCount":4}"#)
        let short = try others.prefix(3).map {
            try $0.post("item.add", #"{"trip":"t","item":{"kind":"custom","title":"a"}}"#)
        }
        try others[3].send(
            #"{"jsonrpc":"2.0","method":"item.add","params":{"trip":"t","item":\#(custom(50, "gone"))}}"#)
        try server.wait { $0.directory.waiting.values.first?.count == 5 }
        try server.ask { server in
            let gone = server.connections.values.first { $0.session.principal?.user == "eve3" }
            if let gone { server.close(gone) }
        }
        server.askToStop()
        #expect(try server.ask { $0.life == .stopping })
        #expect(queue.step())
        #expect(try ann.reply(to: first).version == 2)
        #expect(try ann.line().params?["reason"]?.string == "shutting_down")
        for (other, asked) in zip(others, short) {
            #expect(try (3...6).contains(other.reply(to: asked).version ?? 0))
            #expect(try other.linesToEnd().map(\.method) == ["goodbye"])
        }
        #expect(queue.step())
        #expect(try bob.reply(to: long).version == 7)
        #expect(try bob.linesToEnd().map(\.method) == ["goodbye"])
        server.waitForEnd()
        #expect(!queue.step())
    }

    @Test func `the daemon stops after a long change, even if its client has disconnected`() throws {
        _ = try askForLong()
        try server.ask { server in
            for connection in Array(server.connections.values) { server.close(connection) }
            server.stop()
        }
        #expect(try server.ask { $0.life != .stopped })
        #expect(queue.step())
        server.waitForEnd()
    }

    @Test
    func `a long change that renames the trip runs on a worker, and its slug is reserved until it ends`()
        throws
    {
        let asked = try ann.post("trip.update", #"{"trip":"t","slug":"u","dayCount":4}"#)
        try server.wait { $0.offload.running == 1 }
        let taken = try bob.post("trip.update", #"{"trip":"s","slug":"u"}"#)
        try server.wait { $0.directory.waiting.count == 1 }
        #expect(queue.step())
        #expect(try ann.reply(to: asked).version == 2)
        #expect(try bob.reply(to: taken).reason == "slug_taken")
        #expect(try bob.result("trip.get", #"{"trip":"u"}"#)["version"]?.int == 2)
        #expect(try bob.reason("trip.get", #"{"trip":"t"}"#) == "trip_not_found")
    }

    @Test(arguments: [true, false])
    func `a reserved slug is free again if the long change does not use it`(isDryRun: Bool) throws {
        let last = isDryRun ? "" : #",{"op":"remove","item":"\#(id(999))"}"#
        let asked = try ann.post(
            "trip.apply",
            #"{"trip":"t","dryRun":\#(isDryRun),"ops":[{"op":"trip","slug":"u","dayCount":4}\#(last)]}"#)
        try server.wait { $0.offload.running == 1 }
        #expect(queue.step())
        #expect(try ann.reply(to: asked).reason == (isDryRun ? nil : "item_not_found"))
        #expect(try bob.result("trip.update", #"{"trip":"s","slug":"u"}"#)["version"]?.int == 2)
    }

    @Test func `while a long change waits for the disk, its trip accepts no other request`() throws {
        server.held?.hold()
        let first = try bob.post("item.add", #"{"trip":"t","item":\#(custom(60, "z"))}"#)
        try server.awaitHeld()
        let asked = try ann.post("trip.update", Self.shorter)
        try server.wait { $0.offload.draining == 1 }
        let next = try bob.post("item.add", #"{"trip":"t","item":\#(custom(61, "z"))}"#)
        try server.wait { $0.directory.waiting.count == 1 }
        server.held?.resume()
        #expect(try bob.reply(to: first).version == 2)
        try server.wait { $0.offload.running == 1 && $0.offload.draining == 0 }
        #expect(queue.step())
        #expect(try ann.reply(to: asked).version == 3)
        #expect(try bob.reply(to: next).version == 4)
    }

    /// A place on day 3 of `s` between two items without space between them; item 72 is on day 4.
    private func placeWithoutRoom() throws -> String {
        for (number, order) in [(70, 1.0), (71, 1.00000000001)] {
            try ann.result(
                "item.add",
                #"{"trip":"s","item":\#(custom(number, "x")),"to":{"day":3,"sortOrder":\#(order)}}"#)
        }
        try ann.result("item.add", #"{"trip":"s","item":\#(custom(72, "x")),"to":\#(start(4))}"#)
        return #"{"day":3,"after":"\#(id(70))"}"#
    }

    @Test func `short changes of one trip in one buffer run in one step`() throws {
        let steps = Guarded(0)
        let server = try TestServer.held { kind, name, _ in
            if kind == .change, "\(name)".hasPrefix("change") { steps.withLock { $0 += 1 } }
        }
        let ann = try server.client("ann")
        for slug in ["s", "t"] { try ann.makeTrip(slug) }
        let item = try #require(ItemID(id(4)))
        // Ten for one trip, one for another, and one for the first again.
        let slugs = [String](repeating: "s", count: 10) + ["t", "s"]
        let isConnected = try server.ask { server in
            guard let connection = server.connections.values.first,
                let principal = connection.session.principal
            else { return false }
            for (index, slug) in slugs.enumerated() {
                let change = ChangeRequest(
                    method: .updateItem, trip: .slug(slug), edits: [.update(item, [.title("\(index)")])])
                let parsed = ParsedRequest(request: .change(change), fingerprint: 0, byteCount: 100)
                server.begin(Call(parsed, by: principal, .number(1000 + index)), of: connection)
            }
            server.submitGroup(of: connection)
            return true
        }
        try #require(isConnected)
        let answers = try slugs.map { _ in try ann.line() }
        #expect(answers.map(\.id) == slugs.indices.map { 1000 + $0 })
        #expect(answers.map(\.version) == (2...11).map { $0 } + [2, 12])
        #expect(steps.withLock { $0 } == 3)
    }

    @Test func `a long change among short ones of one buffer keeps its place`() throws {
        let place = try placeWithoutRoom()
        func update(_ number: Int, _ title: String) -> String {
            ann.request(
                "item.update", #"{"trip":"s","item":"\#(id(number))","set":{"title":"\#(title)"}}"#)
        }
        let lines = [
            update(72, "a"), update(70, "b"),
            ann.request("item.move", #"{"trip":"s","item":"\#(id(72))","to":\#(place)}"#),
            update(72, "c"), ann.request("ping"), update(70, "d"),
        ]
        try ann.send(raw: Array(lines.map { $0 + "\n" }.joined().utf8))
        let (first, second) = (try ann.line(), try ann.line())
        #expect(second.version == (first.version ?? 0) + 1)
        #expect(try bob.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 1)
        #expect(queue.step())
        let rest = try (0..<4).map { _ in try ann.line() }
        #expect(rest.map(\.id) == (1...4).map { (second.id ?? 0) + $0 })
        #expect(rest[0].result?["respaced"]?.count == 1)
        #expect([rest[0], rest[1], rest[3]].map(\.version) == (1...3).map { (second.version ?? 0) + $0 })
        #expect(rest[1].result?["item"]?["title"]?.string == "c")
        #expect(rest[1].result?["item"]?["day"]?.int == 3)
    }

    @Test(arguments: ["item.move", "drag.drop", "trip.apply"])
    func `a move that re-spaces a day runs on a worker`(method: String) throws {
        let place = try placeWithoutRoom()
        let drag = method == "drag.drop" ? try ann.beginDrag(72, trip: "s") : ""
        let params =
            switch method {
            case "item.move": #"{"trip":"s","item":"\#(id(72))","to":\#(place)}"#
            case "drag.drop": #"{"drag":"\#(drag)","to":\#(place)}"#
            default: #"{"trip":"s","ops":[{"op":"move","item":"\#(id(72))","to":\#(place)}]}"#
            }
        let asked = try ann.post(method, params)
        try server.wait { $0.offload.running == 1 }
        #expect(try bob.result("ping", "{}").text == "{}")
        #expect(queue.step())
        #expect(try ann.reply(to: asked).result?["respaced"]?.count == 1)
    }
}

extension Offload {
    /// The number of long changes that workers are computing.
    fileprivate var running: Int {
        longChanges.values.count { if case .running = $0 { true } else { false } }
    }
    /// The number of long changes that wait until nothing of their trip is in flight.
    fileprivate var draining: Int { longChanges.count - running }
}
