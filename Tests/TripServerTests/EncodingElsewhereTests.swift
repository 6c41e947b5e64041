import JSONLine
import TestSupport
import Testing
import TripModel

@testable import TripServer

/// A large state is encoded on a worker. Only the connections that get it wait.
@Suite(.timeLimit(.minutes(10))) struct EncodingElsewhereTests {
    private let queue = WorkQueue.stepped()
    private let server: TestServer
    private let ann: LineClient
    private let bob: LineClient

    private static let long = String(repeating: "b", count: 300)

    /// A trip `t` whose every state counts as large.
    init() throws {
        server = try TestServer.held(workQueue: queue, longState: 1)
        (ann, bob) = (try server.client("ann"), try server.client("bob"))
        let created = try ann.post(
            "trip.create",
            #"{"name":"T","slug":"t","startDate":"2026-06-11","timeZone":"UTC","dayCount":5,"items":[{"item":\#(custom(1, "a"))},{"item":\#(custom(2, Self.long))},{"item":\#(custom(3, Self.long))},{"item":\#(custom(4, Self.long))}]}"#
        )
        try encode()
        #expect(try ann.reply(to: created).version == 1)
    }

    /// Lets the worker run the work that a connection waits for.
    private func encode(_ count: Int = 1) throws {
        try server.wait { $0.offload.encodingWaiters.values.reduce(0) { $0 + $1.count } == count }
        #expect(queue.step())
    }

    private func rename(_ title: String) throws {
        try bob.result("item.update", #"{"trip":"t","item":"\#(id(1))","set":{"title":"\#(title)"}}"#)
    }

    @Test func `others are served while a snapshot is encoded, and it is encoded once for all who wait`()
        throws
    {
        try rename("c")
        let eve = try server.client("eve")
        let asked = [
            (ann, try ann.post("trip.get", #"{"trip":"t"}"#)),
            (eve, try eve.post("trip.get", #"{"trip":"t"}"#)),
        ]
        try server.wait { $0.offload.encodingWaiters.values.first?.count == 2 }
        #expect(try bob.result("ping", "{}").text == "{}")
        try encode(2)
        for (client, number) in asked { #expect(try client.reply(to: number).version == 2) }
        #expect(!queue.step())
        // The encoded state is cached.
        #expect(try bob.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 2)
    }

    @Test func `a client that asks after a change gets a state that contains it`() throws {
        try rename("c")
        let first = try ann.post("trip.get", #"{"trip":"t"}"#)
        try server.wait { $0.offload.encodingWaiters.count == 1 }
        try rename("d")
        let second = try bob.post("trip.get", #"{"trip":"t"}"#)
        try encode(2)
        #expect(try ann.reply(to: first).version == 2)
        try encode()
        #expect(try bob.reply(to: second).version == 3)
    }

    @Test func `an answer is not taken from an update that was encoded before its version`() throws {
        try rename("c")
        let subscribed = try ann.post("trip.subscribe", #"{"trip":"t","mode":"snapshot"}"#)
        try encode()
        #expect(try ann.reply(to: subscribed).result != nil)
        try rename("d")
        // Until the worker has encoded the update to version 3, there is also version 4 and a later question.
        try server.wait { $0.offload.encodingWaiters.count == 1 }
        try rename("e")
        let asked = try ann.post("trip.get", #"{"trip":"t"}"#)
        try server.wait { $0.connections.values.contains { $0.outbox.lateVersion == 4 } }
        try encode()
        try encode()
        #expect(try ann.reply(to: asked).version == 4)
    }

    @Test(arguments: ["delta", "snapshot"])
    func `a subscriber is sent every change that is made while its state is encoded`(mode: String) throws {
        try rename("c")
        let asked = try ann.post("trip.subscribe", #"{"trip":"t","mode":"\#(mode)"}"#)
        try server.wait { $0.offload.encodingWaiters.count == 1 }
        try rename("d")
        try encode()
        #expect(try ann.reply(to: asked).result?["snapshot"]?["version"]?.int == 2)
        if mode == "snapshot" { try encode() }
        #expect(try ann.next("trip.\(mode)").params?["version"]?.int == 3)
    }

    @Test(arguments: ["trip.history", "item.trash", "trip.get"])
    func `every answer about a trip is encoded on a worker, also while another part of it is encoded`(
        method: String
    ) throws {
        try rename("c")
        try bob.result("item.remove", #"{"trip":"t","item":"\#(id(2))"}"#)
        let snapshot = try ann.post("trip.get", #"{"trip":"t"}"#)
        try server.wait { $0.offload.encodingWaiters.count == 1 }
        let said = method == "trip.get" ? #","said":true"# : ""
        let asked = try bob.post(method, #"{"trip":"t"\#(said)}"#)
        try encode(2)
        #expect(try ann.reply(to: snapshot).version == 3)
        try encode()
        #expect(try bob.reply(to: asked).result?[method == "trip.history" ? "entries" : "items"] != nil)
    }

    @Test func `a trip that is deleted while its state is encoded is not found`() throws {
        try rename("c")
        let asked = try ann.post("trip.get", #"{"trip":"t"}"#)
        try server.wait { $0.offload.encodingWaiters.count == 1 }
        try bob.result("trip.delete", #"{"trip":"t"}"#)
        #expect(queue.step())
        #expect(try ann.reply(to: asked).reason == "trip_not_found")
        #expect(try server.ask { $0.offload.encodingWaiters.isEmpty })
    }

    @Test func `the state encoded for a closed connection is dropped`() throws {
        try rename("c")
        let eve = try server.client("eve")
        _ = try eve.post("trip.get", #"{"trip":"t"}"#)
        try server.wait { $0.offload.encodingWaiters.count == 1 }
        try server.ask { server in
            guard let last = server.connections.keys.max(), let gone = server.connections[last] else {
                return
            }
            server.close(gone)
        }
        #expect(queue.step())
        #expect(try ann.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 2)
    }
}
