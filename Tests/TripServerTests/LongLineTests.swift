import JSONLine
import TestSupport
import Testing

@testable import TripServer

/// Long lines are decoded on a worker, so that only their sender waits.
@Suite struct LongLineTests {
    /// A change in a line that counts as long.
    private static func long(_ number: Int) -> String {
        let filler = String(repeating: " ", count: 40_000)
        return #"{"trip":"t",\#(filler)"item":\#(custom(number, "long"))}"#
    }

    /// Ten clients and the long line that each has sent, in that order.
    private static func tenAsk(of server: TestServer) throws -> ([LineClient], asked: [Int]) {
        let clients = try (0..<10).map { try server.client("o\($0)") }
        let asked = try clients.enumerated().map { number, client in
            let asked = try client.post("item.add", long(10 + number))
            try server.wait { $0.offload.linesInWork + $0.offload.unparsedLines.count == number + 1 }
            return asked
        }
        return (clients, asked)
    }

    @Test func `while a long line is parsed others continue, and later lines of its connection wait`() throws
    {
        let queue = WorkQueue.stepped()
        let server = try TestServer.held(workQueue: queue)
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try bob.makeTrip()
        let first = try ann.post("item.add", Self.long(10))
        let second = try ann.post("item.add", #"{"trip":"t","item":\#(custom(11, "short"))}"#)
        try bob.drain()
        #expect(
            try bob.result("item.add", #"{"trip":"t","item":\#(custom(12, "bob's"))}"#)["version"]?.int == 2)
        #expect(queue.step() && !queue.step(), "one line is read of a connection, and no more")
        #expect(try ann.reply(to: first).version == 3)
        #expect(try ann.reply(to: second).version == 4)
    }

    @Test func `an invalid long line gets the same error as a short one`() throws {
        let queue = WorkQueue.stepped()
        let server = try TestServer.held(workQueue: queue)
        let ann = try server.client("ann")
        try ann.send(String(repeating: "[", count: 40_000))
        while !queue.step() { try server.connect().drain() }
        #expect(try ann.line().reason == "parse_error")
        try ann.drain()
        let stranger = try server.connect()
        let asked = try stranger.post("item.add", Self.long(10))
        while !queue.step() { try server.connect().drain() }
        #expect(try stranger.reply(to: asked).reason == "not_initialized")
    }

    @Test func `a line of a closed connection is dropped after parsing`() throws {
        let queue = WorkQueue.stepped()
        let server = try TestServer.held(workQueue: queue)
        let bob = try server.client("bob")
        try bob.makeTrip()
        let id = try server.ask { server in server.counters.connections + 1 }
        do {
            let ann = try server.client("ann")
            _ = try ann.post("item.add", Self.long(10))
            try server.wait { server in
                if case .isBeingParsed? = server.connections[id]?.input.first { true } else { false }
            }
            try server.ask { server in
                if let connection = server.connections[id] { server.close(connection) }
            }
        }
        #expect(queue.step())
        #expect(try bob.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 1)
    }

    @Test func `a stopping daemon does not wait for a line that is being parsed`() throws {
        let queue = WorkQueue.stepped()
        let server = try TestServer.held(workQueue: queue)
        let ann = try server.client("ann")
        _ = try ann.post("item.add", Self.long(10))
        try server.wait { $0.connections.values.contains { $0.hasFirst } }
        server.askToStop()
        #expect(try ann.linesToEnd().last?.params?["reason"]?.string == "shutting_down")
        #expect(queue.step())
        server.waitForEnd()
    }

    /// The lines of all connections count: each may have the longest allowed length.
    @Test func `at most eight lines are parsed on workers, the ninth when one is free`() throws {
        let queue = WorkQueue.stepped()
        let server = try TestServer.held(workQueue: queue)
        let bob = try server.client("bob")
        try bob.makeTrip()
        let (others, asked) = try Self.tenAsk(of: server)
        #expect(try server.ask { $0.offload.linesInWork } == 8)
        #expect(try server.ask { $0.offload.unparsedLines.count } == 2)
        #expect(queue.step())
        #expect(try others[0].reply(to: asked[0]).version == 2)
        try server.wait { $0.offload.linesInWork == 8 && $0.offload.unparsedLines.count == 1 }
        var count = 1
        while queue.step() {
            count += 1
            try bob.drain()
        }
        #expect(count == 10)
        for (other, id) in zip(others, asked).dropFirst() { #expect(try other.reply(to: id).result != nil) }
    }

    @Test func `if slow readers occupy all eight slots, the ninth line is parsed on the loop`() throws {
        let queue = WorkQueue.stepped()
        let server = try TestServer.held(workQueue: queue)
        try server.client("bob").makeTrip()
        let (others, asked) = try Self.tenAsk(of: server)
        // Each waits for an answer, before which no more of its lines are executed, so they stay unread.
        let tickets = try server.ask { server in
            server.connections.values.compactMap { connection -> Ticket? in
                guard case .isBeingParsed = connection.input.first else { return nil }
                let number = connection.outbox.reserve(isBarrier: true)
                return Ticket(connection: connection.id, number: number, request: nil)
            }
        }
        #expect(tickets.count == 8)
        for _ in tickets { #expect(queue.step()) }
        #expect(try Set([8, 9].map { try others[$0].reply(to: asked[$0]).version }) == [2, 3])
        #expect(!queue.step())
        #expect(try server.ask { $0.offload.unparsedLines.isEmpty })
        try server.ask { server in for ticket in tickets { server.complete(ticket, .nothing) } }
        for (other, id) in zip(others, asked).dropLast(2) { #expect(try other.reply(to: id).result != nil) }
    }

    @Test func `lines of closed connections count until they are parsed`() throws {
        let queue = WorkQueue.stepped()
        let server = try TestServer.held(workQueue: queue)
        let bob = try server.client("bob")
        try bob.makeTrip()
        for number in 1...12 {
            let id = try server.ask { $0.counters.connections + 1 }
            let ann = try server.client("ann")
            _ = try ann.post("item.add", Self.long(10 + number))
            try server.wait { server in
                server.offload.linesInWork == min(number, 8)
                    && !(server.connections[id]?.input.hasDeferredLines ?? true)
                    || server.connections[id]?.hasFirst == true
            }
            try server.ask { server in
                if let connection = server.connections[id] { server.close(connection) }
            }
        }
        #expect(try server.ask { $0.offload.linesInWork } == 8)
        var count = 0
        while queue.step() { count += 1 }
        #expect(count == 8)
        try server.wait { $0.offload.linesInWork == 0 }
    }
}
