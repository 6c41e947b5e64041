import TestSupport
import Testing

/// Whatever four connections send, the daemon lives, answers every request once and in order, and all subscribers
/// end with the same trip.
@Suite struct FuzzTests {
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `the server survives garbage, mutated and valid requests from four connections`(_ seed: UInt64)
        throws
    {
        let server = try TestServer()
        var clients = [try server.client("c0")]
        try clients[0].makeTrip()
        clients.append(try server.client("c1"))
        clients.append(try server.client("c2", role: "viewer"))
        let restricted = try server.connect()
        try restricted.result("session.restrict", #"{"user":"c3","role":"viewer"}"#)
        try restricted.hello("c3", role: "editor", client: nil)
        clients.append(restricted)
        var workload = RandomChanges(seed: seed)
        var drags = ["", "", "", ""]
        var batches = ["", "", "", ""]
        for _ in 0..<40 {
            for (index, client) in clients.enumerated() {
                var expected: [Int?] = []
                var bytes: [UInt8] = []
                for _ in 0..<(1 + workload.random.below(12)) {
                    let (method, params) = workload.request(drag: drags[index], batch: batches[index])
                    var line = Array(client.request(method, params).utf8)
                    switch workload.random.below(10) {
                    case 0:
                        // A line of garbage is answered by one error without an id.
                        line = (0..<(1 + workload.random.below(40))).map { _ in
                            UInt8(truncatingIfNeeded: 0x21 + workload.random.below(220))
                        }
                        line.append(0xFF)
                        expected.append(nil)
                    case 1:
                        // A damaged request is answered once, perhaps with an id, perhaps without.
                        let place = line.firstIndex(of: UInt8(ascii: "m")) ?? 0
                        line[place + workload.random.below(line.count - place)] = UInt8(ascii: "#")
                        expected.append(-1)
                    default: expected.append(client.lastID)
                    }
                    bytes += line + [UInt8(ascii: "\n")]
                }
                // A valid line now and then, so that there are never sixteen bad ones in succession.
                bytes += Array((client.request("ping") + "\n").utf8)
                expected.append(client.lastID)
                try client.send(raw: bytes)
                for id in expected {
                    let line = try client.answer()
                    if id != -1 { #expect(line.id == id, "seed \(seed): \(line)") }
                    if let drag = line.result?["drag"]?.string { drags[index] = drag }
                    if let batch = line.result?["batch"]?.string { batches[index] = batch }
                    #expect(line.reason != "internal_error")
                }
            }
        }
        try Self.expectSameState(of: clients, seed)
    }

    /// Changes sent by four connections at once, without waiting for each other.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `subscribers converge while four connections edit a trip`(_ seed: UInt64) throws {
        let server = try TestServer()
        var clients = [try server.client("c0")]
        try clients[0].makeTrip()
        for number in 1..<4 { clients.append(try server.client("c\(number)")) }
        for client in clients { try client.subscribe() }
        var workload = RandomChanges(seed: 100 + seed)
        for _ in 0..<10 {
            var counts: [Int] = []
            for client in clients {
                var text = ""
                for _ in 0..<20 {
                    let (method, params) = workload.change()
                    text += client.request(method, params) + "\n"
                }
                counts.append(20)
                try client.send(raw: Array(text.utf8))
            }
            for (client, count) in zip(clients, counts) {
                for _ in 0..<count { _ = try client.answer() }
            }
        }
        try Self.expectSameState(of: clients, seed)
    }

    /// Ends every drag, waits until each subscriber has the newest version, and compares the last updates.
    private static func expectSameState(of clients: [LineClient], _ seed: UInt64) throws {
        for client in clients {
            // Lines before the answer belong to the previous subscription.
            try client.subscribe()
            client.takeNotes()
        }
        let end = try clients[0].result("item.add", #"{"trip":"t","item":{"kind":"custom","title":"end"}}"#)
        for client in clients {
            try client.result("trip.sync", #"{"trip":"t"}"#)
            let received = client.takeNotes("trip.snapshot")
            for (earlier, later) in zip(received, received.dropFirst()) {
                #expect(later.params?["previous"]?.int == earlier.version)
            }
            let last = try #require(received.last?.params)
            #expect(last["version"]?.int == end["version"]?.int, "seed \(seed)")
            let whole = try client.result("trip.get", #"{"trip":"t"}"#)
            for name in ["trip", "epoch", "version", "items", "problems"] {
                #expect(last.member(named: name)?.text == whole.member(named: name)?.text, "seed \(seed)")
            }
        }
    }
}

extension LineClient {
    /// The next line that is not a notification; notifications are kept.
    func answer() throws -> Line {
        while true {
            let line = try line()
            if line.method == nil { return line }
            keep(line)
        }
    }
}
