import LocalSystem
import TestSupport
import Testing

@testable import TripServer

/// Whatever a request waits for, a stop answers it, and the daemon ends.
@Suite(.timeLimit(.minutes(10))) struct StopTests {
    /// Where the request under test waits.
    enum Gate: String, CaseIterable, Sendable {
        case disk, name, longChange, changingTrip, quietTrip, draft, line, state, memory, deletedTrip
    }

    enum End: String, CaseIterable, Sendable {
        case stop, stopAndLeave, leaveAndStop, halfCloseAndStop
    }

    private let queue = WorkQueue.stepped()

    @Test(arguments: Gate.allCases, End.allCases)
    func `a stop ends behind a request that waits, and answers it`(_ gate: Gate, _ end: End) throws {
        let server = try TestServer.held(
            waitingBytes: gate == .memory ? 1 : nil, workQueue: queue, longChange: 20,
            longState: gate == .state ? 20 : 1000)
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try makeTrip(of: bob, on: server, encoded: gate == .state)
        let asked = try ask(gate, ann, bob, server)
        switch end {
        case .stop: server.askToStop()
        // In one step, because nothing may keep the daemon from ending.
        case .stopAndLeave:
            try server.ask { server in
                server.stop()
                Self.disconnectAnn(server)
            }
        case .leaveAndStop:
            try server.ask { server in
                Self.disconnectAnn(server)
                server.stop()
            }
        case .halfCloseAndStop:
            ann.closeWriting()
            server.askToStop()
        }
        try finish(server)
        // A change is made even if its client has left. Before it come the creation and the change it waits for.
        let changes: [Gate: Int] = [.disk: 2, .longChange: 2, .changingTrip: 3, .quietTrip: 3]
        if let count = changes[gate] { #expect(server.held?.performedCount == count) }
        guard end == .stop || end == .halfCloseAndStop else { return }
        let lines = try ann.linesToEnd()
        // The stop does not wait for a line that is being parsed.
        #expect(gate == .line || lines.contains { $0.id == asked }, "\(lines)")
        #expect(lines.last?.params?["reason"]?.string == "shutting_down" || end == .halfCloseAndStop)
    }

    /// Twenty-five items, so that a change of the dates is long.
    ///
    /// - Parameter encoded: whether a worker encodes its state.
    private func makeTrip(of client: LineClient, on server: TestServer, encoded: Bool) throws {
        let items = (0..<25).map { #"{"item":\#(custom(100 + $0, "x")),"to":\#(end(5))}"# }
        let asked = try client.post(
            "trip.create",
            #"{"name":"T","slug":"t","startDate":"2026-06-11","timeZone":"UTC","dayCount":5,"items":[\#(items.joined(separator: ","))]}"#
        )
        if encoded {
            try server.wait { $0.offload.encodingWaiters.count == 1 }
            #expect(queue.step())
        }
        #expect(try client.reply(to: asked).version == 1)
    }

    /// Sends a request of `ann` that waits at the gate. Returns its id.
    private func ask(_ gate: Gate, _ ann: LineClient, _ bob: LineClient, _ server: TestServer) throws -> Int {
        let add = #"{"trip":"t","item":\#(custom(60, "z"))}"#
        switch gate {
        case .disk:
            server.held?.hold()
            let asked = try ann.post("item.add", add)
            try server.awaitHeld()
            return asked
        case .name:
            try bob.result(
                "trip.create",
                #"{"name":"S","slug":"s","startDate":"2026-06-11","timeZone":"UTC","dayCount":1}"#)
            server.held?.hold()
            try bob.post("trip.update", #"{"trip":"t","slug":"u"}"#)
            try server.awaitHeld()
            return try waiting(
                server, try ann.post("trip.update", #"{"trip":"s","slug":"u"}"#), behind: "ann")
        case .longChange: return try longChange(ann, server)
        case .changingTrip:
            _ = try longChange(bob, server)
            let asked = try ann.post("item.add", add)
            try server.wait { $0.directory.waiting.count == 1 }
            return asked
        case .quietTrip:
            server.held?.hold()
            try bob.post("item.add", add)
            try server.awaitHeld()
            let asked = try ann.post("trip.update", #"{"trip":"t","dayCount":3}"#)
            try server.wait { $0.offload.isBusy($0.directory.id(of: .slug("t")) ?? .random()) }
            return asked
        case .draft:
            let items = (0..<200).map { #"{"item":{"kind":"custom","title":"\#($0)"}}"# }.joined(
                separator: ",")
            let asked = try ann.post(
                "trip.create",
                #"{"name":"E","startDate":"2026-06-11","timeZone":"UTC","dayCount":3,"items":[\#(items)]}"#)
            try server.wait { $0.offload.draftsInWork == 1 }
            return asked
        case .line:
            let asked = try ann.post(
                "item.add",
                #"{"trip":"t",\#(String(repeating: " ", count: 40_000))"item":\#(custom(61, "z"))}"#)
            try server.wait { $0.offload.linesInWork == 1 }
            return asked
        case .state:
            try bob.result("item.update", #"{"trip":"t","item":"\#(id(100))","set":{"title":"y"}}"#)
            let asked = try ann.post("trip.get", #"{"trip":"t"}"#)
            try server.wait { $0.offload.encodingWaiters.count == 1 }
            return asked
        case .memory:
            server.held?.hold()
            try bob.post("item.add", add)
            try server.awaitHeld()
            let asked = try ann.post("trip.get", #"{"trip":"t"}"#)
            try server.wait { $0.budget.hasWaiting }
            return asked
        case .deletedTrip:
            server.held?.hold()
            let asked = try ann.post("trip.trash")
            try server.wait { !$0.offload.isIdle }
            return asked
        }
    }

    private func longChange(_ client: LineClient, _ server: TestServer) throws -> Int {
        let asked = try client.post("trip.update", #"{"trip":"t","dayCount":3}"#)
        try server.wait { !$0.offload.isIdle }
        return asked
    }

    /// Waits until a request blocks the later ones of its connection.
    private func waiting(_ server: TestServer, _ asked: Int, behind user: String) throws -> Int {
        try server.wait { server in
            server.connections.values.contains { $0.session.principal?.user == user && $0.outbox.blocksLater }
        }
        return asked
    }

    private static func disconnectAnn(_ server: isolated Server) {
        let gone = server.connections.values.first { $0.session.principal?.user == "ann" }
        if let gone { server.close(gone) }
    }

    /// Lets the disk and the workers finish everything, until the daemon has ended.
    private func finish(_ server: TestServer) throws {
        server.held?.resume()
        let hasEnded = Guarded(false)
        let queue = queue
        let thread = try WorkerThread { while !hasEnded.withLock({ $0 }) { _ = queue.step() } }
        server.waitForEnd()
        hasEnded.withLock { $0 = true }
        thread.join()
    }
}
