import JSONLine
import TripProtocol

/// Parsing a client's request.
struct RequestParts {
    private let line = Array(
        """
        {"jsonrpc":"2.0","id":4711,"method":"item.move","params":{"trip":"00000000-0000-4000-9000-000000000000",\
        "item":"00000000-0000-4000-8000-000000000007",\
        "to":{"day":3,"after":"00000000-0000-4000-8000-000000000044"}}}
        """.utf8)

    /// Parses the line's JSON, the envelope and the request.
    func read(times: Int) throws {
        for _ in 0..<times {
            let envelope = try RequestEnvelope(
                JSONDocument(parsing: line, maximumDepth: WireLimits.depth).root)
            guard let method = envelope.method else { preconditionFailure("it is a method") }
            let request = try Request(method, params: envelope.params)
            guard case .change = request else { preconditionFailure("it asks for a change") }
            keep(1)
        }
    }
}
