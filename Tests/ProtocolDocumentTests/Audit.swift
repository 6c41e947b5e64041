import JSONLine
import TestSupport
import Testing

/// Checks every line of both sides against the schema, and records the messages that occurred.
final class Audit {
    /// The open requests of one connection.
    final class Exchange {
        fileprivate var open: [String: (method: String, complaint: String?)] = [:]
    }

    private let schema: ProtocolSchema
    private(set) var answeredMethods: Set<String> = []
    private(set) var notifications: Set<String> = []
    private(set) var reasons: Set<String> = []
    private(set) var lineCount = 0

    init(_ schema: ProtocolSchema) { self.schema = schema }

    /// Records a sent request. If it violates the schema, the daemon must refuse it.
    func sent(_ request: JSONNode, _ exchange: Exchange) {
        lineCount += 1
        guard let id = request["id"], !id.isNull, let method = request["method"]?.string else { return }
        exchange.open[id.excerpt] = (method, schema.complaint(aboutRequest: request))
    }

    /// Checks a received line.
    func received(_ line: JSONNode, _ exchange: Exchange) {
        lineCount += 1
        #expect(line["jsonrpc"]?.string == "2.0")
        if let method = line["method"]?.string {
            notifications.insert(method)
            complain(schema.complaint(aboutNotification: line), line)
            return
        }
        let asked = line["id"].flatMap { exchange.open.removeValue(forKey: $0.excerpt) }
        if let error = line["error"] {
            if let reason = error["data"]?["reason"]?.string { reasons.insert(reason) }
            complain(schema.complaint(aboutError: error, of: asked?.method), line)
        } else if let result = line["result"], let asked {
            answeredMethods.insert(asked.method)
            complain(asked.complaint.map { "it was accepted, but: \($0)" }, line)
            complain(schema.complaint(aboutResult: result, of: asked.method), line)
        } else {
            Issue.record("neither a notification nor an answer to anything: \(line.excerpt)")
        }
    }

    private func complain(_ complaint: String?, _ line: JSONNode) {
        if let complaint { Issue.record("\(complaint), in \(line.excerpt)") }
    }
}
