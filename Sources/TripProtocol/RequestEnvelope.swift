import JSONLine

/// A request's id, kept as it came so that it can be sent back the same.
public enum RequestID: Hashable, Sendable {
    /// An integer.
    case number(Int)
    /// A text.
    case string(String)
}

extension JSONWriter {
    package mutating func encode(_ id: RequestID?) {
        switch id {
        case .number(let number)?: value(number)
        case .string(let text)?: value(text)
        case nil: null()
        }
    }
}

/// One line of a client, read as far as its envelope.
package struct RequestEnvelope: Sendable {
    /// Nil for a request that is not to be answered.
    package let id: RequestID?
    /// The method's name, known or not.
    package let method: String
    /// What goes with it: an object, or left out.
    package let params: JSONNode?

    /// Reads the envelope of a parsed line.
    ///
    /// - Throws: `Failure`, with the request's id where it could be read.
    package init(_ root: JSONNode) throws(Failure) {
        guard root.kind == .object else {
            let hint =
                root.kind == .array ? "batches are not taken; use trip.apply" : "a request is an object"
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
        guard let method = root["method"]?.string else {
            throw Failure(id: id, error: WireError(.invalidRequest, "method: a string is needed"))
        }
        self.method = method
        params = root["params"]
    }

    /// A line that is no request.
    package struct Failure: Error {
        package let id: RequestID?
        package let error: WireError
    }
}
