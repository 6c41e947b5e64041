import JSONLine
import LocalSystem

/// Messages to an assistant, each one JSON object without a line end.
enum AssistantMessage {
    static func result(_ id: JSONNode, _ result: [UInt8]) -> [UInt8] {
        message { json in
            json.key("id")
            json.raw(id.rawBytes)
            json.key("result")
            json.raw(result)
        }
    }

    /// An error response.
    ///
    /// - Parameter id: the id of the request; nil, written as null, if it has no valid one.
    static func refusal(_ id: JSONNode?, _ code: Int, _ text: String) -> [UInt8] {
        message { json in
            json.key("id")
            if let id, id.string != nil || id.double != nil { json.raw(id.rawBytes) } else { json.null() }
            json.key("error")
            json.beginObject()
            json.member("code", code)
            json.member("message", text)
            json.endObject()
        }
    }

    /// A notification that a resource has changed.
    static func update(of uri: String) -> [UInt8] {
        message { json in
            json.member("method", "notifications/resources/updated")
            json.key("params")
            json.beginObject()
            json.member("uri", uri)
            json.endObject()
        }
    }

    /// Several messages in one array.
    static func list(_ messages: [[UInt8]]) -> [UInt8] {
        Array("[".utf8) + Array(messages.joined(separator: Array(",".utf8))) + Array("]".utf8)
    }

    private static func message(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("jsonrpc", "2.0")
        members(&json)
        json.endObject()
        return json.take()
    }
}

/// Writes whole messages to standard output, from any thread.
final class AssistantOutput: Sendable {
    private let turn = Guarded(())

    func send(_ message: [UInt8]) {
        turn.withLock { _ in StandardStream.output.write(message + [UInt8(ascii: "\n")]) }
    }
}
