import JSONLine
import Testing

/// Holds every line of both sides against the schema, and remembers what was seen.
final class Audit {
    /// What one connection has asked and not been answered.
    struct Exchange {
        fileprivate var open: [String: (method: String, complaint: String?)] = [:]
    }

    private let schema: ProtocolSchema
    private(set) var answeredMethods: Set<String> = []
    private(set) var notifications: Set<String> = []
    private(set) var reasons: Set<String> = []
    private(set) var lineCount = 0

    init(_ schema: ProtocolSchema) { self.schema = schema }

    /// A request goes out. What the schema says against it is remembered: it must then be refused.
    func sent(_ request: JSONNode, _ exchange: inout Exchange) {
        lineCount += 1
        guard let id = request["id"], !id.isNull, let method = request["method"]?.string else { return }
        exchange.open[id.excerpt] = (method, schema.complaint(aboutRequest: request))
    }

    /// A line comes in.
    func received(_ line: JSONNode, _ exchange: inout Exchange) {
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
