import JSONLine
import TestSupport
import Testing

/// Replays a transcript against a daemon and compares every received line.
struct Replay {
    /// A line that differs from the expected one.
    struct Difference: Error, CustomStringConvertible {
        let description: String
    }

    /// A connection with its received lines that are not compared yet.
    private final class Peer {
        let client: LineClient
        var presence: [JSONNode] = []
        var others: [JSONNode] = []

        init(_ client: LineClient) { self.client = client }

        /// Reads one more line; returns false at the end of the connection.
        func read() throws -> Bool {
            guard let line = try client.lineOrEnd()?.json else { return false }
            if line.isPresence { presence.append(line) } else { others.append(line) }
            return true
        }

        /// The next line that is not presence; nil at the end of the connection.
        func nextLine() throws -> JSONNode? {
            while others.isEmpty {
                guard try read() else { return nil }
            }
            return others.removeFirst()
        }
    }

    private let server: LiveServer
    private var clients: [String: Peer] = [:]
    private var placeholders = Placeholders()

    private init(_ server: LiveServer) { self.server = server }

    /// Replays a whole transcript.
    ///
    /// - Throws: `Difference` at the first unexpected line.
    static func run(_ transcript: Transcript, _ audit: Audit) throws {
        let leaseTime = transcript.waitsForLease ? LiveServer.shortLease : .seconds(600)
        var replay = Replay(try LiveServer(audit, leaseTime: leaseTime))
        replay.placeholders = Placeholders(transcript.values, isOlder: transcript.isOlder)
        for (index, step) in transcript.steps.enumerated() {
            do { try replay.perform(step) } catch {
                throw Difference(description: "\(transcript.name), line \(index + 1): \(error)")
            }
        }
        try replay.expectSilence()
    }

    private mutating func perform(_ step: Transcript.Step) throws {
        switch step {
        case .note: break
        case .connect(let name): clients[name] = Peer(try server.connect())
        case .disconnect(let name): clients[name] = nil
        case .send(let name, let line):
            try peer(name).client.send(line: Array(placeholders.filled(line).rawBytes))
        case .sendRaw(let name, let bytes): try peer(name).client.send(line: bytes)
        case .receive(let name, let line): try receive(line, from: peer(name))
        case .closed(let name):
            if let line = try peer(name).nextLine() {
                throw Difference(description: "not closed: \(line.excerpt)")
            }
            clients[name] = nil
        case .restart:
            clients = [:]
            try server.restart()
        }
    }

    private func peer(_ name: String) throws -> Peer {
        guard let peer = clients[name] else { throw Difference(description: "\(name) is not connected") }
        return peer
    }

    private mutating func receive(_ expected: JSONNode, from peer: Peer) throws {
        if expected.isPresence { return try receive(presence: expected, from: peer) }
        guard let line = try peer.nextLine() else {
            throw Difference(description: "closed, instead of \(expected.excerpt)")
        }
        if let difference = placeholders.difference(line, from: expected) {
            throw Difference(description: "\(difference), in \(line.excerpt)")
        }
    }

    /// Presence is sent at most ten times a second, with only the newest state. Therefore only the arrival of
    /// the expected line is checked, not the lines before it.
    private mutating func receive(presence expected: JSONNode, from peer: Peer) throws {
        repeat {
            while !peer.presence.isEmpty {
                if placeholders.difference(peer.presence.removeFirst(), from: expected) == nil { return }
            }
        } while try peer.read()
        throw Difference(description: "closed, instead of \(expected.excerpt)")
    }

    /// Checks that no further line arrives.
    private mutating func expectSilence() throws {
        for (name, peer) in clients {
            try peer.client.send(#"{"jsonrpc":"2.0","id":"end","method":"ping"}"#)
            let line = try peer.nextLine()
            if line?["id"]?.string != "end" {
                throw Difference(description: "\(name) got more: \(line?.excerpt ?? "")")
            }
        }
    }
}

extension JSONNode {
    fileprivate var isPresence: Bool { self["method"]?.string == "trip.presence" }
}
