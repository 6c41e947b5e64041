import JSONLine

/// A request's id, which is sent back unchanged.
package enum RequestID: Hashable, Sendable {
    /// An integer.
    case number(Int)
    /// A text.
    case string(String)
}

extension JSONWriter {
    /// Writes a key and a request's id, or null.
    package mutating func member(_ name: StaticString, _ id: RequestID?) {
        switch id {
        case .number(let number)?: member(name, number)
        case .string(let text)?: member(name, text)
        case nil:
            key(name)
            null()
        }
    }
}

/// The envelope of a client's line.
package struct RequestEnvelope: Sendable {
    /// Nil for a request without an answer.
    package let id: RequestID?
    /// The method; nil if it is unknown.
    package let method: Method?
    private let nameNode: JSONNode
    /// The method's name, even if it is unknown.
    package var name: String { nameNode.string ?? "" }
    /// The parameters: an object, or nil.
    package let params: JSONNode?

    /// Decodes the envelope of a parsed line.
    ///
    /// - Throws: `Failure`, with the request's id if it is readable.
    package init(_ root: JSONNode) throws(Failure) {
        guard root.kind == .object else {
            let hint =
                root.kind == .array
                ? "JSON-RPC batches are not supported; use trip.apply"
                : "a request must be an object"
            throw Failure(id: nil, error: WireError(.invalidRequest, hint))
        }
        if let node = root["id"] {
            if let number = node.int {
                id = .number(number)
            } else if let text = node.string {
                id = .string(text)
            } else {
                throw Failure(
                    id: nil, error: WireError(.invalidRequest, "id: a string or an integer is needed"))
            }
        } else {
            id = nil
        }
        guard root["jsonrpc"]?.stringEquals("2.0") == true else {
            throw Failure(id: id, error: WireError(.invalidRequest, "jsonrpc: \"2.0\" is needed"))
        }
        guard let name = root["method"], let method = name.withStringBytes({ Method(utf8: $0) }) else {
            throw Failure(id: id, error: WireError(.invalidRequest, "method: a string is needed"))
        }
        nameNode = name
        self.method = method
        params = root["params"]
    }

    /// A request of any method as a line with its newline; the params are unchecked JSON text.
    package static func line(id: RequestID?, _ method: String, params: [UInt8]) -> [UInt8] {
        line(id: id, method, reserving: params.count + 128) { $0.raw(params) }
    }

    /// A request as a line with its newline; `params` writes the params as one value.
    static func line(
        id: RequestID?, _ method: String, reserving capacity: Int, _ params: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var json = JSONWriter(reserving: capacity)
        json.beginObject()
        json.member("jsonrpc", "2.0")
        if let id { json.member("id", id) }
        json.member("method", method)
        json.key("params")
        params(&json)
        json.endObject()
        json.endLine()
        return json.take()
    }

    /// The error of a line that is not a request.
    package struct Failure: Error, Equatable {
        /// The request's id, if it is readable.
        package let id: RequestID?
        /// The error to send.
        package let error: WireError
    }
}
