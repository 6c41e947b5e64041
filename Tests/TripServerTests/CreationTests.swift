import LocalSystem
import TestSupport
import Testing

@testable import TripServer

/// Creating trips: slugs, repeats by id, all or nothing.
@Suite struct CreationTests {
    private static func draft(_ name: String, _ more: String = "", days: Int = 2) -> String {
        #"{"name":"\#(name)","startDate":"2026-06-11","timeZone":"UTC","dayCount":\#(days)\#(more)}"#
    }

    @Test func `generated slugs are folded and numbered, and free again after a deletion`() throws {
        let client = try TestServer().connected()
        func slug(_ name: String) throws -> String? {
            try client.result("trip.create", Self.draft(name))["trip"]?["slug"]?.string
        }
        #expect(try slug("Málaga & Zürich 2026!") == "malaga-zurich-2026")
        #expect(try slug("Malaga Zurich 2026") == "malaga-zurich-2026-2")
        #expect(try slug("MALAGA   ZURICH — 2026") == "malaga-zurich-2026-3")
        #expect(try slug("日本") == "trip")
        #expect(try slug("!!!") == "trip-2")
        let long = String(repeating: "a", count: 100)
        #expect(try slug(long) == String(repeating: "a", count: 63))
        #expect(try slug(long) == String(repeating: "a", count: 61) + "-2")
        // A name in the form of a UUID must not give a slug that reads as an id.
        #expect(try slug(id(3)) == "trip-3")
        try client.result("trip.delete", #"{"trip":"malaga-zurich-2026"}"#)
        #expect(try slug("Malaga Zurich 2026") == "malaga-zurich-2026")
    }

    @Test func `a slug in use is refused, for a creation and for a rename`() throws {
        let client = try TestServer().connected()
        try client.makeTrip("one")
        try client.makeTrip("two")
        let taken = try client.call("trip.create", Self.draft("x", #","slug":"one""#))
        #expect(taken.reason == "slug_taken")
        #expect(taken.error?["code"]?.int == -32011)
        #expect(try client.reason("trip.update", #"{"trip":"two","slug":"one"}"#) == "slug_taken")
        #expect(
            try client.reason("trip.apply", #"{"trip":"two","ops":[{"op":"trip","slug":"one"}]}"#)
                == "slug_taken")
        try client.result("trip.update", #"{"trip":"one","slug":"three"}"#)
        #expect(try client.reason("trip.get", #"{"trip":"one"}"#) == "trip_not_found")
        try client.result("trip.update", #"{"trip":"two","slug":"one"}"#)
        #expect(try client.result("trip.get", #"{"trip":"one"}"#)["trip"]?["name"]?.string == "Trip two")
        #expect(
            try client.reason("trip.create", Self.draft("x", #","slug":"\#(id(3))""#)) == "invalid_params")
    }

    @Test func `the undo of a rename does not take a slug that another trip uses now`() throws {
        let client = try TestServer().connected()
        try client.makeTrip("one", id: 91)
        try client.result("trip.update", #"{"trip":"one","slug":"two"}"#)
        try client.makeTrip("one", id: 92)
        #expect(try client.reason("trip.undo", #"{"trip":"two"}"#) == "undo_conflict")
        #expect(try client.result("trip.get", #"{"trip":"one"}"#)["trip"]?["id"]?.string == id(92))
        #expect(try client.result("trip.get", #"{"trip":"two"}"#)["trip"]?["id"]?.string == id(91))
    }

    @Test func `a request for the slug of a trip in creation waits, and gets the slug if the creation fails`()
        throws
    {
        let server = try TestServer.held()
        let held = try #require(server.held)
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        held.hold()
        let first = try ann.post("trip.create", Self.draft("x", #","slug":"s""#))
        try server.awaitHeld()
        let second = try bob.post("trip.create", Self.draft("x", #","slug":"s""#))
        try server.ask { $0.directory.id(of: .slug("s")) }.map { try server.awaitReleases(2, of: $0) }
        held.fail(.storageFull)
        let failed = try ann.reply(to: first)
        #expect(failed.reason == "storage_full")
        #expect(failed.error?["code"]?.int == -32014)
        #expect(try bob.reply(to: second).result?["trip"]?["slug"]?.string == "s")
    }

    @Test func `a creation can be retried by its id, for the same client and content`() throws {
        let server = try TestServer()
        let mine = id(70)
        let ann = try server.client("ann", client: mine)
        let draft = Self.draft("x", #","id":"\#(id(90))","slug":"s","items":[{"item":\#(custom(4, "A"))}]"#)
        let first = try ann.result("trip.create", draft)
        #expect(try ann.result("trip.create", draft).text == first.text)
        // The same request in another spelling is the same request.
        let reordered =
            #"{ "items":[{"item":{"title":"A","kind":"custom","id":"\#(id(4))"}}], "slug":"s", "id":"\#(id(90))","#
            + #""dayCount":2,"timeZone":"UTC","startDate":"2026-06-11","name":"x" }"#
        #expect(try ann.result("trip.create", reordered).text == first.text)
        let again = try server.client("ann again", client: mine)
        #expect(try again.result("trip.create", draft).text == first.text)
        let other = try server.client("bob")
        #expect(try other.reason("trip.create", draft) == "duplicate_id")
        #expect(
            try ann.reason("trip.create", Self.draft("y", #","id":"\#(id(90))""#)) == "duplicate_id")
        // After changes the answer has the current state.
        try ann.result("item.remove", #"{"trip":"s","item":"\#(id(4))"}"#)
        #expect(try ann.result("trip.create", draft)["version"]?.int == 2)
    }

    @Test func `a dry run returns the trip or the refusal, and creates nothing`() throws {
        let server = try TestServer()
        let (ann, viewer) = (try server.client("ann"), try server.client("val", role: "viewer"))
        let dry = #","id":"\#(id(90))","slug":"s","items":[{"item":\#(custom(4, "A"))}],"dryRun":true"#
        let received = try ann.result("trip.create", Self.draft("x", dry))
        #expect(received["version"]?.int == 1)
        #expect(received["trip"]?["id"]?.string == id(90))
        #expect(received.customTitles == ["A"])
        #expect(try ann.result("trip.list")["trips"]?.count == 0)
        #expect(try ann.reason("trip.get", #"{"trip":"s"}"#) == "trip_not_found")
        #expect(try viewer.reason("trip.create", Self.draft("x", dry)) == "read_only")
        try ann.result("trip.create", Self.draft("x", #","id":"\#(id(90))","slug":"s""#))
        #expect(try ann.reason("trip.create", Self.draft("x", dry)) == "duplicate_id")
        #expect(
            try ann.reason("trip.create", Self.draft("x", #","slug":"s","dryRun":true"#)) == "slug_taken")
        #expect(
            try ann.reason("trip.create", Self.draft("x", #","dryRun":1"#)) == "invalid_params")
        // The same for a deletion.
        #expect(try viewer.reason("trip.delete", #"{"trip":"s","dryRun":true}"#) == "read_only")
        #expect(
            try ann.reason("trip.delete", #"{"trip":"s","ifVersion":2,"dryRun":true}"#) == "version_conflict")
        #expect(try ann.result("trip.delete", #"{"trip":"s","ifVersion":1,"dryRun":true}"#).count == 0)
        #expect(try ann.reason("trip.delete", #"{"trip":"none","dryRun":true}"#) == "trip_not_found")
        #expect(try ann.result("trip.get", #"{"trip":"s"}"#)["version"]?.int == 1)
        try ann.result("trip.delete", #"{"trip":"s","dryRun":false}"#)
        #expect(try ann.reason("trip.get", #"{"trip":"s"}"#) == "trip_not_found")
    }

    @Test func `a failed creation or deletion of a trip leaves no journal open`() throws {
        let server = try TestServer()
        let client = try server.client("ann")
        func journals() throws -> Int? {
            let count = Guarded<Int?>(nil)
            let owner = server.server
            server.loop.execute {
                owner.enter { server in
                    let storage = server.storage as? JournalStorage
                    count.withLock { $0 = storage?.journalCount }
                }
            }
            try client.drain()
            return count.withLock { $0 }
        }
        for number in 0..<3 { try client.makeTrip("t\(number)", id: 90 + number) }
        #expect(try journals() == 3)
        for number in 0..<3 { try client.result("trip.delete", #"{"trip":"t\#(number)"}"#) }
        #expect(try journals() == 0)
        // A directory at the path of the journal makes the creation fail.
        try RealFileSystem().makeDirectory(server.directory.path + "/trips/\(id(95))")
        #expect(try client.call("trip.create", Self.draft("x", #","id":"\#(id(95))""#)).reason != nil)
        #expect(try journals() == 0)
        try client.makeTrip("again", id: 90)
        #expect(try journals() == 1)
    }

    @Test func `the items of a draft are created in order, all or none`() throws {
        let client = try TestServer().connected()
        let items =
            #"{"item":\#(custom(4, "A"))},{"item":\#(custom(5, "B")),"to":\#(after(4, day: 1))},"#
            + #"{"item":\#(custom(6, "C")),"to":\#(after(99, day: 1))}"#
        let refused = try client.call("trip.create", Self.draft("x", #","slug":"s","items":[\#(items)]"#))
        #expect(refused.reason == "item_not_found")
        #expect(refused.data?["opIndex"]?.int == 2)
        #expect(try client.result("trip.list")["trips"]?.count == 0)
        try client.result("trip.create", Self.draft("x", #","slug":"s""#))
    }

    @Test func `a deletion and later requests of the same connection keep their order`() throws {
        let client = try TestServer().connected()
        try client.makeTrip("s", id: 90)
        let delete = try client.post("trip.delete", #"{"trip":"s"}"#)
        let get = try client.post("trip.get", #"{"trip":"s"}"#)
        let create = try client.post("trip.create", Self.draft("x", #","id":"\#(id(90))","slug":"s""#))
        #expect(try client.reply(to: delete).result != nil)
        #expect(try client.reply(to: get).reason == "trip_not_found")
        #expect(try client.reply(to: create).version == 1)
    }

    /// The answer is encoded when its reader is ready: by then the id may belong to another trip.
    @Test func `a request for a deleted trip is not answered with a new trip of the same id`() throws {
        let server = try TestServer()
        let (slow, bob) = (try server.client("slow"), try server.client("bob"))
        let note = String(repeating: "n", count: 16_000)
        let items = (0..<50).map {
            #"{"item":{"id":"\#(id(1000 + $0))","kind":"custom","title":"x","note":"\#(note)"}}"#
        }
        try bob.makeTrip("large", items: items.joined(separator: ","))
        try bob.makeTrip("s", id: 90)
        let large = try slow.post("trip.get", #"{"trip":"large"}"#)
        let asked = try slow.post("trip.get", #"{"trip":"\#(id(90))"}"#)
        try server.wait { $0.connections.values.contains { $0.outbox.lateTrip != nil } }
        try bob.result("trip.delete", #"{"trip":"s"}"#)
        try bob.makeTrip("other", id: 90)
        #expect(try slow.reply(to: large).result != nil)
        #expect(try slow.reply(to: asked).reason == "trip_not_found")
    }

    @Test func `later requests do not affect the answer to a creation`() throws {
        let client = try TestServer().connected()
        let create = try client.post("trip.create", Self.draft("x", #","slug":"s""#))
        let add = try client.post("item.add", #"{"trip":"s","item":\#(custom(4, "A"))}"#)
        let made = try client.reply(to: create)
        #expect(made.version == 1)
        #expect(made.result?["items"]?.count == 0)
        #expect(try client.reply(to: add).version == 2)
    }

    /// A draft with enough items to be prepared on a worker.
    private static func large(_ more: String) -> String {
        let items = (0..<200).map { #"{"item":\#(custom(1000 + $0, "x"))}"# }
        return draft("Large", #"\#(more),"items":[\#(items.joined(separator: ","))]"#)
    }

    @Test(
        arguments: [
            ("", #","slug":"large""#, nil, "large-2"), ("", #","slug":"other""#, nil, "large"),
            (#","slug":"s""#, #","slug":"s""#, "slug_taken", ""),
            (#","id":"\#(id(90))""#, #","id":"\#(id(90))""#, "duplicate_id", ""),
        ] as [(String, String, String?, String)])
    func `the slug of a large draft is checked again after the trip is built`(
        _ own: String, _ others: String, _ reason: String?, _ slug: String
    ) throws {
        let queue = WorkQueue.stepped()
        let server = try TestServer.held(workQueue: queue)
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        let asked = try ann.post("trip.create", Self.large(own))
        try ann.post("ping")
        try server.wait { $0.offload.draftsInWork == 1 }
        try bob.result("trip.create", Self.draft("Bob's", others))
        #expect(queue.step() && !queue.step())
        let answer = try ann.reply(to: asked)
        #expect(answer.reason == reason)
        #expect(answer.result?["trip"]?["slug"]?.string ?? "" == slug)
        #expect(answer.result.map { $0["items"]?.count == 200 } ?? true)
        #expect(try ann.line().result != nil, "what is asked behind it waits")
        #expect(try bob.result("trip.list")["trips"]?.count == (reason == nil ? 2 : 1))
    }

    @Test
    func `a large draft is built although its connection is closed, and the ninth when a worker is free`()
        throws
    {
        let queue = WorkQueue.stepped()
        let server = try TestServer.held(workQueue: queue)
        let bob = try server.client("bob")
        for number in 0..<8 {
            let ann = try server.client("ann")
            try ann.post("trip.create", Self.large(#","slug":"s\#(number)""#))
            try server.wait { $0.offload.draftsInWork == number + 1 }
        }
        let eve = try server.client("eve")
        let asked = try [bob, eve].enumerated().map { number, client in
            let asked = try client.post("trip.create", Self.large(#","slug":"own""#))
            try server.wait { $0.offload.waitingDrafts.count == number + 1 }
            return asked
        }
        #expect(try server.ask { $0.offload.draftsInWork } == 8)
        #expect(queue.step())
        try server.wait { $0.offload.waitingDrafts.count == 1 && $0.offload.draftsInWork == 8 }
        while queue.step() { try server.connect().drain() }
        #expect(try bob.reply(to: asked[0]).result?["items"]?.count == 200)
        #expect(try eve.reply(to: asked[1]).reason == "slug_taken")
        try server.wait { $0.offload.draftsInWork == 0 }
        #expect(try bob.result("trip.list")["trips"]?.count == 9)
    }

    @Test func `a stopping daemon builds the waiting drafts of open connections`() throws {
        let queue = WorkQueue.stepped()
        let server = try TestServer.held(workQueue: queue)
        let clients = try (0..<9).map { try server.client("c\($0)") }
        for (number, client) in clients.enumerated() {
            try client.post("trip.create", Self.large(#","slug":"s\#(number)""#))
            try server.wait { $0.offload.draftsInWork + $0.offload.waitingDrafts.count == number + 1 }
        }
        server.askToStop()
        #expect(try server.ask { $0.life == .stopping && $0.offload.waitingDrafts.count == 1 })
        var made = 0
        while made < clients.count {
            // The last one is added after another is created.
            if queue.step() { made += 1 } else { _ = try server.ask { $0.offload.draftsInWork } }
        }
        for client in clients {
            let lines = try client.linesToEnd()
            #expect(lines.first?.result?["items"]?.count == 200)
            #expect(lines.last?.params?["reason"]?.string == "shutting_down")
        }
        server.waitForEnd()
    }

    @Test func `at most 32 drafts wait, including those of closed connections`() throws {
        let queue = WorkQueue.stepped()
        let server = try TestServer.held(workQueue: queue)
        for number in 0..<40 {
            let ann = try server.client("ann")
            try ann.post("trip.create", Self.large(#","slug":"s\#(number)""#))
            try server.wait { $0.offload.draftsInWork + $0.offload.waitingDrafts.count == number + 1 }
        }
        let bob = try server.client("bob")
        #expect(try bob.result("trip.create", Self.large(#","slug":"own""#))["items"]?.count == 200)
        while queue.step() { try server.connect().drain() }
        try server.wait { $0.offload.draftsInWork == 0 && $0.offload.waitingDrafts.isEmpty }
        #expect(try bob.result("trip.list")["trips"]?.count == 41)
    }
}
